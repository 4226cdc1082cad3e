package io.github.flinkps.protocol;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.KryoException;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.kryo5.serializers.RecordSerializer;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;

/**
 * Administration between Java ends by Kryo: classes must be registered, their ids are fixed, and no
 * array is larger than the bytes that are left. Not thread-safe; make one where it is needed.
 */
public final class AdminCodec {
    private static final int FIRST_ID = 32;
    private final Kryo kryo = new Kryo();

    public AdminCodec() {
        kryo.setRegistrationRequired(true);
        kryo.setReferences(false);
        kryo.register(ArrayList.class, new BoundedLists(), FIRST_ID);
        kryo.register(long[].class, new BoundedLongs(), FIRST_ID + 1);
        kryo.register(double[].class, new BoundedDoubles(), FIRST_ID + 2);
        register(AdminMessages.Stats.class, 3);
        register(AdminMessages.Barrier.class, 4);
        register(AdminMessages.Aggregate.class, 5);
        register(AdminMessages.Partial.class, 6);
        register(AdminMessages.BeginCuts.class, 7);
        register(AdminMessages.AwaitCut.class, 8);
        register(AdminMessages.AbortCut.class, 9);
        register(AdminMessages.CutReport.class, 10);
        register(AdminMessages.CutTable.class, 11);
        register(AdminMessages.CutPartition.class, 12);
        register(AdminMessages.CutFile.class, 13);
        register(StepCounts.class, 14);
    }

    private <T extends Record> void register(Class<T> type, int id) {
        kryo.register(type, new RecordSerializer<>(type), FIRST_ID + id);
    }

    public byte[] encode(Object message) {
        Output out = new Output(256, -1);
        kryo.writeClassAndObject(out, message);
        return out.toBytes();
    }

    /**
     * Reads a message.
     *
     * @throws PsException MALFORMED when the bytes are no message of that type
     */
    public <T> T decode(byte[] bytes, Class<T> type) {
        try {
            T message = type.cast(kryo.readClassAndObject(new BoundedInput(bytes)));
            if (message == null) {
                throw new PsException(ErrorCode.MALFORMED, "malformed message: null");
            }
            return message;
        } catch (PsException e) {
            throw e;
        } catch (RuntimeException e) { // Kryo promises no type for damaged bytes
            if (e.getCause() instanceof Error error) {
                throw error; // which Kryo wraps
            }
            throw new PsException(ErrorCode.MALFORMED, "malformed message: " + e.getMessage(), e);
        }
    }

    /** Returns the frame of a request, owned by the caller. */
    public static ByteBuf request(ByteBufAllocator allocator, ApiKey api, Record message) {
        return new ControlWriter(allocator).bytes(new AdminCodec().encode(message)).request(api);
    }

    /**
     * Reads the message that is the whole control part of a frame, which stays the caller's.
     *
     * @throws PsException MALFORMED when there is no message of that type
     */
    public static <T> T decode(ByteBuf frame, Class<T> type) {
        return new AdminCodec().decode(new ControlReader(frame).bytes(), type);
    }

    private static void check(Input in, int length, int bytesEach) {
        // Kryo writes the length plus one; 0 stands for null.
        if (length > 1 && (length - 1L) * bytesEach > in.limit() - in.position()) {
            throw new KryoException(
                    "array of "
                            + (length - 1)
                            + " entries, "
                            + (in.limit() - in.position())
                            + " bytes left");
        }
    }

    /** Refuses strings longer than the bytes left before it makes room for them. */
    private static final class BoundedInput extends Input {
        BoundedInput(byte[] bytes) {
            super(bytes);
        }

        @Override
        public String readString() {
            int at = position();
            if (readVarIntFlag()) {
                check(this, readVarIntFlag(true), 1);
            }
            setPosition(at);
            return super.readString();
        }
    }

    @SuppressWarnings("NonApiType") // the registered class
    private static final class BoundedLists extends CollectionSerializer<ArrayList<?>> {
        @Override
        protected ArrayList<?> create(
                Kryo kryo, Input in, Class<? extends ArrayList<?>> type, int size) {
            check(in, size + 1, 1);
            return new ArrayList<>(size);
        }
    }

    private static final class BoundedLongs extends DefaultArraySerializers.LongArraySerializer {
        @Override
        @SuppressWarnings("rawtypes") // as Kryo declares it
        public long[] read(Kryo kryo, Input in, Class type) {
            int at = in.position();
            check(in, in.readVarInt(true), 1); // Kryo writes small numbers in few bytes
            in.setPosition(at);
            return super.read(kryo, in, type);
        }
    }

    private static final class BoundedDoubles
            extends DefaultArraySerializers.DoubleArraySerializer {
        @Override
        @SuppressWarnings("rawtypes") // as Kryo declares it
        public double[] read(Kryo kryo, Input in, Class type) {
            int at = in.position();
            check(in, in.readVarInt(true), Double.BYTES);
            in.setPosition(at);
            return super.read(kryo, in, type);
        }
    }
}
