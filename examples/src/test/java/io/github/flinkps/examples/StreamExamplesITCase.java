package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @TempDir private Path folder;
    private final LinkedBlockingQueue<JobClient> jobs = new LinkedBlockingQueue<>();

    /** What programs get who ask for an environment; their jobs can be cancelled. */
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

        /** What createLocalEnvironment makes, which refuses to while a context is set. */
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

    private static CompletableFuture<Void> trainOnStream(String model) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        TrainOnStream.main(new String[] {model, "1"});
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                });
    }

    /** Waits until a model other than {@code before} is there, which knows all features. */
    private static ModelManifest awaitModel(
            CompletableFuture<Void> program, String model, ModelManifest before) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (System.nanoTime() < deadline) {
            assertThat(program).isNotDone();
            if (Files.exists(Path.of(model, ModelManifest.FILE))) {
                ModelManifest now = ModelReader.readManifest(new LocalModelStorage(), model);
                boolean other = before == null || !now.tables().equals(before.tables());
                if (other && now.parameters() == 9) {
                    return now;
                }
            }
            Thread.sleep(20);
        }
        throw new AssertionError("no model was saved");
    }

    private void cancel(CompletableFuture<Void> program) throws Exception {
        jobs.take().cancel().get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> program.get(30, TimeUnit.SECONDS))
                .hasStackTraceContaining("JobCancellationException");
    }

    @Test
    void predictionsAreJoinedToTheirRecordsWhileTheModelTrains() throws Exception {
        String model = folder.resolve("model").toString();
        CompletableFuture<Void> training = trainOnStream(model);
        awaitModel(training, model, awaitModel(training, model, null));

        StreamExecutionEnvironment env = Environments.local(3);
        List<Judged> judged = new ArrayList<>();
        try (CloseableIterator<Judged> results =
                JoinPredictions.join(
                                Topics.requests(env, REQUESTS),
                                Topics.outcomes(env, REQUESTS),
                                model)
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
        String model = folder.resolve("model").toString();
        CompletableFuture<Void> training = trainOnStream(model);
        awaitModel(training, model, null);
        cancel(training);

        String printed = Printed.by(() -> JoinPredictions.main(new String[] {model}));
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

        CompletableFuture<Void> again = trainOnStream(model);
        ModelManifest saved = ModelReader.readManifest(new LocalModelStorage(), model);
        awaitModel(again, model, saved);
        cancel(again);
    }
}
