package io.github.flinkps.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.kryo5.io.Output;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.UpdateSpec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlLayoutTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    @AfterEach
    void everythingIsReleased() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private static void malformed(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED));
    }

    @Test
    void namesOfModelsAreRead() {
        ByteBuf asked = new ModelMessages.ListModels("ads").encode(allocator);
        assertThat(ModelMessages.ListModels.decode(asked).after()).isEqualTo("ads");
        asked.release();
        ControlWriter out = new ControlWriter(allocator);
        new ModelMessages.ModelNames(List.of("b", "c"), true).write(out);
        ByteBuf answer = out.request(ApiKey.LIST_MODELS);
        assertThat(ModelMessages.ModelNames.decode(answer))
                .isEqualTo(new ModelMessages.ModelNames(List.of("b", "c"), true));
        answer.release();
    }

    @Test
    void whatIsWrittenIsReadAndNotAByteMore() {
        ByteBuf frame =
                new ControlWriter(allocator)
                        .int32(-5)
                        .int64(Long.MIN_VALUE)
                        .float32(1.5f)
                        .float64(-2.25)
                        .string("naïve \uD83D\uDE00")
                        .bytes(new byte[] {1, 2, 3})
                        .request(ApiKey.STATS);
        ControlReader in = new ControlReader(frame);
        assertThat(in.int32()).isEqualTo(-5);
        assertThat(in.int64()).isEqualTo(Long.MIN_VALUE);
        assertThat(in.float32()).isEqualTo(1.5f);
        assertThat(in.float64()).isEqualTo(-2.25);
        assertThat(in.string()).isEqualTo("naïve \uD83D\uDE00");
        assertThat(in.bytes()).containsExactly(1, 2, 3);
        malformed(in::int32);
        malformed(() -> in.skip(1));
        malformed(() -> in.skip(-1));
        frame.release();
    }

    @Test
    void lengthsBeyondTheFrameAreRefused() {
        for (int claimed : new int[] {-1, 5, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            ByteBuf frame = new ControlWriter(allocator).int32(claimed).request(ApiKey.STATS);
            malformed(() -> new ControlReader(frame).string());
            malformed(() -> new ControlReader(frame).bytes());
            malformed(() -> new ControlReader(frame).count(4));
            frame.setIntLE(20, claimed);
            malformed(() -> new ControlReader(frame));
            frame.release();
        }
    }

    @Test
    void definitionsSurviveTheWire() {
        TableSpec table =
                TableSpec.sparse("t", 7, UpdateSpec.of("ftrl").with("alpha", .5).with("l1", 2))
                        .withKeyBits(33)
                        .withInitializer(InitializerSpec.normal(1, 2), 99);
        OpenModelMessage.Request request =
                new OpenModelMessage.Request("m", "r", 3, 1, 4, ConsistencySpec.ssp(2), 1, 3);
        ByteBuf frame = request.encode(allocator);
        assertThat(OpenModelMessage.Request.decode(frame)).isEqualTo(request);
        frame.release();
        OpenModelMessage.Response response =
                new OpenModelMessage.Response(
                        8, 3, List.of(new TableMessage(5, UpdateInput.GRADIENT_SUM, table)));
        ByteBuf answer = response.encode(allocator, 12);
        assertThat(OpenModelMessage.Response.decode(answer)).isEqualTo(response);
        assertThat(FrameHeader.correlation(answer)).isEqualTo(12);
        answer.release();
    }

    @Test
    void grantsSurviveTheWire() {
        GrantFenceMessage.Request request = new GrantFenceMessage.Request("m", "r", "a", 1L << 40);
        ByteBuf frame = request.encode(allocator);
        assertThat(GrantFenceMessage.Request.decode(frame)).isEqualTo(request);
        frame.release();
        for (boolean own : new boolean[] {false, true}) {
            GrantFenceMessage.Response response = new GrantFenceMessage.Response(1L << 40, own);
            ByteBuf answer = response.encode(allocator, 12);
            assertThat(GrantFenceMessage.Response.decode(answer)).isEqualTo(response);
            answer.release();
        }
    }

    @Test
    void errorsSurviveTheWireAlsoWithoutWords() {
        ByteBuf frame = ErrorFrame.of(allocator, 99, 7, ErrorCode.NOT_READY, "x".repeat(5000));
        PsException error = ErrorFrame.of(frame);
        assertThat(error.code()).isEqualTo(ErrorCode.NOT_READY);
        assertThat(error.getMessage()).hasSize(2000);
        frame.release();
        ByteBuf silent = ErrorFrame.of(allocator, 99, 7, ErrorCode.FENCED, null);
        assertThat(ErrorFrame.of(silent)).hasMessage(ErrorCode.FENCED.meaning());
        silent.release();
    }

    @Test
    void administrationReadsWhatIsRegisteredAndNothingElse() {
        AdminCodec codec = new AdminCodec();
        AdminMessages.Aggregate message =
                new AdminMessages.Aggregate(1, 2, "süm", new ArrayList<>(List.of("a", "b")));
        byte[] bytes = codec.encode(message);
        assertThat(codec.decode(bytes, AdminMessages.Aggregate.class)).isEqualTo(message);
        malformed(() -> codec.decode(bytes, AdminMessages.Barrier.class));
        malformed(() -> codec.decode(new byte[0], AdminMessages.Barrier.class));
        malformed(() -> codec.decode(new byte[] {0}, AdminMessages.Barrier.class));
        assertThatThrownBy(() -> codec.encode(new Random(1))).hasMessageContaining("registered");
        Output unknown = new Output(16);
        unknown.writeVarInt(500, true);
        malformed(() -> codec.decode(unknown.toBytes(), AdminMessages.Barrier.class));
    }

    @Test
    void clocksOfManyWorkersTakeFewBytes() {
        AdminCodec codec = new AdminCodec();
        long[] clocks = new long[1000];
        long[] states = new long[1000];
        clocks[7] = Long.MAX_VALUE;
        clocks[8] = Long.MIN_VALUE;
        states[9] = 2;
        byte[] bytes =
                codec.encode(
                        new AdminMessages.CutReport(
                                3,
                                new ArrayList<>(),
                                new ArrayList<>(),
                                new ArrayList<>(),
                                clocks,
                                states,
                                1L << 40));
        AdminMessages.CutReport read = codec.decode(bytes, AdminMessages.CutReport.class);
        assertThat(read.clocks()).isEqualTo(clocks);
        assertThat(read.states()).isEqualTo(states);
        assertThat(read.savedBytes()).isEqualTo(1L << 40);
    }

    /** Class, then a length that would be gigabytes. */
    @Test
    void administrationAllocatesNoMoreThanTheBytesLeft() {
        AdminCodec codec = new AdminCodec();
        for (int id : new int[] {32, 33, 34}) {
            Output out = new Output(64);
            out.writeVarInt(id + 2, true);
            out.writeVarInt(Integer.MAX_VALUE - 8, true);
            out.writeLong(1);
            malformed(() -> codec.decode(out.toBytes(), Object.class));
        }
        byte[] good =
                codec.encode(
                        new AdminMessages.Barrier(
                                1, "näme".repeat(9), 3, true, new double[] {1.5}));
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = good.clone();
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(codec.decode(bytes, AdminMessages.Barrier.class)).isNotNull();
            } catch (PsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED);
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    /** What is null is found before it is used, where it would look like a fault of the server. */
    @Test
    void whatAnAggregateLacksIsMalformed() {
        byte[] bytes = new AdminCodec().encode(aggregate("sum", "a"));
        int refused = 0;
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] = 0; // Kryo's null, where an object may be
            try {
                AdminMessages.Aggregate read =
                        new AdminCodec().decode(changed, AdminMessages.Aggregate.class);
                assertThat(read.function()).isNotNull();
                assertThat(read.arguments()).doesNotContainNull();
            } catch (PsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED);
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private static AdminMessages.Aggregate aggregate(String function, String... arguments) {
        return new AdminMessages.Aggregate(1, 2, function, new ArrayList<>(List.of(arguments)));
    }
}
