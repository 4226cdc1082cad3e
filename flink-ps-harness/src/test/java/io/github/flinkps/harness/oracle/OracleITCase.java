package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.cli.TestingCommand;
import io.github.flinkps.cli.TestingProcess;
import io.github.flinkps.harness.machines.Machines;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs in processes of their own, struck by faults: every record counts exactly once. {@code
 * -Dlong} runs seeds enough for every fault to strike in every phase.
 */
class OracleITCase {
    private static final boolean LONG = System.getProperty("long") != null;
    private static final int SEEDS = LONG ? 200 : 10;

    private static final String REMOTE_SEED = "1965";
    private static final String SEED_WITHOUT_CHECKPOINTS = "9";

    /**
     * A fault may strike when nothing was pushed since the checkpoint that the job goes back to.
     */
    private static final int TRIES = 5;

    @TempDir Path folder;

    /** A seed of a job over servers that outlive its failures, of which there are several. */
    @Test
    void atLeastOnceRecordsCountAgainAndNoneIsLost() throws Exception {
        long doubled = 0;
        for (int tries = 0; doubled == 0 && tries < TRIES; tries++) {
            Path report = folder.resolve("report" + tries + ".json");
            TestingCommand.succeeds(
                    "oracle",
                    "--seeds",
                    "1",
                    "--seed",
                    REMOTE_SEED,
                    "--guarantee",
                    "at-least-once",
                    "--report",
                    report.toString());
            JsonNode run = new ObjectMapper().readTree(Files.readString(report)).get("runs").get(0);
            assertThat(run.get("lost").asLong()).isZero();
            doubled = run.get("doubled").asLong();
        }
        assertThat(doubled).isPositive();
        assertThat(TestingCommand.run("oracle", "--seeds", "1", "--guarantee", "no").err())
                .contains(
                        "--guarantee must be exactly-once, at-least-once or no-checkpoints, not"
                                + " 'no'");
        String greatest = Long.toString(Long.MAX_VALUE);
        assertThat(TestingCommand.run("oracle", "--seeds", "1", "--seed", greatest).err())
                .contains("--seed must be at most 9223372036854775806 with 1 seeds");
    }

    /** Seeds of a source that does not begin anew with its job, and of one that does. */
    @Test
    void withoutCheckpointsWhatCannotBeReadAgainIsLost() throws Exception {
        Path report = folder.resolve("report.json");
        TestingCommand command =
                TestingCommand.succeeds(
                        "oracle",
                        "--seeds",
                        "2",
                        "--seed",
                        SEED_WITHOUT_CHECKPOINTS,
                        "--guarantee",
                        "no-checkpoints",
                        "--report",
                        report.toString());
        JsonNode root = new ObjectMapper().readTree(Files.readString(report));
        assertThat(root.get("guarantee").asText()).isEqualTo("no-checkpoints");
        assertThat(root.get("unfinished")).isEmpty();
        JsonNode once = root.get("runs").get(0);
        JsonNode again = root.get("runs").get(1);
        for (JsonNode run : root.get("runs")) {
            assertThat(run.get("recoveries").asInt()).isPositive();
            assertThat(run.get("doubled").asLong()).isZero();
        }
        assertThat(again.get("lost").asLong()).isZero();
        assertThat(once.get("lost").asLong()).isPositive();
        assertThat(command.out())
                .contains(
                        "a source that does not go back",
                        "no-checkpoints, as it must be: %d lost and 0 doubled in 2 runs"
                                .formatted(once.get("lost").asLong()));
    }

    /** Killed in the midst of its first run. */
    @Test
    void aReportIsWholeWhateverBecomesOfTheCommand() throws Exception {
        Path report = folder.resolve("report.json");
        try (TestingProcess oracle =
                TestingProcess.start(
                        List.of("-Djava.io.tmpdir=" + folder),
                        entry -> true,
                        "oracle",
                        "--seeds",
                        "2",
                        "--seed",
                        "1",
                        "--report",
                        report.toString())) {
            Polling.await("there is no report", () -> Files.exists(report));
            oracle.signal("KILL");
            oracle.awaitExit();
        }
        JsonNode root = new ObjectMapper().readTree(Files.readString(report));
        assertThat(root.get("runs")).isEmpty();
        assertThat(root.get("unfinished").get(0).asLong()).isEqualTo(1);
        assertThat(root.get("hits")).hasSize(59);
    }

    /**
     * Each run has limits of its own; {@code -Dlong} has many, also on one machine. Where no others
     * can be made that says so.
     */
    @Test
    @Timeout(value = 8, unit = TimeUnit.HOURS)
    void everyRecordCountsOnce() throws Exception {
        boolean machines = canMakeMachines();
        if (machines) {
            everyRecordCountsOnce(59 + 14, "--machines");
        }
        if (LONG || !machines) {
            everyRecordCountsOnce(59);
        }
    }

    private static boolean canMakeMachines() {
        try (Machines machines = new Machines(List.of("one"))) {
            return machines.place("one") == 0;
        } catch (IOException e) {
            System.out.println("Several machines were not tested: " + e.getMessage());
            return false;
        }
    }

    private void everyRecordCountsOnce(int pairs, String... more) throws Exception {
        Path report = folder.resolve("report.json");
        String first = LONG ? Long.toString(System.currentTimeMillis()) : "1";
        List<String> arguments = new ArrayList<>(List.of("oracle", "--seed", first));
        arguments.addAll(List.of("--seeds", Integer.toString(SEEDS), "--report", report + ""));
        arguments.addAll(List.of(more));
        System.out.println(String.join(" ", arguments));
        TestingCommand command = TestingCommand.run(arguments.toArray(String[]::new));
        System.out.println(command.out());
        // With seeds enough for all pairs it fails also if one was never hit.
        assertThat(command.exitCode()).as(command.err()).isZero();

        JsonNode root = new ObjectMapper().readTree(Files.readString(report));
        assertThat(root.get("runs")).hasSize(SEEDS);
        assertThat(root.get("unfinished")).isEmpty();
        for (JsonNode run : root.get("runs")) {
            assertThat(run.fieldNames())
                    .toIterable()
                    .containsExactly("seed", "recoveries", "keys", "lost", "doubled");
            assertThat(run.get("keys").asLong()).as("the model and a cut").isGreaterThan(12_000);
            assertThat(run.get("lost").asLong()).isZero();
            assertThat(run.get("doubled").asLong()).isZero();
        }
        TreeMap<String, Integer> hits = new TreeMap<>();
        root.get("hits")
                .fields()
                .forEachRemaining(hit -> hits.put(hit.getKey(), hit.getValue().asInt()));
        assertThat(hits).hasSize(pairs);
        assertThat(hits.values().stream().filter(count -> count > 0).count())
                .as("kinds of strikes that happened: %s", hits)
                .isGreaterThanOrEqualTo(LONG ? pairs : SEEDS - 2);
        assertThat(root.get("runs").findValues("recoveries").stream().mapToInt(JsonNode::asInt))
                .anyMatch(recoveries -> recoveries > 0);
    }
}
