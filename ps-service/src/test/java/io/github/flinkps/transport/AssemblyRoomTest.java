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
        assertThatThrownBy(() -> share.hold(bytes, false))
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.THROTTLED))
                .hasMessageContaining("assembly-bytes");
        share.hold(0, false);
    }

    @Test
    void oneConnectionMayAlwaysHaveWhatItNeeds() {
        AssemblyRoom.Share alone = share("anna", "alone");
        alone.hold(5000, false);
        refused(share("anna", "next"), 1);
        alone.hold(0, false);
        share("anna", "next").hold(900, false);
        assertThat(gone).isEmpty();
    }

    @Test
    void whoHoldsMostGivesWayToOthersTheStalestFirst() {
        for (String name : List.of("a1", "a2", "a3")) {
            share("anna", name).hold(300, false);
            now++;
        }
        share("bert", "b1").hold(400, false);
        assertThat(gone).containsExactly("a1");
        share("carl", "c1").hold(200, false);
        assertThat(gone).containsExactly("a1", "a2");
    }

    @Test
    void whoHoldsMostItselfIsRefused() {
        AssemblyRoom.Share anna = share("anna", "a1");
        anna.hold(400, false);
        share("bert", "b1").hold(500, false);
        refused(share("bert", "b2"), 200);
        assertThat(gone).isEmpty();
        refused(anna, 700);
    }

    /** A connection that never ends its frame does not hold up its own client for good either. */
    @Test
    void aConnectionThatEndsNoFrameGivesWayToOthersOfItsClient() {
        AssemblyRoom.Share slow = share(null, "slow");
        slow.hold(300, false);
        AssemblyRoom.Share fast = share(null, "fast");
        fast.hold(400, false);
        refused(share(null, "next"), 500);
        now += PATIENCE.toNanos();
        slow.hold(350, false);
        fast.hold(0, false);
        fast.hold(400, false);
        share(null, "next").hold(500, false);
        assertThat(gone).containsExactly("slow");
    }

    /** Whoever has said its name goes before those who have not, however little they hold. */
    @Test
    void strangersGiveWayFirst() {
        AssemblyRoom.Share first = room.share(() -> gone.add("first"));
        first.hold(100, false);
        now = 1;
        room.share(() -> gone.add("second")).hold(300, false);
        AssemblyRoom.Share nameless = share(null, "nameless");
        nameless.hold(600, false);
        refused(room.share(() -> gone.add("third")), 100);
        share("anna", "a1").hold(100, false);
        assertThat(gone).containsExactly("first");
        nameless.hold(900, false);
        assertThat(gone).containsExactly("first", "second");
        first.hold(0, false);
    }

    @Test
    void whoGivesWayCountsNoLongerAndOnce() {
        AssemblyRoom.Share slow = share("anna", "slow");
        slow.hold(900, false);
        AssemblyRoom.Share other = share("bert", "other");
        other.hold(800, false);
        slow.hold(950, false);
        slow.hold(0, false);
        share("carl", "c1").hold(200, false);
        assertThat(gone).containsExactly("slow");
    }
}
