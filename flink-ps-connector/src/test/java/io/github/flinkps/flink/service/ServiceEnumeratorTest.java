package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceEnumeratorTest {
    @TempDir Path root;
    private final Context context = new Context();
    private CutCatalog cuts;
    private ServiceRegistry registry;
    private ServiceEnumerator enumerator;
    private long nanos;

    @BeforeEach
    void start() {
        registry = new ServiceRegistry(root.toUri().toString(), "run");
        cuts = new CutCatalog(new LocalModelStorage(), root.resolve("model").toString());
        enumerator = enumerator(0);
        enumerator.start();
    }

    private ServiceEnumerator enumerator(long restored) {
        return enumerator(restored, List.of());
    }

    private ServiceEnumerator enumerator(long restored, List<String> remote) {
        ServiceSpec spec =
                new ServiceSpec(
                        "m",
                        new ServiceSpec.Servers(
                                root.toUri().toString(), remote.isEmpty() ? 2 : 0, remote),
                        3,
                        ConsistencySpec.bsp(),
                        List.of(),
                        ServiceSpec.Start.NEW,
                        ServiceSpec.Saving.NONE,
                        null,
                        ServiceSpec.Lifetime.ATTEMPT,
                        Duration.ofSeconds(1));
        OptionalLong fence = restored == 0 ? OptionalLong.empty() : OptionalLong.of(restored);
        return new ServiceEnumerator(context, spec, "run", registry, cuts, fence, () -> nanos);
    }

    private long fence() throws Exception {
        return enumerator.snapshotState(1);
    }

    private void attemptUntilPrepared() throws Exception {
        enumerator.addReader(0);
        enumerator.addReader(1);
        enumerator.handleSourceEvent(1, new ServiceEvent.Started(fence(), "b:2"));
        enumerator.handleSourceEvent(0, new ServiceEvent.Started(fence(), "a:1"));
    }

    private void assertThatTheEntryNamesNoServers() throws Exception {
        assertThat(registry.read(0))
                .hasValueSatisfying(
                        entry -> {
                            assertThat(entry.hasServers()).isFalse();
                            assertThat(entry.hasEnded()).isFalse();
                        });
    }

    @Test
    void leadsServersThroughAnAttempt() throws Exception {
        attemptUntilPrepared();
        long fence = fence();
        assertThat(context.sent)
                .containsExactly(
                        "0 " + new ServiceEvent.Start(fence),
                        "1 " + new ServiceEvent.Start(fence),
                        "0 " + new ServiceEvent.Prepare(fence, List.of("a:1", "b:2"), false));
        assertThatTheEntryNamesNoServers();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence, 7));
        ServiceAddress entry = registry.read(System.currentTimeMillis()).orElseThrow();
        assertThat(entry.fence()).as("what the servers granted").isEqualTo(7);
        assertThat(entry.addresses()).containsExactly("a:1", "b:2");
        context.sent.clear();
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(fence));
        assertThat(context.sent)
                .containsExactly(
                        "0 " + new ServiceEvent.End(fence), "1 " + new ServiceEvent.End(fence));
        assertThatTheEntryNamesNoServers();
    }

    @Test
    void aResetBeginsANewAttemptUnderAHigherFence() throws Exception {
        attemptUntilPrepared();
        long old = fence();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(old, old));
        enumerator.addSplitsBack(List.of(), 0);
        enumerator.addSplitsBack(List.of(), 1);
        assertThat(fence()).isEqualTo(old + 1);
        assertThatTheEntryNamesNoServers();
        context.sent.clear();
        // What the old attempt still says changes nothing.
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(old, old));
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(old));
        assertThatTheEntryNamesNoServers();
        assertThat(context.sent).isEmpty();
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        assertThat(registry.read(0).orElseThrow().fence()).isEqualTo(old + 1);
    }

    @Test
    void fencesGrowOverRestores() throws Exception {
        long future = System.currentTimeMillis() + 1_000_000;
        enumerator = enumerator(future);
        assertThat(fence()).isEqualTo(future + 1);
        FenceSerializer serializer = new FenceSerializer();
        assertThat(serializer.deserialize(1, serializer.serialize(future))).isEqualTo(future);
    }

    /**
     * The machine that led the job before has a clock that is ahead, and there is no checkpoint.
     */
    @Test
    void fencesGrowWhereClocksDisagree() throws Exception {
        long ahead = System.currentTimeMillis() + 1_000_000;
        registry.publish(new ServiceAddress("run", ahead, List.of("a:1"), ahead));
        enumerator = enumerator(0);
        enumerator.addReader(0);
        assertThat(context.sent).as("the last attempt is not known").isEmpty();
        enumerator.start();
        assertThat(context.sent).containsExactly("0 " + new ServiceEvent.Start(ahead + 1));
        assertThat(fence()).isEqualTo(ahead + 1);
        enumerator.close();
        assertThat(registry.read(0)).isEmpty();
    }

    /** Cut 7 is put there by a task that is about to go. */
    @Test
    void notesOnStorageWhichCheckpointsWereGivenUp() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        manifest(5);
        manifest(6);
        enumerator.notifyCheckpointAborted(6);
        enumerator.notifyCheckpointAborted(7);
        assertThat(marked()).containsExactly(6L);
        manifest(7);
        enumerator.addSplitsBack(List.of(), 0);
        assertThat(marked()).containsExactly(6L);
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        assertThat(marked()).containsExactly(6L, 7L);
    }

    /** Cut 6 is put there late, and given up; 7 lacks its manifest; 8 is of a later attempt. */
    @Test
    void closingCleansUpAfterTheLastTask() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 1));
        manifest(4);
        manifest(5);
        enumerator.notifyCheckpointComplete(5);
        enumerator.notifyCheckpointAborted(6);
        manifest(6);
        Files.createDirectories(cut(7, 1).resolve("data"));
        Files.createDirectories(cut(8, 2).resolve("data"));
        enumerator.close();
        assertThat(cut(4, 1).resolve("complete")).doesNotExist();
        assertThat(cut(5, 1).resolve("complete")).exists();
        assertThat(marked()).containsExactly(6L);
        assertThat(cut(7, 1)).doesNotExist();
        assertThat(cut(8, 2)).exists();
    }

    /** A job that a lost JobManager had led, and that is over before the next one leads it. */
    @Test
    void closingCleansUpAfterAJobManagerBefore() throws Exception {
        registry.publish(new ServiceAddress("run", 1, List.of("a:1"), Long.MAX_VALUE));
        Files.createDirectories(cut(7, 1).resolve("data"));
        Files.createDirectories(cut(8, 2).resolve("data"));
        enumerator = enumerator(1);
        enumerator.close();
        assertThat(registry.read(0)).as("another may lead it").isPresent();
        assertThat(cut(7, 1)).doesNotExist();
        assertThat(cut(8, 2)).exists();
    }

    /** The other JobManager leads a later attempt, while this one is slow to end. */
    @Test
    void closingLeavesTheEntryOfAJobManagerAfter() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        ServiceAddress next =
                new ServiceAddress("run", fence() + 1, List.of("a:1"), Long.MAX_VALUE);
        registry.publish(next);
        context.periodic.forEach(Runnable::run);
        enumerator.close();
        assertThat(registry.read(0)).contains(next);
    }

    /** The storage refuses the note for cut 6. */
    @Test
    void closingCleansUpAsFarAsTheStorageLets() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 1));
        manifest(5);
        manifest(6);
        Files.createDirectories(cut(6, 1).resolve("aborted"));
        enumerator.notifyCheckpointComplete(5);
        enumerator.notifyCheckpointAborted(6);
        Files.createDirectories(cut(7, 1).resolve("data"));
        enumerator.close();
        assertThat(cut(5, 1).resolve("complete")).exists();
        assertThat(cut(7, 1)).doesNotExist();
        assertThat(registry.read(System.currentTimeMillis())).isEmpty();
    }

    /** What the JobManager is told when the job goes on under another one. */
    @Test
    void closingKeepsFromOthersWhatTheJobMayGoOnFrom() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        manifest(5);
        long before = System.currentTimeMillis();
        enumerator.close();
        assertThat(registry.read(0)).get().matches(ServiceAddress::hasEnded);
        assertThat(registry.read(before)).isEmpty();
        assertThat(registry.read(before - ServiceEnumerator.EXPIRY.toMillis())).isPresent();
    }

    /** The model is saved, and so is a checkpoint behind it: no other is gone back to. */
    @Test
    void closingBehindTheLastCheckpointLeavesNoEntryWhateverTheStorageRefuses() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 1));
        manifest(5);
        manifest(6);
        Files.createDirectories(cut(6, 1).resolve("aborted"));
        enumerator.notifyCheckpointAborted(6);
        save(7);
        enumerator.close();
        assertThat(registry.read(0)).isEmpty();
    }

    private void save(long checkpoint) throws Exception {
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(fence()));
        enumerator.snapshotState(checkpoint);
        enumerator.notifyCheckpointComplete(checkpoint);
    }

    /** The last checkpoint may fail, and the job goes on from the one before. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closingBeforeTheLastCheckpointIsCompleteKeepsTheCuts(boolean begun) throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 1));
        manifest(5);
        enumerator.snapshotState(5);
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(fence()));
        enumerator.notifyCheckpointComplete(5);
        if (begun) {
            enumerator.snapshotState(6);
        }
        enumerator.close();
        assertThat(registry.read(0)).get().matches(ServiceAddress::hasEnded);
    }

    /** Storage that cannot replace a file removes it first, and this JobManager may go then. */
    @Test
    void closingWritesTheLastWordWhereTheEntryIsAway() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 1));
        manifest(5);
        registry.remove();
        enumerator.close();
        assertThat(registry.read(0)).get().matches(ServiceAddress::hasEnded);
    }

    @Test
    void closingNotesWhatItCanWhereTheEntryCannotBeWritten() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 1));
        manifest(5);
        enumerator.notifyCheckpointComplete(5);
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(fence()));
        Path file = root.resolve("registry/run.json");
        Files.writeString(file, "{");
        enumerator.close();
        assertThat(cut(5, 1).resolve("complete")).exists();
        assertThat(file).exists();
    }

    /** Flink may not have been able to tell whether it had noted checkpoint 6. */
    @Test
    void theNextAttemptGoesOnFromTheLastWord() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 1));
        manifest(6);
        enumerator.notifyCheckpointAborted(6);
        enumerator.close();
        assertThat(registry.read(0)).get().matches(ServiceAddress::hasEnded);
        enumerator = enumerator(fence());
        enumerator.start();
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(fence()));
        enumerator.addSplitsBack(List.of(), 0); // a task has failed behind
        enumerator.close();
        assertThat(registry.read(0)).get().matches(ServiceAddress::hasEnded);
        enumerator = enumerator(fence());
        enumerator.start();
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        save(7);
        enumerator.close();
        assertThat(registry.read(0)).isEmpty();
    }

    private Path cut(long checkpoint, long fence) {
        return root.resolve("model/runs/run/cuts/" + checkpoint + "-" + fence);
    }

    private void manifest(long checkpoint) throws Exception {
        Path directory = cut(checkpoint, 1);
        Files.createDirectories(directory);
        Files.createFile(directory.resolve("manifest.json"));
    }

    private List<Long> marked() {
        return cuts.marked("run", CutSummary.Status.ABORTED).stream().map(CutId::number).toList();
    }

    @Test
    void closingRemovesTheEntry() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        assertThat(registry.read(0)).isPresent();
        enumerator.close();
        enumerator.close();
        assertThat(registry.read(0)).isEmpty();
    }

    /** It waits for slots, say; its cuts would go with the model beneath it. */
    @Test
    void aJobIsFoundToRunBeforeAndBetweenItsAttempts() throws Exception {
        List<ServiceAddress> found = new ArrayList<>(running());
        context.periodic.forEach(Runnable::run);
        found.addAll(running());
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        found.addAll(running());
        enumerator.addSplitsBack(List.of(), 0);
        found.addAll(running());
        Thread.sleep(2); // so that the time moves on
        context.periodic.forEach(Runnable::run);
        found.addAll(running());
        assertThat(found)
                .extracting(ServiceAddress::hasServers)
                .containsExactly(false, false, true, false, false);
        assertThat(found.get(4).expiryMillis()).isGreaterThan(found.get(3).expiryMillis());
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(fence()));
        context.periodic.forEach(Runnable::run);
        assertThat(running()).as("until its last checkpoint").hasSize(1);
        enumerator.close();
        assertThat(running()).isEmpty();
    }

    /** It fails thrice in a minute before anybody takes the job for lost. */
    @Test
    void aRenewalThatFailsFailsNoJob() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        Path file = root.resolve("registry/run.json");
        Path away = Files.move(file, root.resolve("away"));
        Files.createDirectory(file);
        Files.createFile(file.resolve("in the way"));
        context.periodic.forEach(Runnable::run);
        context.periodic.forEach(Runnable::run);
        Files.delete(file.resolve("in the way"));
        Files.delete(file);
        Files.move(away, file);
        enumerator.close();
        assertThat(registry.read(0)).as("the entry before those that failed").isEmpty();
    }

    @Test
    void nothingIsRenewedBehindTheEnd() throws Exception {
        attemptUntilPrepared();
        context.late = new ArrayList<>();
        context.periodic.forEach(Runnable::run);
        enumerator.close();
        List<Runnable> late = context.late;
        context.late = null;
        late.forEach(Runnable::run);
        assertThat(late).isNotEmpty();
        assertThat(registry.read(0)).isEmpty();
    }

    private List<ServiceAddress> running() throws Exception {
        return new RunningJobs(root.toUri().toString()).find();
    }

    /** This JobManager was stopped for a while, and does not know yet that another leads. */
    @Test
    void leavesTheEntryOfALaterAttempt() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        ServiceAddress next = new ServiceAddress("run", fence() + 1, List.of("c:3"), 1);
        registry.publish(next);
        context.periodic.forEach(Runnable::run);
        assertThat(registry.read(0)).contains(next);
        enumerator.handleSourceEvent(0, new ServiceEvent.Saved(fence()));
        enumerator.close();
        assertThat(registry.read(0)).contains(next);
    }

    /** Who led before has written it late, and its number may be of another kind. */
    @Test
    void writesOverTheLastWordOfAnother() throws Exception {
        attemptUntilPrepared();
        registry.publish(ServiceAddress.ended("run", fence() + 100, 0));
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 7));
        assertThat(registry.read(0)).get().matches(ServiceAddress::hasServers);
    }

    /** The other JobManager leads, but no attempt yet, so that it has no fence of its own. */
    @Test
    void closingLeavesTheEntryThatAnotherHasWrittenWithTheSameFence() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), 7));
        ServiceAddress next = new ServiceAddress("run", 7, List.of(), 1);
        registry.publish(next);
        enumerator.close();
        assertThat(registry.read(0)).contains(next);
    }

    /** Begins an attempt of a job with servers of its own, which grant a fence. */
    private ServiceEnumerator remote(long granted) throws Exception {
        ServiceEnumerator made = enumerator(System.currentTimeMillis(), List.of("a:1"));
        made.start();
        made.addReader(0);
        made.handleSourceEvent(0, new ServiceEvent.Prepared(made.snapshotState(1), granted));
        return made;
    }

    /** It may have been in a pause, and closes when another JobManager's servers take a cut. */
    @Test
    void sweepsNoCutOfALaterAttemptOfRemoteServers() throws Exception {
        enumerator = remote(8);
        Files.createDirectories(cut(7, 8).resolve("data"));
        Files.createDirectories(cut(8, 9).resolve("data"));
        enumerator.close();
        assertThat(cut(7, 8)).doesNotExist();
        assertThat(cut(8, 9)).exists();
        assertThat(registry.read(0)).get().extracting(ServiceAddress::fence).isEqualTo(8L);
    }

    /** Remote servers have granted no fence to either since. */
    @Test
    void whoCameLastLeadsOfTwoWithTheSameFence() throws Exception {
        ServiceEnumerator first = remote(8);
        ServiceEnumerator second = enumerator(System.currentTimeMillis(), List.of("a:1"));
        second.start();
        ServiceAddress ofSecond = registry.read(0).orElseThrow();
        assertThat(ofSecond.fence()).isEqualTo(8);
        assertThat(ofSecond.hasServers()).isFalse();
        context.periodic.get(1).run(); // of the first
        assertThat(registry.read(0)).contains(ofSecond);
        first.close();
        assertThat(registry.read(0)).contains(ofSecond);
    }

    /** An older JobManager has written it, with a number that this one does not reach. */
    @Test
    void replacesWhatNobodyRenews() throws Exception {
        attemptUntilPrepared();
        enumerator.handleSourceEvent(0, new ServiceEvent.Prepared(fence(), fence()));
        ServiceAddress left = new ServiceAddress("run", fence() + 100, List.of("c:3"), 1);
        registry.publish(left);
        context.periodic.forEach(Runnable::run);
        nanos += ServiceEnumerator.EXPIRY.toNanos() / 3;
        context.periodic.forEach(Runnable::run);
        assertThat(registry.read(0)).contains(left);
        ServiceAddress renewed = new ServiceAddress("run", fence() + 100, List.of("c:3"), 2);
        registry.publish(renewed);
        nanos += ServiceEnumerator.EXPIRY.toNanos() / 3;
        context.periodic.forEach(Runnable::run);
        nanos += ServiceEnumerator.EXPIRY.toNanos() / 3;
        context.periodic.forEach(Runnable::run);
        assertThat(registry.read(0)).as("renewed a moment ago").contains(renewed);
        nanos += ServiceEnumerator.EXPIRY.toNanos() / 3;
        context.periodic.forEach(Runnable::run);
        assertThat(registry.read(0).orElseThrow().addresses()).containsExactly("a:1", "b:2");
    }

    /** Runs asynchronous work at once; keeps what is sent, and what is to be done now and then. */
    private static final class Context implements SplitEnumeratorContext<ServiceSplit> {
        private final List<String> sent = new ArrayList<>();
        private final List<Runnable> periodic = new ArrayList<>();

        /** Work that waits for a thread; null: it is done at once. */
        private List<Runnable> late;

        @Override
        public void sendEventToSourceReader(int subtask, SourceEvent event) {
            sent.add(subtask + " " + event);
        }

        @Override
        public <T> void callAsync(Callable<T> work, BiConsumer<T, Throwable> handler) {
            if (late != null) {
                late.add(() -> callAsync(work, handler));
                return;
            }
            T result;
            try {
                result = work.call();
            } catch (Exception e) {
                handler.accept(null, e);
                return;
            }
            handler.accept(result, null);
        }

        @Override
        public <T> void callAsync(
                Callable<T> work, BiConsumer<T, Throwable> handler, long delay, long period) {
            periodic.add(() -> handler.accept(null, null));
        }

        @Override
        public SplitEnumeratorMetricGroup metricGroup() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int currentParallelism() {
            return 2;
        }

        @Override
        public Map<Integer, ReaderInfo> registeredReaders() {
            return Map.of();
        }

        @Override
        public void assignSplits(SplitsAssignment<ServiceSplit> assignment) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void signalNoMoreSplits(int subtask) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void runInCoordinatorThread(Runnable work) {
            work.run();
        }
    }
}
