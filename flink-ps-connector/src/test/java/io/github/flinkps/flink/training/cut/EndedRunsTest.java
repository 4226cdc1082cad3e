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
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedRunsTest {
    private static final String OWN = "own";
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final Instant LONG_AGO = NOW.minus(EndedRuns.GRACE).minusMillis(1);
    private static final Instant NOT_LONG_AGO = NOW.minus(EndedRuns.GRACE);

    /** A server has no tables of which it could have rows. */
    private static final CutPart PART =
            new CutPart(List.of(), List.of(), List.of(CutClock.active(1)));

    @TempDir Path model;

    private CutCatalog catalog() {
        return new CutCatalog(new FlinkModelStorage(), model.toString());
    }

    private void removeLeft() throws IOException {
        removeLeft(new FlinkModelStorage());
    }

    private void removeLeft(ModelStorage storage) throws IOException {
        Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
        new EndedRuns(storage, model.toString(), clock).removeLeft(OWN);
    }

    /**
     * @param base the cut it adds to, null for none
     */
    private ManifestRef cut(String run, long number, Instant time, ManifestRef base)
            throws IOException {
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
    private void run(String run, Instant time) throws IOException {
        for (long number = 1; number <= 4; number++) {
            cut(run, number, time, null);
        }
        catalog().markComplete(new CutId(run, 1, 1));
        catalog().markAborted(run, Set.of(2L, 3L));
    }

    private void entry(String run, Instant expiry) throws IOException {
        entry(run, expiry, List.of("host:1"));
    }

    private void entry(String run, Instant expiry, List<String> addresses) throws IOException {
        new ServiceRegistry(model.toString(), run)
                .publish(
                        new ServiceAddress(
                                run,
                                1,
                                addresses,
                                expiry.equals(Instant.MAX)
                                        ? Long.MAX_VALUE
                                        : expiry.toEpochMilli()));
    }

    private List<Long> left(String run) {
        return catalog().list(run).cuts().stream().map(cut -> cut.id().number()).toList();
    }

    @Test
    void removesWhatWasGivenUp() throws IOException {
        for (String run : List.of(OWN, "ended", "lost")) {
            run(run, LONG_AGO);
        }
        entry("lost", LONG_AGO); // nobody has renewed it, and no job has taken it over
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 4L);
        assertThat(left("lost")).containsExactly(1L, 4L);
        assertThat(left(OWN)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(directory("ended", 2)).doesNotExist();
        assertThat(ServiceRegistry.runs(model.toString())).isEmpty();
    }

    @Test
    void leavesWhatAJobMayGoOnFrom() throws IOException {
        run("trains", LONG_AGO);
        entry("trains", NOW);
        run("lost", LONG_AGO);
        entry("lost", NOT_LONG_AGO);
        run("young", NOT_LONG_AGO); // it may go from one JobManager to another
        removeLeft();
        for (String run : List.of("trains", "lost", "young")) {
            assertThat(left(run)).as(run).containsExactly(1L, 2L, 3L, 4L);
        }
    }

    /** A job without a checkpoint may have begun as any cut. */
    @Test
    void leavesAllWhileAnotherJobHasNoCheckpointYet() throws IOException {
        run("ended", LONG_AGO);
        entry("begins", NOW);
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 2L, 3L, 4L);
        run("begins", LONG_AGO);
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 4L);
    }

    /** A job that has ended keeps its own cuts alone for a while. */
    @Test
    void anEndedJobThatHadNoCheckpointKeepsNothingOfOthers() throws IOException {
        run("ended", LONG_AGO);
        entry("tried", NOT_LONG_AGO, List.of());
        cut("tried", 1, LONG_AGO, null);
        catalog().markAborted("tried", Set.of(1L));
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 4L);
        assertThat(left("tried")).containsExactly(1L);
        entry("tried", LONG_AGO, List.of());
        removeLeft();
        assertThat(left("tried")).isEmpty();
    }

    /** Entries go with cuts and without. */
    @Test
    void removesEntriesThatKeepNothingAnyMore() throws IOException {
        cut("lost", 1, LONG_AGO, null);
        entry("lost", LONG_AGO);
        entry("gone", LONG_AGO, List.of());
        entry("young", NOT_LONG_AGO, List.of());
        removeLeft();
        assertThat(ServiceRegistry.runs(model.toString())).containsExactly("young");
        assertThat(left("lost")).containsExactly(1L);
    }

    /** Servers that keep what a statement has made of the model, which takes no checkpoints. */
    @Test
    void aModelThatOutlivesItsJobKeepsNothing() throws IOException {
        run("ended", LONG_AGO);
        entry("private-shared-1", Instant.MAX);
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 4L);
    }

    /** An entry that cannot be read may be that of any run. */
    @Test
    void leavesAllWhereTheRegistryIsDamaged() throws IOException {
        run("ended", LONG_AGO);
        entry("other", NOW);
        Files.writeString(model.resolve("registry/other.json"), "{");
        assertThatThrownBy(this::removeLeft).hasMessageContaining("other.json");
        assertThat(left("ended")).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void leavesTheBaseOfWhatIsKept() throws IOException {
        ManifestRef base = cut("ended", 1, LONG_AGO, null);
        cut("ended", 2, LONG_AGO, base);
        cut("ended", 3, LONG_AGO, null);
        catalog().markAborted("ended", Set.of(1L, 3L));
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 2L);
    }

    @Test
    void oneThatCannotBeReadKeepsNoOther() throws IOException {
        run("a", LONG_AGO);
        Path newer = directory("a", 4).resolve("manifest.json");
        Files.writeString(
                newer,
                Files.readString(newer)
                        .replaceFirst("\"formatVersion\" : \\d+", "\"formatVersion\" : 99"));
        run("b", LONG_AGO);
        removeLeft();
        assertThat(left("a")).containsExactly(1L, 2L, 3L);
        assertThat(left("b")).containsExactly(1L, 4L);
    }

    /** The storage refuses a removal, as a file system of a plug-in may. */
    @Test
    void oneThatCannotBeRemovedKeepsNoOther() throws IOException {
        run("a", LONG_AGO);
        run("b", LONG_AGO);
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
                (ModelStorage)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {ModelStorage.class},
                                failing));
        assertThat(directory("a", 2)).exists();
        assertThat(left("b")).containsExactly(1L, 4L);
    }

    /** Removals go on, as no job goes on from such a cut. */
    @Test
    void goesOnWithARemovalThatEndedHalfway() throws IOException {
        for (String run : List.of("ended", "trains")) {
            run(run, LONG_AGO);
            Files.delete(directory(run, 2).resolve("manifest.json"));
        }
        entry("trains", NOW);
        removeLeft();
        assertThat(left("ended")).containsExactly(1L, 4L);
        assertThat(left("trains")).containsExactly(1L, 3L, 4L);
        assertThat(directory("ended", 2)).doesNotExist();
        assertThat(directory("trains", 2)).doesNotExist();
    }
}
