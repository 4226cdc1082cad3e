package io.github.flinkps.flink.training.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutClock;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPart;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedRunsTest {
    private static final String OWN = "own";
    private static final long GRACE = EndedRuns.GRACE.toNanos();

    /** Times that other machines may have, which say nothing. */
    private static final List<Instant> WRONG =
            List.of(
                    Instant.EPOCH,
                    Instant.ofEpochSecond(1_700_000_000),
                    Instant.ofEpochSecond(4_000_000_000L));

    /** A server has no tables of which it could have rows. */
    private static final CutPart PART =
            new CutPart(List.of(), List.of(), List.of(CutClock.active(1)));

    @TempDir Path model;

    private long nanos = Long.MAX_VALUE - GRACE;

    private CutCatalog catalog() {
        return new CutCatalog(new FlinkModelStorage(), model.toString());
    }

    private EndedRuns endedRuns(ModelStorage storage) {
        return new EndedRuns(storage, model.toString(), () -> nanos);
    }

    private interface Change {
        void make() throws IOException;
    }

    /** Looks at what is there, and again as soon as that counts, after a change. */
    private void removeLeft(Change between) throws IOException {
        removeLeft(endedRuns(new FlinkModelStorage()), between);
    }

    private void removeLeft(EndedRuns ended, Change between) throws IOException {
        ended.removeLeft(OWN);
        between.make();
        nanos += GRACE;
        ended.removeLeft(OWN);
    }

    private void removeLeft() throws IOException {
        removeLeft(() -> {});
    }

    /**
     * @param base the cut it adds to, null for none
     */
    private ManifestRef cut(String run, long number, ManifestRef base) throws IOException {
        Instant time = WRONG.get((int) (number % WRONG.size()));
        CutPublisher publisher =
                new ManifestPublisher(
                        model.toString(), "clicks", "", Map.of(), "", ConsistencySpec.asp());
        Files.createDirectories(directory(run, number));
        return publisher.publish(
                new CutPublisher.Parts(
                        new CutId(run, 1, number),
                        new Barrier(number, time.toEpochMilli(), false),
                        new CutReport(base == null ? 0 : number - 1, List.of(), List.of(PART), 0),
                        base,
                        1),
                true);
    }

    private Path directory(String run, long number) {
        return model.resolve("runs").resolve(run).resolve("cuts").resolve(number + "-1");
    }

    /** Cut 1 complete, 2 and 3 given up, and 4 of which nothing is known. */
    private void run(String run) throws IOException {
        for (long number = 1; number <= 4; number++) {
            cut(run, number, null);
        }
        catalog().markComplete(new CutId(run, 1, 1));
        catalog().markAborted(run, Set.of(2L, 3L));
    }

    /**
     * @param version moves on where the entry is renewed, by whatever time
     */
    private void entry(String run, long version) throws IOException {
        entry(new ServiceAddress(run, 1, List.of("host:1"), version));
    }

    /** A job that begins again, or waits for slots, say. */
    private void withoutServers(String run, long version) throws IOException {
        entry(new ServiceAddress(run, 1, List.of(), version));
    }

    private void ended(String run) throws IOException {
        entry(new ServiceAddress(run, 1, List.of(), 1, true));
    }

    private void entry(ServiceAddress entry) throws IOException {
        new ServiceRegistry(model.toString(), entry.run()).publish(entry);
    }

    private List<Long> left(String run) {
        return catalog().list(run).cuts().stream().map(cut -> cut.id().number()).toList();
    }

    @Test
    void removesWhatWasGivenUp() throws IOException {
        for (String run : List.of(OWN, "ended", "lost")) {
            run(run);
        }
        entry(OWN, 1);
        entry("lost", WRONG.get(2).toEpochMilli());
        removeLeft(); // nobody has renewed it, and no job has taken it over
        assertThat(left("ended")).containsExactly(1L, 4L);
        assertThat(left("lost")).containsExactly(1L, 4L);
        assertThat(left(OWN)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(directory("ended", 2)).doesNotExist();
        assertThat(ServiceRegistry.runs(model.toString())).containsExactly(OWN);
    }

    @Test
    void leavesWhatItHasNotSeenForLong() throws IOException {
        run("ended");
        entry("ended", 1);
        EndedRuns ended = endedRuns(new FlinkModelStorage());
        ended.removeLeft(OWN);
        nanos += GRACE - 1;
        ended.removeLeft(OWN);
        assertThat(left("ended")).containsExactly(1L, 2L, 3L, 4L);
        nanos++;
        catalog().markAborted("ended", Set.of(4L));
        ended.removeLeft(OWN);
        assertThat(left("ended")).containsExactly(1L, 4L);
        nanos += GRACE;
        ended.removeLeft(OWN);
        assertThat(left("ended")).containsExactly(1L);
    }

    /** It may go from one JobManager to another, however old its times are. */
    @Test
    void leavesWhatAJobMayGoOnFrom() throws IOException {
        List<String> runs = List.of("begins", "trains", "waits", "ends", "leaves", "ended");
        for (String run : runs) {
            run(run);
        }
        for (String run : List.of("trains", "ends", "leaves")) {
            entry(run, 1);
        }
        withoutServers("waits", 1);
        removeLeft(
                () -> {
                    entry("begins", 1);
                    entry("trains", 2);
                    withoutServers("waits", 2);
                    ended("ends");
                    new ServiceRegistry(model.toString(), "leaves").remove();
                });
        for (String run : List.of("begins", "trains", "waits", "ends", "leaves")) {
            assertThat(left(run)).as(run).containsExactly(1L, 2L, 3L, 4L);
        }
        assertThat(left("ended")).containsExactly(1L, 4L);
    }

    /** A job without a checkpoint may have begun as any cut. */
    @Test
    void leavesAllWhileAnotherJobHasNoCheckpointYet() throws IOException {
        run("ended");
        entry("begins", 1);
        removeLeft(() -> entry("begins", 2));
        assertThat(left("ended")).containsExactly(1L, 2L, 3L, 4L);
        removeLeft(() -> withoutServers("begins", 3));
        assertThat(left("ended")).containsExactly(1L, 2L, 3L, 4L);
        removeLeft(() -> run("begins"));
        assertThat(left("ended")).containsExactly(1L, 4L);
    }

    /** A job that has ended keeps its own cuts alone for a while. */
    @Test
    void anEndedJobThatHadNoCheckpointKeepsNothingOfOthers() throws IOException {
        run("ended");
        entry("tried", 1);
        cut("tried", 1, null);
        catalog().markAborted("tried", Set.of(1L));
        removeLeft(() -> ended("tried"));
        assertThat(left("ended")).containsExactly(1L, 4L);
        assertThat(left("tried")).containsExactly(1L);
        removeLeft();
        assertThat(left("tried")).isEmpty();
    }

    /** Entries go with cuts and without. */
    @Test
    void removesEntriesThatKeepNothingAnyMore() throws IOException {
        cut("lost", 1, null);
        entry("lost", 1);
        ended("gone");
        removeLeft(() -> ended("young"));
        assertThat(ServiceRegistry.runs(model.toString())).containsExactly("young");
        assertThat(left("lost")).containsExactly(1L);
    }

    /** Servers that keep what a statement has made of the model, which takes no checkpoints. */
    @Test
    void aModelThatOutlivesItsJobKeepsNothing() throws IOException {
        run("ended");
        entry("private-shared-1", Long.MAX_VALUE);
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 4L);
        assertThat(ServiceRegistry.runs(model.toString())).containsExactly("private-shared-1");
    }

    /** An entry that cannot be read may be that of any run. */
    @Test
    void leavesAllWhereTheRegistryIsDamaged() throws IOException {
        run("ended");
        entry("other", 1);
        Files.writeString(model.resolve("registry/other.json"), "{");
        assertThatThrownBy(this::removeLeft).hasMessageContaining("other.json");
        assertThat(left("ended")).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void leavesTheBaseOfWhatIsKept() throws IOException {
        ManifestRef base = cut("ended", 1, null);
        cut("ended", 2, base);
        cut("ended", 3, null);
        catalog().markAborted("ended", Set.of(1L, 3L));
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 2L);
    }

    @Test
    void oneThatCannotBeReadKeepsNoOther() throws IOException {
        run("a");
        Path newer = directory("a", 4).resolve("manifest.json");
        Files.writeString(
                newer,
                Files.readString(newer)
                        .replaceFirst("\"formatVersion\" : \\d+", "\"formatVersion\" : 99"));
        run("b");
        removeLeft();
        assertThat(left("a")).containsExactly(1L, 2L, 3L);
        assertThat(left("b")).containsExactly(1L, 4L);
    }

    /** The storage refuses a removal, as a file system of a plug-in may. */
    @Test
    void oneThatCannotBeRemovedKeepsNoOther() throws IOException {
        run("a");
        run("b");
        ModelStorage files = new FlinkModelStorage();
        InvocationHandler failing =
                (self, method, arguments) -> {
                    if (method.getName().equals("delete")
                            && arguments[0].toString().contains("/a/")) {
                        throw new UnsupportedOperationException("no such thing here");
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                };
        removeLeft(
                endedRuns(
                        (ModelStorage)
                                Proxy.newProxyInstance(
                                        getClass().getClassLoader(),
                                        new Class<?>[] {ModelStorage.class},
                                        failing)),
                () -> {});
        assertThat(directory("a", 2)).exists();
        assertThat(left("b")).containsExactly(1L, 4L);
    }

    /** Removals go on at once, as no job goes on from such a cut. */
    @Test
    void goesOnWithARemovalThatEndedHalfway() throws IOException {
        run("trains");
        Files.delete(directory("trains", 2).resolve("manifest.json"));
        entry("trains", 1);
        endedRuns(new FlinkModelStorage()).removeLeft(OWN);
        assertThat(left("trains")).containsExactly(1L, 3L, 4L);
        assertThat(directory("trains", 2)).doesNotExist();
    }
}
