package io.github.flinkps.protocol;

import io.github.flinkps.common.TableSpec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** The requests about a model's tables, and their answers; fixed layouts, in the order given. */
public final class ModelMessages {
    private ModelMessages() {}

    /**
     * Asks for a table; answered by a {@link TableMessage}.
     *
     * @param fence of the attempt that asks, 0 for none
     */
    public record CreateTable(String model, TableSpec spec, long fence) {
        /** Returns the request's frame, owned by the caller. */
        public ByteBuf encode(ByteBufAllocator allocator) {
            ControlWriter out = new ControlWriter(allocator).string(model);
            TableMessage.writeSpec(out, spec);
            return out.int64(fence).request(ApiKey.CREATE_TABLE);
        }

        /** Reads a request's frame, which stays the caller's. */
        public static CreateTable decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new CreateTable(in.string(), TableMessage.readSpec(in), in.int64());
        }
    }

    /** Asks for the definition of a table; answered by a {@link TableMessage}. */
    public record DescribeTable(String model, String table) {
        /** Returns the request's frame, owned by the caller. */
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator)
                    .string(model)
                    .string(table)
                    .request(ApiKey.DESCRIBE_TABLE);
        }

        /** Reads a request's frame, which stays the caller's. */
        public static DescribeTable decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new DescribeTable(in.string(), in.string());
        }
    }

    /**
     * Removes a table; answered by nothing more.
     *
     * @param fence of the attempt that asks, 0 for none
     */
    public record DropTable(String model, String table, long fence) {
        /** Returns the request's frame, owned by the caller. */
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator)
                    .string(model)
                    .string(table)
                    .int64(fence)
                    .request(ApiKey.DROP_TABLE);
        }

        /** Reads a request's frame, which stays the caller's. */
        public static DropTable decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new DropTable(in.string(), in.string(), in.int64());
        }
    }

    /** Asks for the names of a model's tables; answered by {@link TableNames}. */
    public record ListTables(String model) {
        /** Returns the request's frame, owned by the caller. */
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator).string(model).request(ApiKey.LIST_TABLES);
        }

        /** Reads a request's frame, which stays the caller's. */
        public static ListTables decode(ByteBuf frame) {
            return new ListTables(new ControlReader(frame).string());
        }
    }

    /** Names the tables of a model. */
    public record TableNames(List<String> names) {
        public void write(ControlWriter out) {
            out.int32(names.size());
            names.forEach(out::string);
        }

        /** Reads an answer's frame, which stays the caller's. */
        public static TableNames decode(ByteBuf frame) {
            return new TableNames(read(new ControlReader(frame)));
        }

        private static List<String> read(ControlReader in) {
            List<String> names = new ArrayList<>();
            for (int left = in.count(Integer.BYTES); left > 0; left--) {
                names.add(in.string());
            }
            return names;
        }
    }

    /**
     * Asks for the names of models that the client may read; answered by {@link ModelNames}.
     *
     * @param after the name behind which the page begins; empty for the first page
     */
    public record ListModels(String after) {
        /** Returns the request's frame, owned by the caller. */
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator).string(after).request(ApiKey.LIST_MODELS);
        }

        /** Reads a request's frame, which stays the caller's. */
        public static ListModels decode(ByteBuf frame) {
            return new ListModels(new ControlReader(frame).string());
        }
    }

    /**
     * Names models, in the order of their names.
     *
     * @param more whether there are some behind the last one
     */
    public record ModelNames(List<String> names, boolean more) {
        /** Returns the last of the names, of which there is one. */
        public String last() {
            return names.get(names.size() - 1);
        }

        public void write(ControlWriter out) {
            out.int32(more ? 1 : 0);
            new TableNames(names).write(out);
        }

        /** Reads an answer's frame, which stays the caller's. */
        public static ModelNames decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            boolean more = in.int32() != 0;
            return new ModelNames(TableNames.read(in), more);
        }
    }

    /**
     * Removes a model; answered by {@link ModelDropped}.
     *
     * @param fence of the attempt that asks, 0 for none
     * @param unlessOf run whose model stays, unless it lacks a round; empty: none
     */
    public record DropModel(String model, long fence, String unlessOf) {
        /** Returns the request's frame, owned by the caller. */
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator)
                    .string(model)
                    .int64(fence)
                    .string(unlessOf)
                    .request(ApiKey.DROP_MODEL);
        }

        /** Reads a request's frame, which stays the caller's. */
        public static DropModel decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new DropModel(in.string(), in.int64(), in.string());
        }
    }

    /** Says whether the model stays, because the run named has trained it and lost no round. */
    public record ModelDropped(boolean stays) {
        public void write(ControlWriter out) {
            out.int32(stays ? 1 : 0);
        }

        /** Reads an answer's frame, which stays the caller's. */
        public static ModelDropped decode(ByteBuf frame) {
            return new ModelDropped(new ControlReader(frame).int32() != 0);
        }
    }
}
