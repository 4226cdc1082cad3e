package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunningJobsTest {
    private static final long MINUTE = 60_000;
    private static final long START = 1_000 * MINUTE;

    @TempDir private Path folder;
    private long now = START;

    /** Entries that are published at some time. */
    private final Map<Long, ServiceAddress> coming = new TreeMap<>();

    private final Map<Long, String> going = new TreeMap<>();

    private RunningJobs jobs() {
        return new RunningJobs(folder.toString(), () -> now * 1_000_000, () -> now, this::advance);
    }

    private void advance(long millis) throws InterruptedException {
        now += millis;
        String gone = going.remove(now);
        if (gone != null) {
            try {
                new ServiceRegistry(folder.toString(), gone).remove();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        ServiceAddress next = coming.remove(now);
        if (next != null) {
            publishUnchecked(next);
        }
    }

    private ServiceAddress publish(ServiceAddress entry) throws IOException {
        new ServiceRegistry(folder.toString(), entry.run()).publish(entry);
        return entry;
    }

    private static ServiceAddress entry(String run, long expiryMillis) {
        return new ServiceAddress(run, 1, List.of("a:1"), expiryMillis);
    }

    @Test
    void aJobOfAMachineWhoseClockIsBehindRuns() throws IOException {
        publish(entry("r", START - 5 * MINUTE));
        ServiceAddress renewed = entry("r", START - 4 * MINUTE);
        coming.put(START + 20_000, renewed);
        assertThat(jobs().find()).containsExactly(renewed);
        assertThat(now).isEqualTo(START + 20_000);
    }

    /** Its cuts would go with the model, beneath a job that trains. */
    @Test
    void aJobRunsHoweverFarItsClockIsBehind() throws IOException {
        publish(entry("r", START - 600 * MINUTE));
        ServiceAddress renewed = entry("r", START - 600 * MINUTE + 20_000);
        coming.put(START + 20_000, renewed);
        assertThat(jobs().find()).containsExactly(renewed);
        assertThat(now).isEqualTo(START + 20_000);
    }

    /** Nobody renews it, so that it does not count until its own clock says so. */
    @Test
    void aJobIsFoundToHaveGoneHoweverFarItsClockWasAhead() throws IOException {
        publish(entry("r", START + 600 * MINUTE));
        assertThat(jobs().find()).isEmpty();
        assertThat(now).isEqualTo(START + MINUTE);
        assertThat(ServiceRegistry.all(folder.toString())).isEmpty();
        publish(entry("r", START + 600 * MINUTE));
        ServiceAddress renewed = entry("r", START + 601 * MINUTE);
        coming.put(START + MINUTE + 20_000, renewed);
        assertThat(jobs().find()).containsExactly(renewed);
    }

    /** A job of the first begins while the others are waited for. */
    @Test
    void severalModelsAreWaitedForAtOnce() throws IOException {
        List<RunningJobs> models = new ArrayList<>();
        for (String model : List.of("a", "b", "c")) {
            String directory = folder.resolve(model).toString();
            new ServiceRegistry(directory, "r")
                    .publish(ServiceAddress.ended("r", 1, START - MINUTE));
            models.add(new RunningJobs(directory, () -> now * 1_000_000, () -> now, this::advance));
        }
        ServiceAddress other = entry("other", START + MINUTE + 40_000);
        RunningJobs.Pause pause =
                millis -> {
                    advance(millis);
                    if (now == START + 40_000) {
                        publishUnchecked(folder.resolve("a"), other);
                    }
                };
        Map<String, List<ServiceAddress>> found = RunningJobs.find(models, pause);
        assertThat(now).isEqualTo(START + MINUTE);
        assertThat(found.get(folder.resolve("a").toString())).containsExactly(other);
        assertThat(found.get(folder.resolve("b").toString())).isEmpty();
        assertThat(found.get(folder.resolve("c").toString())).isEmpty();
    }

    /** It is not as it was read: another has written it. */
    @Test
    void anEntryIsRemovedOnlyAsItWas() throws IOException {
        ServiceAddress first = publish(entry("r", START));
        ServiceRegistry registry = new ServiceRegistry(folder.toString(), "r");
        ServiceAddress second = publish(entry("r", START + 1));
        assertThat(registry.remove(first)).isFalse();
        assertThat(registry.read(START)).contains(second);
        assertThat(registry.remove(second)).isTrue();
        assertThat(registry.remove(second)).isFalse();
        assertThat(folder.resolve("registry")).isEmptyDirectory();
    }

    @Test
    void oneThatIsNotRenewedIsFoundOutOnce() throws IOException {
        publish(entry("r", START - 1));
        publish(entry("s", START + MINUTE));
        ServiceAddress runs = entry("s", START + MINUTE + 30_000);
        coming.put(START + 30_000, runs);
        RunningJobs jobs = jobs();
        assertThat(jobs.find()).containsExactly(runs);
        assertThat(now).isEqualTo(START + MINUTE);
        publish(entry("s", START + 2 * MINUTE));
        assertThat(jobs.find()).hasSize(1);
        assertThat(now).isEqualTo(START + MINUTE);
    }

    @Test
    void noneIsWaitedForThatCanBeTold() throws IOException {
        assertThat(jobs().find()).isEmpty();
        ServiceAddress lasting = publish(entry("lasting", ServiceAddress.NEVER));
        ServiceAddress runs = publish(entry("runs", START));
        assertThat(jobs().find()).containsExactly(lasting, runs);
        assertThat(now).isEqualTo(START);
    }

    /** Flink has closed what led it, as if it were over, and begins it anew. */
    @Test
    void aJobThatSeemsToHaveEndedMayGoOn() throws IOException {
        publish(ServiceAddress.ended("r", 1, START - MINUTE));
        ServiceAddress back = entry("r", START + MINUTE);
        coming.put(START + 50_000, back);
        assertThat(jobs().find()).containsExactly(back);
        assertThat(now).isEqualTo(START + 50_000);
    }

    /** It has been watched for long enough, and comes back just then. */
    @Test
    void oneThatComesBackWhenItsLastWordIsRemovedRuns() throws IOException {
        publish(ServiceAddress.ended("r", 1, START - MINUTE));
        ServiceAddress back = entry("r", START + 2 * MINUTE);
        boolean[] there = new boolean[1];
        RunningJobs jobs =
                new RunningJobs(
                        folder.toString(),
                        () -> {
                            if (now == START + MINUTE && !there[0]) {
                                there[0] = true; // the entries have been read
                                publishUnchecked(back);
                            }
                            return now * 1_000_000;
                        },
                        () -> now,
                        this::advance);
        assertThat(jobs.find()).containsExactly(back);
    }

    private void publishUnchecked(ServiceAddress entry) {
        publishUnchecked(folder, entry);
    }

    private static void publishUnchecked(Path model, ServiceAddress entry) {
        try {
            new ServiceRegistry(model.toString(), entry.run()).publish(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It runs when it is seen first. */
    @Test
    void soMayOneThatSeemsToEndBesideAnother() throws IOException {
        publish(entry("doubtful", START - 1));
        publish(entry("r", START + MINUTE));
        coming.put(START + 30_000, ServiceAddress.ended("r", 1, START - MINUTE));
        ServiceAddress back = entry("r", START + 2 * MINUTE);
        coming.put(START + 80_000, back);
        assertThat(jobs().find()).containsExactly(back);
        assertThat(now).isEqualTo(START + 80_000);
    }

    /** Also one of a clock that is ahead. */
    @ParameterizedTest
    @ValueSource(longs = {-MINUTE, 30_000, 600 * MINUTE})
    void anEndIsWaitedForOnce(long ahead) throws IOException {
        publish(ServiceAddress.ended("r", 1, START + ahead));
        assertThat(jobs().find()).isEmpty();
        assertThat(now).isEqualTo(START + MINUTE);
        assertThat(ServiceRegistry.all(folder.toString())).isEmpty();
        assertThat(jobs().find()).isEmpty();
        assertThat(now).isEqualTo(START + MINUTE);
    }

    /** Storage that cannot replace a file has removed it first. */
    @Test
    void aJobWithCutsIsFoundWhoseEntryIsAwayForAMoment() throws IOException {
        Files.createDirectories(folder.resolve("runs/r/cuts/1-1"));
        ServiceAddress back = entry("r", START + 1_000);
        coming.put(START + 1_000, back);
        assertThat(jobs().find()).containsExactly(back);
        assertThat(now).isEqualTo(START + 1_000);
        new ServiceRegistry(folder.toString(), "r").remove();
        assertThat(jobs().find()).isEmpty();
        assertThat(now).isEqualTo(START + 2_000);
    }

    /** It is watched, as its clock is behind, when its file is replaced. */
    @Test
    void soIsOneThatIsAwayWhileItIsWatched() throws IOException {
        Files.createDirectories(folder.resolve("runs/r/cuts/1-1"));
        publish(entry("r", START - 5 * MINUTE));
        going.put(START + 5_000, "r");
        ServiceAddress back = entry("r", START - 4 * MINUTE);
        coming.put(START + 6_000, back);
        ServiceAddress renewed = entry("r", START - 3 * MINUTE);
        coming.put(START + 26_000, renewed);
        assertThat(jobs().find()).containsExactly(renewed);
    }

    @Test
    void soIsOneBesideAJobThatRuns() throws IOException {
        Files.createDirectories(folder.resolve("runs/r/cuts/1-1"));
        ServiceAddress other = publish(entry("other", START + MINUTE));
        ServiceAddress back = entry("r", START + MINUTE);
        coming.put(START + 1_000, back);
        assertThat(jobs().find()).containsExactlyInAnyOrder(other, back);
    }

    /** Beside what an ended run has left, its entry is away in the second look only. */
    @Test
    void soIsOneThatWasSeenBefore() throws IOException {
        Files.createDirectories(folder.resolve("runs/ended/cuts/1-1"));
        publish(entry("r", START + MINUTE));
        going.put(START + 1_000, "r");
        ServiceAddress back = entry("r", START + MINUTE + 1);
        coming.put(START + 2_000, back);
        assertThat(jobs().find()).containsExactly(back);
        new ServiceRegistry(folder.toString(), "r").remove();
        assertThat(jobs().find()).isEmpty();
    }

    /** A job may be behind it. */
    @Test
    void anEntryThatCannotBeReadIsNotPassedOver() throws IOException {
        publish(entry("r", START));
        Files.writeString(folder.resolve("registry/s.json"), "{");
        assertThatThrownBy(jobs()::find)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("s.json is damaged");
    }

    @Test
    void whoIsInterruptedIsToldNothing() throws IOException {
        Files.createDirectories(folder.resolve("runs/r/cuts/1-1"));
        RunningJobs jobs =
                new RunningJobs(
                        folder.toString(),
                        () -> 0,
                        () -> START,
                        millis -> {
                            throw new InterruptedException();
                        });
        assertThatThrownBy(jobs::find).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
