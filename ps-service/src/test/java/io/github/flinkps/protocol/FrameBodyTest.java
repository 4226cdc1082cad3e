package io.github.flinkps.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FrameBodyTest {
    private static ByteBuffer frame(long bytes) {
        byte[] ones = new byte[(int) bytes];
        Arrays.fill(ones, (byte) -1);
        return ByteBuffer.wrap(ones).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void zerosLieBetweenTheControlPartAndTheMessages() {
        ByteBuffer frame = frame(FrameBody.frameLength(40, 64));
        assertThat(frame.capacity()).isEqualTo(192);
        assertThat(FrameBody.begin(frame, 40)).isEqualTo(128);
        for (int at = 0; at < frame.capacity(); at++) {
            assertThat(frame.get(at))
                    .as("byte " + at)
                    .isEqualTo((byte) (at < 72 || at > 127 ? -1 : 0));
        }
    }

    @Test
    void frameWithoutMessagesEndsWithItsControlPart() {
        ByteBuffer frame = frame(FrameBody.frameLength(40, 0));
        assertThat(frame.capacity()).isEqualTo(72);
        FrameBody.begin(frame, 40);
        assertThat(frame.get(71)).isEqualTo((byte) -1);
    }

    @Test
    void messagesLieBehindTheHeaderAndWithinTheFrame() {
        ByteBuffer frame = frame(192);
        assertThat(FrameBody.contains(frame, 128, 64)).isTrue();
        assertThat(FrameBody.contains(frame, 128, 65)).isFalse();
        assertThat(FrameBody.contains(frame, 128, -1)).isFalse();
        assertThat(FrameBody.contains(frame, FrameHeader.BYTES - 1, 8)).isFalse();
        assertThat(FrameBody.contains(frame, Integer.MAX_VALUE, Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void columnsAreViewsOfTheFrame() {
        ByteBuffer frame = frame(192);
        FrameBody.longs(frame, 128, 2).put(0x0102030405060708L).put(-7);
        FrameBody.floats(frame, 144, 1).put(1.5f);
        assertThat(frame.get(128)).isEqualTo((byte) 8);
        assertThat(FrameBody.longs(frame, 128, 2).get(1)).isEqualTo(-7);
        assertThat(FrameBody.floats(frame, 144, 1).get()).isEqualTo(1.5f);
    }
}
