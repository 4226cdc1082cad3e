package io.github.flinkps.flink.training.cut;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.testing.Polling;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CutKeeperTest {
    private static final CutId NONE = cut(1000, 1000);

    private final TestingPublisher publisher = new TestingPublisher();
    private final ManifestCache manifests = new ManifestCache();

    private static CutId cut(long fence, long number) {
        return new CutId("run", fence, number);
    }

    private CutKeeper keeper(int retained) {
        return new CutKeeper(
                new CutSettings(true, publisher, Duration.ofSeconds(10), retained, false),
                "run",
                manifests);
    }

    private void complete(CutKeeper keeper, long fence, long from, long to) throws Exception {
        complete(keeper, fence, from, to, NONE, 1);
    }

    private void complete(
            CutKeeper keeper, long fence, long from, long to, CutId needed, int atATime)
            throws Exception {
        for (long number = from; number <= to; number++) {
            manifests.put(number, new ManifestRef("m/" + number, 7));
            keeper.completed(cut(fence, number), needed, atATime, 0);
            String noted = "complete " + number;
            Polling.await("cut not noted", () -> publisher.events().contains(noted));
        }
    }

    @Test
    void removesTheOldestAlsoOfAttemptsBefore() throws Exception {
        try (CutKeeper first = keeper(3)) {
            first.begin(1, null);
            complete(first, 1, 1, 4);
        }
        assertThat(publisher.removed()).isEmpty();
        try (CutKeeper second = keeper(3)) {
            second.begin(2, cut(1, 4));
            complete(second, 2, 6, 7);
            Polling.await("none removed", () -> publisher.removed().size() == 2);
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 1), cut(1, 2));
    }

    /** The model of a savepoint after the end of the first attempt may be cut 4. */
    @Test
    void keepsWhatASavepointMayHaveInsteadOfItsOwn() throws Exception {
        try (CutKeeper first = keeper(1)) {
            first.begin(1, null);
            complete(first, 1, 3, 4);
        }
        publisher.standIns.add(cut(1, 4));
        try (CutKeeper second = keeper(1)) {
            second.begin(2, cut(1, 4));
            complete(second, 2, 6, 9);
            second.over(1); // after all else
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 3), cut(2, 6), cut(2, 7));
    }

    /** Keeps all of it where the storage cannot say what a savepoint may have. */
    @Test
    void keepsWhatAttemptsBeforeHaveLeftWhereTheStorageFails() throws Exception {
        try (CutKeeper first = keeper(1)) {
            first.begin(1, null);
            complete(first, 1, 3, 4);
        }
        publisher.broken = true;
        try (CutKeeper second = keeper(1)) {
            second.begin(2, cut(1, 4));
            complete(second, 2, 6, 9);
            second.over(1); // after all else
        }
        assertThat(publisher.removed()).containsExactly(cut(2, 6), cut(2, 7));
    }

    /** Cut 7 is under way, and another worker may have named one before. */
    @Test
    void keepsWhatCutsUnderWayMayAddTo() throws Exception {
        try (CutKeeper keeper = keeper(1)) {
            keeper.begin(1, null);
            complete(keeper, 1, 1, 6, cut(1, 5), 3);
            complete(keeper, 1, 8, 12, cut(1, 5), 3);
            keeper.over(1); // after all else
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 1));
        assertThat(manifests.numbers()).containsOnly(2L, 3L, 4L, 5L, 6L, 8L, 9L, 10L, 11L, 12L);
    }

    @Test
    void keepsAsManyMoreAsWereUnderWayTogether() throws Exception {
        try (CutKeeper keeper = keeper(1)) {
            keeper.begin(1, null);
            complete(keeper, 1, 1, 6, NONE, 3);
            keeper.over(1);
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 1), cut(1, 2));
        assertThat(manifests.numbers()).containsOnly(3L, 4L, 5L, 6L);
    }

    @Test
    void remembersTheManifestOfWhatIsStillNeeded() throws Exception {
        publisher.bases.add(cut(1, 1));
        try (CutKeeper keeper = keeper(1)) {
            keeper.begin(1, null);
            complete(keeper, 1, 1, 4);
            keeper.over(1);
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 2));
        assertThat(manifests.numbers()).containsOnly(1L, 3L, 4L);
    }

    /** Flink may go back to it until then; 3 is one that others need. */
    @Test
    void removesWhatWasAbortedWhenALaterOneIsComplete() throws Exception {
        publisher.bases.add(cut(1, 3));
        try (CutKeeper keeper = keeper(10)) {
            keeper.begin(1, null);
            complete(keeper, 1, 1, 1);
            manifests.put(2L, new ManifestRef("m/2", 7));
            manifests.put(3L, new ManifestRef("m/3", 7));
            manifests.put(5L, new ManifestRef("m/5", 7));
            keeper.aborted(cut(1, 2));
            keeper.aborted(cut(1, 3));
            keeper.aborted(cut(1, 5));
            assertThat(publisher.removed()).isEmpty();
            complete(keeper, 1, 4, 4);
            Polling.await("not removed", () -> !publisher.removed().isEmpty());
            assertThat(publisher.removed()).containsExactly(cut(1, 2));
            publisher.bases.clear();
            complete(keeper, 1, 6, 6);
            keeper.over(1);
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 2), cut(1, 3), cut(1, 5));
        assertThat(manifests.numbers()).containsOnly(1L, 4L, 6L);
    }

    /** Cut 2 is that which the attempt goes on from: it was complete after all. */
    @Test
    void removesWhatWasAbortedInAttemptsBefore() throws Exception {
        publisher.aborted.addAll(List.of(cut(1, 1), cut(1, 2), cut(1, 3)));
        try (CutKeeper keeper = keeper(10)) {
            keeper.begin(2, cut(1, 2));
            Polling.await("cut 2 not noted", () -> publisher.events().contains("complete 2"));
            assertThat(publisher.removed()).isEmpty();
            complete(keeper, 2, 4, 4);
            Polling.await("not removed", () -> !publisher.removed().isEmpty());
        }
        assertThat(publisher.removed()).containsExactlyInAnyOrder(cut(1, 1), cut(1, 3));
    }

    /** The attempt goes on from cut 2; nobody was told of cuts 1 and 3. */
    @Test
    void removesWhatAnAttemptShowsWasGivenUp() throws Exception {
        publisher.untold.addAll(List.of(cut(1, 1), cut(1, 3), cut(2, 5)));
        try (CutKeeper keeper = keeper(10)) {
            keeper.begin(2, cut(1, 2));
            complete(keeper, 2, 4, 4);
            Polling.await("not removed", () -> !publisher.removed().isEmpty());
            complete(keeper, 2, 6, 6);
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 3));
        CutId other = new CutId("other", 1, 4);
        try (CutKeeper keeper = keeper(10)) {
            keeper.begin(3, other);
            complete(keeper, 3, 7, 7);
            Polling.await("not removed", () -> publisher.removed().size() == 3);
        }
        assertThat(publisher.removed()).contains(cut(1, 1), cut(2, 5)).doesNotContain(other);
    }

    /** Cuts 3 to 5 are what 2 is, at the end of an attempt that failed behind it. */
    @Test
    void keepsAsManyModelsAlsoOfAnAttemptThatFailedBehindItsEnd() throws Exception {
        try (CutKeeper first = keeper(3)) {
            first.begin(1, null);
            for (long number = 1; number <= 5; number++) {
                first.completed(cut(1, number), NONE, 1, (int) Math.max(0, number - 2));
            }
            Polling.await("not noted", () -> publisher.events().contains("complete 5"));
        }
        publisher.copies.addAll(List.of(cut(1, 3), cut(1, 4), cut(1, 5)));
        try (CutKeeper second = keeper(3)) {
            second.begin(2, cut(1, 5));
            complete(second, 2, 6, 7);
            assertThat(publisher.removed()).isEmpty();
            complete(second, 2, 8, 8);
            Polling.await("none removed", () -> !publisher.removed().isEmpty());
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 1));
    }

    /** The completion of cut 2 was not noted: Flink may retain it for a while. */
    @Test
    void removesInTimeWhatMayHaveBeenCompleteBefore() throws Exception {
        publisher.untold.addAll(List.of(cut(1, 1), cut(1, 2)));
        publisher.standIns.add(cut(1, 1));
        try (CutKeeper keeper = keeper(3)) {
            keeper.begin(2, cut(1, 3));
            complete(keeper, 2, 4, 5);
            assertThat(publisher.removed()).isEmpty();
            complete(keeper, 2, 6, 6);
            Polling.await("not removed", () -> !publisher.removed().isEmpty());
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 2));
    }

    /** The numbers told with a cut are of that moment, however late the removal comes. */
    @Test
    void removesNothingMoreForCutsThatBecomeCompleteMeanwhile() throws Exception {
        publisher.bases.add(cut(1, 9)); // so that the last is seen to be through
        try (CutKeeper keeper = keeper(5)) {
            keeper.begin(1, null);
            synchronized (publisher) { // holds the thread that removes
                for (long number = 1; number <= 5; number++) {
                    keeper.completed(cut(1, number), NONE, 1, 0);
                }
                for (long number = 6; number <= 9; number++) {
                    keeper.completed(cut(1, number), NONE, 1, (int) number - 5);
                }
            }
            Polling.await("not noted", () -> publisher.events().contains("complete 9"));
        }
        assertThat(publisher.removed()).isEmpty();
    }

    @Test
    void removesAtOnceWhatWasAbortedAfterALaterOneWasComplete() throws Exception {
        try (CutKeeper keeper = keeper(10)) {
            keeper.begin(1, null);
            complete(keeper, 1, 2, 2);
            keeper.aborted(cut(1, 1));
            Polling.await("not removed", () -> !publisher.removed().isEmpty());
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 1));
    }

    /**
     * Cuts of another run stay until then, as the job may go back to the one with which it began.
     */
    @Test
    void removesWhatOtherRunsHaveLeftOnceAnAttemptHasACheckpoint() throws Exception {
        for (long attempt = 1; attempt <= 2; attempt++) {
            try (CutKeeper keeper = keeper(3)) {
                keeper.begin(attempt, new CutId("other", 1, 4));
                complete(keeper, attempt, 2 * attempt, 2 * attempt + 1);
                long looks = 2 * attempt;
                Polling.await("not looked", () -> publisher.leftRemovedAfter().size() == looks);
            }
        }
        assertThat(publisher.leftRemovedAfter())
                .hasSize(4)
                .allSatisfy(event -> assertThat(event).startsWith("complete"));
    }

    @Test
    void waitsForNothingOfOtherRuns() throws Exception {
        publisher.othersReadable = new CountDownLatch(1);
        try (CutKeeper keeper = keeper(1)) {
            keeper.begin(1, null);
            complete(keeper, 1, 1, 3);
            keeper.over(4);
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 1));
        assertThat(publisher.events()).endsWith("rows before 4 removed");
        assertThat(publisher.leftRemovedAfter()).isEmpty();
    }

    /** Flink retains it, though it was said to be given up. */
    @Test
    void keepsTheCutItGoesOnFromWhereThatCannotBeNoted() throws Exception {
        publisher.aborted.addAll(List.of(cut(1, 1), cut(1, 2)));
        publisher.unwritable.add(2L);
        try (CutKeeper keeper = keeper(10)) {
            keeper.begin(2, cut(1, 2));
            complete(keeper, 2, 4, 5);
        }
        assertThat(publisher.removed()).containsExactly(cut(1, 1));
    }

    @Test
    void removesRowsWhenTheLastCutIsNotedAndBeforeItIsClosed() {
        try (CutKeeper keeper = keeper(3)) {
            keeper.completed(cut(1, 1), NONE, 1, 0);
            keeper.over(1);
            keeper.completed(cut(1, 2), NONE, 1, 0);
            keeper.over(1);
        }
        assertThat(publisher.events())
                .containsExactly("complete 1", "rows before 1 removed", "complete 2");
    }
}
