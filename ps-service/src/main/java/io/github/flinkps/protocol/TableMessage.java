package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.UpdateSpec;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table's number and definition, as in answers to OPEN_MODEL, CREATE_TABLE and DESCRIBE_TABLE;
 * fixed layout.
 *
 * @param id number of the table in its model at that server
 * @param input what its update function takes of a push, which only the server may know
 * @param spec its definition
 */
public record TableMessage(int id, UpdateInput input, TableSpec spec) {
    /** Fewest bytes of one, to check counts by. */
    public static final int SMALLEST = 60;

    public static void writeSpec(ControlWriter out, TableSpec spec) {
        out.string(spec.name()).int64(spec.size()).int32(spec.keyBits());
        out.int32(spec.width()).int32(spec.partitions()).int64(spec.seed());
        InitializerSpec init = spec.initializer();
        out.int32(init.kind().id()).float32(init.a()).float32(init.b());
        out.string(spec.update().name()).int32(spec.update().options().size());
        spec.update().options().forEach((name, value) -> out.string(name).float64(value));
    }

    public static TableSpec readSpec(ControlReader in) {
        try {
            String name = in.string();
            long size = in.int64();
            int keyBits = in.int32();
            int width = in.int32();
            int partitions = in.int32();
            long seed = in.int64();
            InitializerSpec.Kind kind = InitializerSpec.Kind.ofId(in.int32());
            InitializerSpec init = new InitializerSpec(kind, in.float32(), in.float32());
            String update = in.string();
            Map<String, Double> options = new TreeMap<>();
            for (int left = in.count(12); left > 0; left--) {
                options.put(in.string(), in.float64());
            }
            return new TableSpec(
                    name,
                    size,
                    keyBits,
                    width,
                    partitions,
                    init,
                    new UpdateSpec(update, options),
                    seed);
        } catch (IllegalArgumentException e) {
            throw new PsException(ErrorCode.INVALID_ARGUMENT, e.getMessage(), e);
        }
    }

    public void write(ControlWriter out) {
        out.int32(id).int32(input.id());
        writeSpec(out, spec);
    }

    public static TableMessage read(ControlReader in) {
        return new TableMessage(in.int32(), readInput(in), readSpec(in));
    }

    private static UpdateInput readInput(ControlReader in) {
        try {
            return UpdateInput.ofId(in.int32());
        } catch (IllegalArgumentException e) {
            throw new PsException(ErrorCode.INVALID_ARGUMENT, e.getMessage(), e);
        }
    }
}
