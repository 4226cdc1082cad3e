package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.JobListener;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs that run beside each other: one trains without an end, another predicts. */
@Timeout(180)
class StreamExamplesITCase {
    private static final int REQUESTS = 20_000;

    /** Parameters of a model that knows all sites and advertisements. */
    private static final int FEATURES = 9;

    @TempDir private Path folder;
    private final LinkedBlockingQueue<JobClient> jobs = new LinkedBlockingQueue<>();

    /** Provides the environments that programs ask for; their jobs can be cancelled. */
    private static final class Environments extends StreamExecutionEnvironment {
        static void give(LinkedBlockingQueue<JobClient> jobs) {
            JobListener listener =
                    new JobListener() {
                        @Override
                        public void onJobSubmitted(JobClient job, Throwable failure) {
                            if (job != null) {
                                jobs.add(job);
                            }
                        }

                        @Override
                        public void onJobExecuted(JobExecutionResult result, Throwable failure) {}
                    };
            initializeContextEnvironment(
                    configuration -> {
                        StreamExecutionEnvironment made = local(2);
                        made.registerJobListener(listener);
                        return made;
                    });
        }

        /**
         * Returns an environment like that of createLocalEnvironment, which refuses to make one
         * while a context is set.
         */
        static StreamExecutionEnvironment local(int parallelism) {
            Configuration configuration = new Configuration();
            configuration.set(DeploymentOptions.TARGET, "local");
            configuration.set(DeploymentOptions.ATTACHED, true);
            return new StreamExecutionEnvironment(configuration).setParallelism(parallelism);
        }

        static void takeBack() {
            resetContextEnvironment();
        }
    }

    @BeforeEach
    void giveEnvironments() {
        Environments.give(jobs);
    }

    @AfterEach
    void cancelJobs() throws Exception {
        Environments.takeBack();
        for (JobClient job : jobs) {
            if (!job.getJobExecutionResult().isDone()) {
                job.cancel().get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static CompletableFuture<Void> trainOnStream(Path model) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        TrainOnStream.main(new String[] {model.toString(), "1"});
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                });
    }

    /** Waits until a model of so many parameters is there, other than {@code before}. */
    private static ModelManifest awaitModel(
            CompletableFuture<Void> program, Path model, int parameters, ModelManifest before)
            throws Exception {
        ModelManifest[] now = new ModelManifest[1];
        Polling.await(
                Duration.ofSeconds(90),
                () -> {
                    assertThat(program).isNotDone();
                    if (!Files.exists(model.resolve(ModelManifest.FILE))) {
                        return false;
                    }
                    now[0] = manifest(model);
                    return now[0].parameters() == parameters
                            && (before == null || !now[0].tables().equals(before.tables()));
                },
                () -> "no other model of " + parameters + " parameters was saved");
        return now[0];
    }

    private static ModelManifest manifest(Path model) throws Exception {
        return ModelReader.readManifest(new LocalModelStorage(), LocalModelStorage.path(model));
    }

    private void cancel(CompletableFuture<Void> program) throws Exception {
        jobs.take().cancel().get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> program.get(30, TimeUnit.SECONDS))
                .hasStackTraceContaining("JobCancellationException");
    }

    @Test
    void predictionsAreJoinedToTheirRecordsWhileTheModelTrains() throws Exception {
        Path model = folder.resolve("model");
        CompletableFuture<Void> training = trainOnStream(model);
        ModelManifest first = awaitModel(training, model, FEATURES, null);
        awaitModel(training, model, FEATURES, first);

        StreamExecutionEnvironment env = Environments.local(3);
        List<Judged> judged = new ArrayList<>();
        try (CloseableIterator<Judged> results =
                JoinPredictions.join(
                                Topics.requests(env, REQUESTS),
                                Topics.outcomes(env, REQUESTS),
                                model.toString())
                        .executeAndCollect()) {
            results.forEachRemaining(judged::add);
        }
        cancel(training);

        Map<Long, Judged> byId = new HashMap<>();
        Quality quality = new Quality(0, 0, 0, 0);
        for (Judged each : judged) {
            long id = each.request().id();
            assertThat(byId.put(id, each)).as("request %s twice", id).isNull();
            assertThat(each.request()).isEqualTo(Topics.request(id));
            assertThat(each.clicked()).isEqualTo(Topics.outcome(id).clicked());
            assertThat(each.predicted())
                    .as("%s", each)
                    .isCloseTo(each.request().ad().equals("shoes") ? .8 : .2, within(.15));
            quality = quality.plus(Quality.of(each));
        }
        assertThat(byId).hasSize(REQUESTS);
        assertThat(quality.requests()).isEqualTo(REQUESTS);
        assertThat(quality.predictedClicks() / quality.clicks()).isCloseTo(1, within(.1));
        assertThat(quality.logloss()).as("entropy of the rule is .5004").isBetween(.48, .52);
    }

    @Test
    void aProgramPrintsHowGoodEachMinuteWasAndAnotherGoesOnWithTheModel() throws Exception {
        Path model = folder.resolve("model");
        CompletableFuture<Void> training = trainOnStream(model);
        awaitModel(training, model, FEATURES, null);
        cancel(training);

        String printed = Printed.by(() -> JoinPredictions.main(new String[] {model.toString()}));
        jobs.clear();
        Matcher minutes = Pattern.compile("requests=(\\d+), .* logloss=([0-9.]+)").matcher(printed);
        long requests = 0;
        int lines = 0;
        while (minutes.find()) {
            lines++;
            requests += Long.parseLong(minutes.group(1));
            assertThat(Double.parseDouble(minutes.group(2))).isBetween(.4, .65);
        }
        assertThat(lines).as("minutes of the requests").isGreaterThanOrEqualTo(10);
        assertThat(requests).isEqualTo(60_000);
        goesOn(model);
    }

    /** Another start keeps what only the model of before can tell: a site that comes no more. */
    private void goesOn(Path model) throws Exception {
        ModelValues first = ModelValues.read(model);
        long radio = TrainOnRecords.key("site", "radio");
        StreamExecutionEnvironment env = Environments.local(1);
        FlinkPs.train(
                        env.fromData(List.of(radio)),
                        (key, out) -> {
                            out.add(key);
                            out.endRow(1);
                        },
                        LogisticRegression.builder().build())
                .set(PsOptions.INITIAL_MODEL, model.toString())
                .set(PsOptions.MODEL_OUTPUT, model.toString())
                .start();
        env.execute();
        ModelValues before = ModelValues.read(model);
        assertThat(before.get("weights", radio)).isPositive();
        assertThat(before.table("weights")).containsAllEntriesOf(first.table("weights"));

        ModelManifest saved = manifest(model);
        CompletableFuture<Void> again = trainOnStream(model);
        awaitModel(again, model, FEATURES + 1, saved);
        cancel(again);
        ModelValues after = ModelValues.read(model);
        assertThat(after.table("weights")).hasSameSizeAs(before.table("weights"));
        after.table("weights")
                .forEach(
                        (key, weight) ->
                                assertThat(weight.equals(before.get("weights", key)))
                                        .as("weight of %s is as before", key)
                                        .isEqualTo(key == radio));
    }
}
