package io.github.flinkps.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.training.TrainingProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTrackerTest {
    private static final long MILLI = 1_000_000;
    private static final long WALL = 1_700_000_000_000L;

    private long nowMillis;

    /** Keeps what it is told. */
    private static final class Points implements ProgressObserver {
        private final List<ProgressPoint> all = new ArrayList<>();
        private final long intervalMillis;

        Points(long intervalMillis) {
            this.intervalMillis = intervalMillis;
        }

        @Override
        public long intervalMillis() {
            return intervalMillis;
        }

        @Override
        public void point(ProgressPoint point) {
            all.add(point);
        }

        ProgressPoint last() {
            return all.get(all.size() - 1);
        }
    }

    private ProgressTracker tracker(int workers, int epochs) {
        return new ProgressTracker(workers, epochs, () -> nowMillis * MILLI, 0);
    }

    /** A worker's record; one whose bytes are ten times its rows. */
    private final class Told {
        private final int worker;
        private int epoch;
        private boolean end;
        private double loss;
        private double weight = 10;
        private long rows;
        private long lead;
        private double auc = Double.NaN;
        private double pairs;
        private double validationLoss = Double.NaN;
        private int bestEpoch = -1;

        Told(int worker) {
            this.worker = worker;
        }

        TrainingProgress get() {
            return new TrainingProgress(
                    worker,
                    epoch,
                    end,
                    1,
                    loss,
                    weight,
                    WALL + nowMillis,
                    rows,
                    100 + lead,
                    lead,
                    6 * rows,
                    4 * rows,
                    auc,
                    pairs,
                    5,
                    validationLoss,
                    bestEpoch);
        }
    }

    private TrainingProgress rows(int worker, int epoch, long rows, boolean end) {
        Told record = new Told(worker);
        record.epoch = epoch;
        record.rows = rows;
        record.end = end;
        record.loss = rows;
        record.weight = rows;
        return record.get();
    }

    @Test
    void addsUpTheNewestOfEachWorker() {
        Points points = new Points(0);
        ProgressTracker tracker = tracker(2, 3).tell(points);
        Told one = new Told(0);
        Told two = new Told(1);
        one.rows = 100;
        one.loss = 5;
        one.lead = 3;
        one.auc = 0.8;
        one.pairs = 30;
        two.rows = 60;
        two.loss = 15;
        two.auc = 0.6;
        two.pairs = 10;
        tracker.accept(new Told(0).get());
        nowMillis = 2000;
        tracker.accept(one.get());
        tracker.accept(two.get());
        ProgressPoint point = points.last();
        assertThat(point.seconds()).isEqualTo(2);
        assertThat(point.epoch()).isEqualTo(1);
        assertThat(point.epochs()).isEqualTo(3);
        assertThat(point.endOfEpoch()).isFalse();
        assertThat(point.rows()).isEqualTo(160);
        assertThat(point.passRows()).isEqualTo(160);
        assertThat(point.share()).isNaN();
        assertThat(point.loss()).isEqualTo(1);
        assertThat(point.recentLoss()).as("of the second's rows").isEqualTo(1.5);
        assertThat(point.auc()).isCloseTo(0.75, within(1e-12));
        assertThat(point.aucRows()).isEqualTo(10);
        assertThat(point.validationLoss()).isNaN();
        assertThat(point.clock()).isEqualTo(103);
        assertThat(point.clockLag()).isEqualTo(3);
        assertThat(point.bytesSent()).isEqualTo(960);
        assertThat(point.bytesReceived()).isEqualTo(640);
        assertThat(point.rowsPerSecond()).as("of the first").isEqualTo(50);
        assertThat(point.bytesPerSecond()).isEqualTo(500);
    }

    @Test
    void tellsTheAreaOfThePassItNamesOnly() {
        Points points = new Points(1_000_000);
        ProgressTracker tracker = tracker(2, 2).tell(points);
        Told fast = new Told(0);
        fast.rows = 10;
        fast.end = true;
        fast.auc = 0.8;
        fast.pairs = 30;
        tracker.accept(fast.get());
        fast.epoch = 1;
        fast.end = false;
        fast.auc = 0.1;
        fast.pairs = 1000;
        tracker.accept(fast.get());
        Told slow = new Told(1);
        slow.rows = 10;
        slow.end = true;
        slow.auc = 0.6;
        slow.pairs = 10;
        tracker.accept(slow.get());
        assertThat(points.last().epoch()).isEqualTo(1);
        assertThat(points.last().auc()).isCloseTo(0.75, within(1e-12));
        assertThat(points.last().aucRows()).isEqualTo(10);
        Told end = new Told(0);
        end.epoch = 1;
        end.rows = 20;
        end.end = true;
        tracker.accept(end.get());
        slow.epoch = 1;
        slow.rows = 20;
        slow.auc = Double.NaN;
        slow.pairs = 0;
        tracker.accept(slow.get());
        assertThat(points.last().epoch()).isEqualTo(2);
        assertThat(points.last().auc()).as("that of the pass before is none of this").isNaN();
        assertThat(points.last().aucRows()).isZero();
        assertThat(tracker.last().auc()).isNaN();
    }

    @Test
    void tellsSpeedsOfTheLastSecondsByTheWorkersOwnClocks() {
        Points points = new Points(0);
        ProgressTracker tracker = tracker(1, 1).tell(points);
        for (int i = 0; i <= 100; i++) {
            nowMillis = i * 100L;
            tracker.accept(rows(0, 0, i < 50 ? i : 50 + (i - 50) * 10, false));
        }
        assertThat(points.all.get(0).rowsPerSecond()).isNaN();
        assertThat(points.all.get(40).rowsPerSecond()).isCloseTo(10, within(1e-9));
        assertThat(points.last().rowsPerSecond()).isCloseTo(100, within(1e-9));
        assertThat(points.last().bytesPerSecond()).isCloseTo(1000, within(1e-9));
    }

    @Test
    void endsAPassWithItsLastWorkerThoughOthersAreFurther() {
        Points points = new Points(1_000_000);
        ProgressTracker tracker = tracker(2, 3).tell(points);
        nowMillis = 1000;
        tracker.accept(rows(0, 0, 0, false));
        nowMillis = 2000;
        tracker.accept(rows(0, 0, 50, true));
        nowMillis = 2500;
        tracker.accept(rows(0, 1, 100, true));
        tracker.accept(rows(0, 2, 120, false));
        assertThat(points.all).isEmpty();
        nowMillis = 3000;
        tracker.accept(rows(1, 0, 40, true));
        assertThat(points.all).hasSize(1);
        ProgressPoint first = points.last();
        assertThat(first.endOfEpoch()).isTrue();
        assertThat(first.epoch()).isEqualTo(1);
        assertThat(first.passRows()).isEqualTo(90);
        assertThat(first.rowsPerSecond()).as("of the pass").isEqualTo(45);
        assertThat(first.loss()).isEqualTo(1);
        assertThat(tracker.last()).isEqualTo(withoutRecent(first));
        nowMillis = 4000;
        tracker.accept(rows(1, 1, 80, true));
        assertThat(points.last().epoch()).isEqualTo(2);
        assertThat(points.last().passRows()).isEqualTo(90);
        assertThat(points.last().rowsPerSecond()).isEqualTo(90);
        tracker.accept(rows(1, 2, 120, true));
        tracker.accept(rows(0, 2, 150, true));
        assertThat(points.all).extracting(ProgressPoint::epoch).containsExactly(1, 2, 3);
        tracker.accept(rows(0, 2, 150, true));
        assertThat(points.all).hasSize(3);
    }

    private static ProgressPoint withoutRecent(ProgressPoint point) {
        return new ProgressPoint(
                point.seconds(),
                point.epoch(),
                point.epochs(),
                point.endOfEpoch(),
                point.passRows(),
                point.share(),
                point.rows(),
                point.rowsPerSecond(),
                point.loss(),
                Double.NaN,
                point.auc(),
                point.aucRows(),
                point.validationLoss(),
                point.bestEpoch(),
                point.clock(),
                point.clockLag(),
                point.bytesSent(),
                point.bytesReceived(),
                point.bytesPerSecond());
    }

    @Test
    void knowsTheShareOfAPassFromTheFirst() {
        Points points = new Points(0);
        ProgressTracker tracker = tracker(2, 2).tell(points);
        tracker.accept(rows(0, 0, 60, true));
        tracker.accept(rows(1, 0, 40, true));
        tracker.accept(rows(0, 1, 85, false));
        assertThat(points.last().share()).isEqualTo(0.25);
        assertThat(points.last().epoch()).isEqualTo(2);
    }

    @Test
    void aFinishedWorkerHasLeftTheClocks() {
        Points points = new Points(0);
        ProgressTracker tracker = tracker(2, 1).tell(points);
        Told fast = new Told(0);
        fast.rows = 10;
        fast.lead = 500;
        fast.end = true;
        tracker.accept(fast.get());
        tracker.accept(rows(1, 0, 5, false));
        assertThat(points.last().clockLag()).isZero();
        assertThat(points.last().clock()).isEqualTo(600);
    }

    @Test
    void tellsWhatTheRowsThatValidateSayAndNothingOfPassesThatWereNone() {
        Points points = new Points(1_000_000);
        ProgressTracker tracker = tracker(1, 4).tell(points);
        for (int pass = 0; pass < 2; pass++) {
            Told end = new Told(0);
            end.epoch = pass;
            end.end = true;
            end.rows = 10L * (pass + 1);
            end.validationLoss = pass == 0 ? 0.25 : 0.5;
            end.bestEpoch = 0;
            tracker.accept(end.get());
        }
        assertThat(points.all)
                .extracting(
                        ProgressPoint::epoch,
                        ProgressPoint::validationLoss,
                        ProgressPoint::bestEpoch)
                .containsExactly(tuple(1, 0.25, 1), tuple(2, 0.5, 1));
        tracker.accept(rows(0, 2, 20, true));
        assertThat(points.all).hasSize(2);
        assertThat(tracker.last().epoch()).isEqualTo(2);
        assertThat(tracker.best().epoch()).isEqualTo(1);
    }

    @Test
    void asksWorkersAsOftenAsTheObserversNeed() {
        assertThat(tracker(1, 1).interval()).isEqualTo(Duration.ZERO);
        assertThat(tracker(1, 1).tell(new Points(5000)).interval())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(tracker(1, 1).tell(new Points(1000)).tell(new Points(200)).interval())
                .isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void tellsEachObserverInItsOwnTime() {
        Points often = new Points(200);
        Points seldom = new Points(5000);
        ProgressTracker tracker = tracker(1, 1).tell(often).tell(seldom);
        for (int i = 0; i <= 100; i++) {
            nowMillis = i * 100L;
            tracker.accept(rows(0, 0, i, false));
        }
        assertThat(often.all).hasSize(50);
        assertThat(seldom.all).hasSize(2);
        assertThat(seldom.last().recentLoss()).isEqualTo(1);
    }
}
