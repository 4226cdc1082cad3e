package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The messages by which an attempt suspends reads of its model while the rows are not those it goes
 * on from.
 */
public final class ModelStateMessage {
    private ModelStateMessage() {}

    /** The orders to a server; ids are permanent. */
    public enum Order {
        /** Changes nothing. */
        ASK(0),
        /** Answers sessions of no attempt NOT_READY. */
        SUSPEND(1),
        /** Answers all sessions again. */
        SERVE(2);

        private static final Order[] BY_ID = values();

        private final int id;

        Order(int id) {
            this.id = id;
        }
    }

    /**
     * An order.
     *
     * @param session that gives it; of an attempt, unless it only asks
     */
    public record Request(int session, Order order) {
        public ByteBuf encode(ByteBufAllocator allocator) {
            return new ControlWriter(allocator)
                    .int32(session)
                    .int32(order.id)
                    .request(ApiKey.MODEL_STATE);
        }

        /**
         * Reads a request.
         *
         * @throws PsException MALFORMED for an order that is not known
         */
        public static Request decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            int session = in.int32();
            int order = in.int32();
            if (order < 0 || order >= Order.BY_ID.length) {
                throw new PsException(ErrorCode.MALFORMED, "no order " + order + " of a model");
            }
            return new Request(session, Order.BY_ID[order]);
        }
    }

    /**
     * The state of the model at a server once the order is carried out.
     *
     * @param readable whether sessions of no attempt are answered
     * @param trained whether a worker's clock has moved since its attempt began
     */
    public record Response(boolean readable, boolean trained) {
        /** Appends it to an answer. */
        public void write(ControlWriter out) {
            out.int32(readable ? 1 : 0).int32(trained ? 1 : 0);
        }

        public static Response decode(ByteBuf frame) {
            ControlReader in = new ControlReader(frame);
            return new Response(in.int32() != 0, in.int32() != 0);
        }
    }
}
