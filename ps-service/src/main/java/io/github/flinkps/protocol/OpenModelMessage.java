package io.github.flinkps.protocol;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Registration of a session with a model; fixed layouts. */
public final class OpenModelMessage {
    private OpenModelMessage() {}

    /**
     * A registration.
     *
     * @param model its name
     * @param run the job over all its attempts
     * @param fence the attempt; 0: whatever is current
     * @param worker index, or -1 for a plain client
     * @param workers of the job
     * @param consistency of the model
     * @param server index of the receiving server in the model's list
     * @param servers length of that list
     */
    public record Request(
            String model,
            String run,
            long fence,
            int worker,
            int workers,
            ConsistencySpec consistency,
            int server,
            int servers) {
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator)
                    .string(model)
                    .string(run)
                    .int64(fence)
                    .int32(worker)
                    .int32(workers)
                    .int32(consistency.kind().id())
                    .int32(consistency.staleness())
                    .string(consistency.predicate())
                    .int32(server)
                    .int32(servers)
                    .request(ApiKey.OPEN_MODEL);
        }

        public static Request decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            try {
                return new Request(
                        in.string(),
                        in.string(),
                        in.int64(),
                        in.int32(),
                        in.int32(),
                        new ConsistencySpec(
                                ConsistencySpec.Kind.ofId(in.int32()), in.int32(), in.string()),
                        in.int32(),
                        in.int32());
            } catch (IllegalArgumentException e) {
                throw new PsException(ErrorCode.INVALID_ARGUMENT, e.getMessage(), e);
            }
        }
    }

    /**
     * The answer.
     *
     * @param session number by which later requests name the session at this server
     * @param fence the model's current fence
     * @param tables that the model has
     */
    public record Response(int session, long fence, List<TableMessage> tables) {
        public ByteBuf encode(ByteBufAllocator allocator, long correlation) {
            ControlWriter out =
                    new ControlWriter(allocator).int32(session).int64(fence).int32(tables.size());
            tables.forEach(table -> table.write(out));
            return out.response(ApiKey.OPEN_MODEL, correlation);
        }

        public static Response decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            int session = in.int32();
            long fence = in.int64();
            List<TableMessage> tables = new ArrayList<>();
            for (int left = in.count(TableMessage.SMALLEST); left > 0; left--) {
                tables.add(TableMessage.read(in));
            }
            return new Response(session, fence, tables);
        }
    }
}
