package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssemblyRoomTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<String> gone = new ArrayList<>();
    private long now;
    private final AssemblyRoom room = new AssemblyRoom(1000, PATIENCE, () -> now);

    private AssemblyRoom.Share share(String client, String name) {
        AssemblyRoom.Share share = room.share(() -> gone.add(name));
        share.client(client);
        return share;
    }

    private static void refused(AssemblyRoom.Share share, long bytes) {
        assertThatThrownBy(() -> share.occupy(bytes, false))
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.THROTTLED))
                .hasMessageContaining("assembly-bytes");
        share.occupy(0, false);
    }

    @Test
    void oneConnectionMayAlwaysHaveWhatItNeeds() {
        AssemblyRoom.Share alone = share("anna", "alone");
        alone.occupy(5000, false);
        refused(share("anna", "next"), 1);
        alone.occupy(0, false);
        share("anna", "next").occupy(900, false);
        assertThat(gone).isEmpty();
    }

    @Test
    void whoHoldsMostGivesWayToOthersTheStalestFirst() {
        for (String name : List.of("a1", "a2", "a3")) {
            share("anna", name).occupy(300, false);
            now++;
        }
        share("bert", "b1").occupy(400, false);
        assertThat(gone).containsExactly("a1");
        share("carl", "c1").occupy(200, false);
        assertThat(gone).containsExactly("a1", "a2");
    }

    @Test
    void whoHoldsMostItselfIsRefused() {
        AssemblyRoom.Share anna = share("anna", "a1");
        anna.occupy(400, false);
        share("bert", "b1").occupy(500, false);
        refused(share("bert", "b2"), 200);
        assertThat(gone).isEmpty();
        refused(anna, 700);
    }

    /** A connection that never ends its frame does not hold up its own client for good either. */
    @Test
    void aConnectionThatEndsNoFrameGivesWayToOthersOfItsClient() {
        AssemblyRoom.Share slow = share(null, "slow");
        slow.occupy(300, false);
        AssemblyRoom.Share fast = share(null, "fast");
        fast.occupy(400, false);
        refused(share(null, "next"), 500);
        now += PATIENCE.toNanos();
        slow.occupy(350, false);
        fast.occupy(0, false);
        fast.occupy(400, false);
        share(null, "next").occupy(500, false);
        assertThat(gone).containsExactly("slow");
    }

    /** Whoever has said its name goes before those who have not, however little they hold. */
    @Test
    void strangersGiveWayFirst() {
        AssemblyRoom.Share first = room.share(() -> gone.add("first"));
        first.occupy(100, false);
        now = 1;
        room.share(() -> gone.add("second")).occupy(300, false);
        AssemblyRoom.Share nameless = share(null, "nameless");
        nameless.occupy(600, false);
        refused(room.share(() -> gone.add("third")), 100);
        share("anna", "a1").occupy(100, false);
        assertThat(gone).containsExactly("first");
        nameless.occupy(900, false);
        assertThat(gone).containsExactly("first", "second");
        first.occupy(0, false);
    }

    @Test
    void whoGivesWayCountsNoLongerAndOnce() {
        AssemblyRoom.Share slow = share("anna", "slow");
        slow.occupy(900, false);
        AssemblyRoom.Share other = share("bert", "other");
        other.occupy(800, false);
        slow.occupy(950, false);
        slow.occupy(0, false);
        share("carl", "c1").occupy(200, false);
        assertThat(gone).containsExactly("slow");
    }
}
