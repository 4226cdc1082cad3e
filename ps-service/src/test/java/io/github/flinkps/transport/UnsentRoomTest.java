package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnsentRoomTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<String> gone = new ArrayList<>();
    private long now;
    private final UnsentRoom room = room(100);

    private UnsentRoom room(long most) {
        return new UnsentRoom(most, PATIENCE, () -> now);
    }

    private UnsentRoom.Share share(String client, String name) {
        UnsentRoom.Share share = room.share(() -> gone.add(name));
        share.client(client);
        return share;
    }

    private UnsentRoom.Share share(String client) {
        return share(client, client);
    }

    @Test
    void aClientThatTakesNothingLeavesHalfToOthers() {
        UnsentRoom.Share greedy = share("greedy");
        greedy.set(45);
        assertThat(share("greedy").has(5)).isTrue();
        assertThat(share("greedy").has(6)).isFalse();
        UnsentRoom.Share other = share("other");
        assertThat(other.has(55)).isTrue();
        assertThat(other.has(56)).isFalse();
        other.set(40);
        assertThat(share("third").has(15)).isTrue();
        assertThat(share("third").has(16)).isFalse();
        greedy.set(0);
        assertThat(other.has(10)).isTrue();
    }

    @Test
    void anAnswerAloneAlwaysHasRoom() {
        UnsentRoom.Share one = share("one");
        assertThat(one.has(1000)).isTrue();
        one.set(1000);
        assertThat(one.has(1)).isFalse();
        one.set(0);
        assertThat(one.has(1000)).isTrue();
        assertThat(gone).isEmpty();
    }

    @Test
    void thoseWhoseNameIsNotAskedShareAll() {
        share(null).set(60);
        assertThat(share(null).has(40)).isTrue();
        assertThat(share(null).has(41)).isFalse();
    }

    /** Each connection has little, and all of the name more than its part. */
    @Test
    void ofManyConnectionsOfANameTheOneWithMostSmallAnswersEnds() {
        UnsentRoom.Share large = share("greedy", "large");
        assertThat(large.has(30)).isTrue();
        large.set(35);
        share("greedy", "a").set(15);
        share("greedy", "b").set(12);
        assertThat(gone).isEmpty();
        UnsentRoom.Share last = share("greedy", "c");
        last.set(1);
        assertThat(gone).containsExactly("a");
        last.set(10);
        assertThat(gone).containsExactly("a");
        last.set(20);
        assertThat(gone).containsExactly("a", "c");
        last.set(200);
        assertThat(share("other").has(40)).as("who ends counts no longer").isTrue();
    }

    @Test
    void allTogetherKeepToTheWhole() {
        share("one", "one").set(55);
        share("two", "two").set(50);
        share("three", "three").set(7);
        assertThat(gone).isEmpty();
        share("four", "four").set(1);
        assertThat(gone).containsExactly("one");
        share("five", "five").set(60);
        assertThat(gone).containsExactly("one", "five");
    }

    /** Ends none for what asked for room, whatever others leave. */
    @Test
    void answersThatFoundRoomAreNotEndedForThoseThatDoNotAsk() {
        UnsentRoom large = room(100 << 20);
        for (String name : List.of("one", "two")) {
            UnsentRoom.Share share = large.share(() -> gone.add(name));
            share.client(name);
            for (int i = 1; i <= 2; i++) {
                assertThat(share.has(12 << 20)).isTrue();
                share.set(i * (12 << 20) + 40_000);
            }
        }
        for (int i = 0; i < 70; i++) {
            UnsentRoom.Share share = large.share(() -> gone.add("evil"));
            share.client("evil");
            share.set(1 << 20);
        }
        assertThat(gone).isNotEmpty().containsOnly("evil");
        UnsentRoom.Share alone = room(64 << 20).share(() -> gone.add("alone"));
        alone.client("alone");
        assertThat(alone.has(50 << 20)).isTrue();
        alone.set((50 << 20) + 40_000);
        assertThat(gone).doesNotContain("alone");
    }

    @Test
    void anAnswerThatHasBeenSentSparesNobody() {
        UnsentRoom.Share share = room(100 << 20).share(() -> gone.add("greedy"));
        share.client("greedy");
        assertThat(share.has(50 << 20)).isTrue();
        share.set(50 << 20);
        share.set(5 << 20);
        share.set(63 << 20);
        assertThat(gone).containsExactly("greedy");
    }

    /** Its answer was admitted alone, and others cannot have theirs. */
    @Test
    void whoTakesALargeAnswerSlowlyGivesWayToTheAnswersOfOthers() {
        UnsentRoom.Share slow = share("greedy", "slow");
        slow.has(95);
        slow.set(95);
        assertThat(share("other").has(10)).isFalse();
        now += PATIENCE.toNanos() - 1;
        slow.set(90);
        assertThat(share("other").has(15)).isFalse();
        assertThat(gone).isEmpty();
        now++;
        assertThat(share("other").has(95)).as("who would have more itself").isFalse();
        assertThat(share("other").has(15)).isTrue();
        assertThat(gone).containsExactly("slow");
    }

    /** It is slow for its own name too. */
    @Test
    void whoTakesALargeAnswerSlowlyGivesWayToOthersOfItsClient() {
        share("greedy", "slow").set(60);
        UnsentRoom.Share next = share("greedy", "next");
        assertThat(next.has(10)).isFalse();
        now += PATIENCE.toNanos();
        next.set(50);
        assertThat(next.has(10)).as("who has as much itself").isFalse();
        next.set(0);
        assertThat(next.has(10)).isTrue();
        assertThat(gone).containsExactly("slow");
    }

    /** Answers come as fast as they are taken, so that some are always there. */
    @Test
    void whoTakesAsMuchAsItHasGivesWayToNobody() {
        UnsentRoom.Share fast = share("fast");
        for (int i = 0; i < 10; i++) {
            fast.set(60);
            now += PATIENCE.toNanos() / 5;
            fast.set(30);
        }
        fast.set(60);
        assertThat(share("other").has(45)).isFalse();
        now += PATIENCE.toNanos() - 1;
        assertThat(share("other").has(45)).isFalse();
        assertThat(gone).isEmpty();
        now++;
        assertThat(share("other").has(45)).as("it takes nothing any more").isTrue();
        assertThat(gone).containsExactly("fast");
    }

    /** Measures from the answer on; what it had before says nothing. */
    @Test
    void anAnswerThatHasJustBeenGivenHasItsTime() {
        UnsentRoom.Share share = share("one");
        share.set(5);
        now += 10 * PATIENCE.toNanos();
        share.set(60);
        assertThat(share("other").has(45)).isFalse();
        assertThat(gone).isEmpty();
    }

    @Test
    void withoutALimitNobodyEnds() {
        UnsentRoom.Share free = room(Long.MAX_VALUE).share(() -> gone.add("free"));
        free.client("one");
        free.set(Long.MAX_VALUE / 4);
        assertThat(free.has(Long.MAX_VALUE / 4)).isTrue();
        assertThat(gone).isEmpty();
    }
}
