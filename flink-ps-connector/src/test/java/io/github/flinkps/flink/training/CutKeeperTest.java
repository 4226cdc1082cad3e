package io.github.flinkps.flink.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.model.CutId;
import io.github.flinkps.model.CutProgress;
import io.github.flinkps.model.ManifestRef;
import io.github.flinkps.testing.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CutKeeperTest {
    private final Publisher publisher = new Publisher();

    /** Cuts that were noted to be complete; all may be removed. */
    private static final class Publisher implements CutPublisher {
        private static final long serialVersionUID = 1L;

        private final List<CutId> complete = new ArrayList<>();
        private final List<CutId> removed = new ArrayList<>();
        private final List<String> rowsRemoved = new ArrayList<>();

        @Override
        public String directory() {
            return "m";
        }

        @Override
        public ManifestRef publish(Parts parts, boolean write) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void noteProgress(CutId cut, CutProgress progress) {}

        @Override
        public synchronized void removeRows(String run) {
            rowsRemoved.add(run + " after " + complete);
        }

        @Override
        public synchronized void complete(CutId cut) {
            complete.add(cut);
        }

        @Override
        public synchronized List<CutId> completed(String run) {
            return List.copyOf(complete);
        }

        @Override
        public synchronized List<CutId> remove(String run, List<CutId> removable) {
            removed.addAll(removable);
            complete.removeAll(removable);
            return removable;
        }

        @Override
        public void sweep(String run, long fence) {}

        synchronized int events() {
            return complete.size() + 2 * removed.size();
        }

        synchronized List<CutId> removed() {
            return List.copyOf(removed);
        }
    }

    private static CutId cut(long fence, long number) {
        return new CutId("run", fence, number);
    }

    private CutKeeper keeper(int retained) {
        return new CutKeeper(
                new CutSettings(true, publisher, Duration.ofSeconds(10), retained, false),
                "run",
                new ConcurrentHashMap<>());
    }

    private void complete(CutKeeper keeper, long fence, long from, long to) throws Exception {
        for (long number = from; number <= to; number++) {
            int before = publisher.events();
            keeper.completed(cut(fence, number));
            Polling.await("cut not noted", () -> publisher.events() > before);
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

    @Test
    void removesRowsWhenTheLastCutIsNotedAndBeforeItIsClosed() {
        try (CutKeeper keeper = keeper(3)) {
            keeper.completed(cut(1, 1));
            keeper.over();
            keeper.completed(cut(1, 2));
            keeper.over();
        }
        assertThat(publisher.rowsRemoved).containsExactly("run after " + List.of(cut(1, 1)));
    }
}
