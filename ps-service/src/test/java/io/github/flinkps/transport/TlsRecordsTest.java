package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TlsRecordsTest {
    private static final int RECORDS = 2000;
    private static final int MOST_BYTES = (16 << 10) + 256;

    /** Records of any length, those of none too, in pieces of any length. */
    @Test
    void knowsWhereRecordsEnd() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ByteBuf all = Unpooled.buffer();
        TreeSet<Integer> ends = new TreeSet<>(Set.of(0));
        for (int i = 0; i < RECORDS; i++) {
            int bytes = random.nextInt(3) == 0 ? random.nextInt(4) : random.nextInt(MOST_BYTES);
            all.writeByte(20 + random.nextInt(4)).writeShort(0x0303).writeShort(bytes);
            for (int at = 0; at < bytes; at++) {
                all.writeByte(random.nextInt());
            }
            ends.add(all.writerIndex());
        }
        TlsRecords records = new TlsRecords(null);
        int most = random.nextBoolean() ? 7 : 3 * MOST_BYTES;
        while (all.isReadable()) {
            ByteBuf piece = all.readSlice(Math.min(1 + random.nextInt(most), all.readableBytes()));
            int end = ends.floor(all.readerIndex());
            assertThat(records.follow(piece))
                    .as("at %d, seed %d", all.readerIndex(), seed)
                    .isEqualTo(all.readerIndex() - end);
        }
    }
}
