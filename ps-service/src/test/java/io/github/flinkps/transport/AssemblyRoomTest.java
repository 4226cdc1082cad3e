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
        AssemblyRoom.Share share = room.share("10.0.0.1", () -> gone.add(name));
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

    /** Those without a name take nothing of what clients have, nor do these keep them out. */
    @Test
    void strangersHaveASmallRoomOfTheirOwn() {
        AssemblyRoom.Share full = share("anna", "a1");
        full.occupy(1000, false);
        AssemblyRoom.Share first = room.share("10.0.0.2", () -> gone.add("first"));
        first.occupy(60, false);
        now = 1;
        room.share("10.0.0.2", () -> gone.add("second")).occupy(60, false);
        refused(room.share("10.0.0.2", () -> gone.add("third")), 60);
        room.share("10.0.0.3", () -> gone.add("other")).occupy(60, false);
        assertThat(gone).as("the address with most gives way").containsExactly("first");
        full.occupy(1100, true);
        assertThat(gone).containsExactly("first");
    }

    @Test
    void whoSaysItsNameBelongsToTheOthersFromThenOn() {
        AssemblyRoom.Share newcomer = room.share("10.0.0.2", () -> gone.add("newcomer"));
        newcomer.occupy(100, false);
        newcomer.client("anna");
        room.share("10.0.0.2", () -> gone.add("next")).occupy(125, false);
        refused(share("bert", "b1"), 950);
        share("bert", "b2").occupy(890, false);
        assertThat(gone).isEmpty();
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
