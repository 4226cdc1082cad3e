package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeptRoomTest {
    private final KeptRoom room = new KeptRoom(100);

    private KeptRoom.Share share(String client) {
        KeptRoom.Share share = room.share();
        share.client(client);
        return share;
    }

    private static boolean fits(KeptRoom.Share share, long bytes) {
        boolean has = share.add(bytes);
        share.add(-bytes);
        return has;
    }

    @Test
    void aClientHasHalfOverAllOfItsConnections() {
        assertThat(share("anna").add(30)).isTrue();
        assertThat(fits(share("anna"), 20)).isTrue();
        assertThat(fits(share("anna"), 21)).isFalse();
        assertThat(share("bert").add(50)).isTrue();
        assertThat(fits(share("anna"), 20)).isTrue();
        assertThat(fits(share("carl"), 21)).isFalse();
    }

    @Test
    void oneFrameAloneAlwaysFits() {
        KeptRoom.Share anna = share("anna");
        assertThat(anna.add(1000)).isTrue();
        assertThat(fits(share("anna"), 1)).isFalse();
        anna.add(-1000);
        assertThat(anna.add(70)).isTrue();
    }

    /** Who has one that is too large for its part takes nothing of that of others. */
    @Test
    void aLargeFrameLeavesOthersTheirHalf() {
        KeptRoom.Share large = share("anna");
        large.add(1000);
        KeptRoom.Share bert = share("bert");
        assertThat(bert.add(50)).isTrue();
        assertThat(fits(bert, 1)).isFalse();
        large.add(-1000);
        assertThat(share("carl").add(50)).isTrue();
    }

    @Test
    void thoseWhoseNameIsNotAskedShareAll() {
        room.share().add(60);
        assertThat(fits(room.share(), 40)).isTrue();
        assertThat(fits(room.share(), 41)).isFalse();
    }

    /** A connection ends before its handler is told of it. */
    @Test
    void whatIsKeptOfAConnectionThatHasEndedCounts() {
        KeptRoom.Share anna = share("anna");
        anna.add(50);
        anna.close();
        assertThat(fits(share("anna"), 1)).isFalse();
        anna.add(-50);
        assertThat(fits(share("anna"), 50)).isTrue();
    }

    @Test
    void withoutALimitAllFits() {
        KeptRoom.Share free = new KeptRoom(Long.MAX_VALUE).share();
        assertThat(free.add(Long.MAX_VALUE / 4)).isTrue();
        assertThat(free.add(Long.MAX_VALUE / 4)).isTrue();
    }
}
