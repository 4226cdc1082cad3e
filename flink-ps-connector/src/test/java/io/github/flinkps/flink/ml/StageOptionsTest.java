package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.server.ServerConfig;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.ml.param.Param;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;

class StageOptionsTest {
    private static final String ALGORITHM = "logistic-regression";

    private static Map<String, String> options(LogisticRegression stage) {
        return Stages.options(stage, ALGORITHM);
    }

    @Test
    void everyAlgorithmHasItsStages() {
        assertThat(Pairs.all().stream().map(pair -> pair.estimator().get().algorithm()))
                .containsExactlyInAnyOrderElementsOf(
                        ServiceLoader.load(TrainingModelFactory.class).stream()
                                .map(ServiceLoader.Provider::get)
                                .filter(
                                        factory ->
                                                factory.getClass()
                                                        .getPackage()
                                                        .equals(
                                                                TrainingModelFactory.class
                                                                        .getPackage()))
                                .map(TrainingModelFactory::name)
                                .toList());
        for (Pairs.Pair pair : Pairs.all()) {
            PsEstimator<?, ?> online = pair.online().get();
            assertThat(online.getClass().getSimpleName()).isEqualTo("Online" + pair);
            assertThat(online.algorithm()).isEqualTo(pair.estimator().get().algorithm());
            assertThat(online.newModel()).hasSameClassAs(pair.estimator().get().newModel());
        }
    }

    @Test
    void defaultsSayLittle() {
        assertThat(options(new LogisticRegression()))
                .isEqualTo(
                        new TreeMap<>(
                                Map.of(
                                        "algorithm", ALGORITHM,
                                        "seed", "0",
                                        "consistency", "BSP")));
    }

    @Test
    void paramsAreOptionsOfSql() {
        LogisticRegression stage =
                new LogisticRegression()
                        .setMaxIter(3)
                        .setNumFeatures(7)
                        .setLearningRate(0.5)
                        .setOptimizer("ftrl")
                        .setReg(0.25)
                        .setElasticNet(0.25)
                        .setConsistency("SSP")
                        .setStaleness(2)
                        .setRemote("a:1", "b:2")
                        .setWorkers(4)
                        .setSeed(9)
                        .setOptions("beta=0.5", "row-memory = 64 mb");
        assertThat(options(stage))
                .containsAllEntriesOf(
                        Map.of(
                                "epochs", "3",
                                "features", "7",
                                "learning-rate", "0.5",
                                "optimizer", "ftrl",
                                "l1", "0.0625",
                                "l2", "0.1875",
                                "consistency", "SSP",
                                "staleness", "2",
                                "remote", "a:1;b:2",
                                "beta", "0.5"))
                .containsEntry("row-memory", "64 mb")
                .containsEntry("workers", "4")
                .containsEntry("seed", "9");
    }

    @Test
    void whatIsSaidTwiceIsRefused() {
        for (String option : new String[] {"epochs=2", "label=x", "weight=x", "algorithm=x"}) {
            assertThatThrownBy(
                            () ->
                                    options(
                                            new LogisticRegression()
                                                    .setMaxIter(3)
                                                    .setOptions(option)))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("is said by a param of its own");
        }
        assertThatThrownBy(() -> options(new LogisticRegression().setOptions("beta")))
                .hasMessageContaining("name=value, not 'beta'");
    }

    @Test
    void paramsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new LogisticRegression().setMaxIter(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxIter");
        assertThatThrownBy(() -> new LogisticRegression().setElasticNet(1.5))
                .hasMessageContaining("elasticNet");
        assertThatThrownBy(() -> new LogisticRegression().setConsistency("loose"))
                .hasMessageContaining("consistency");
        assertThatThrownBy(() -> new LogisticRegression().setServers(ServerConfig.MOST_SERVERS + 1))
                .hasMessageContaining("servers");
    }

    /** All but those of Flink ML, which have texts of its own. */
    @Test
    void paramsSayWhatTheirOptionsSay() {
        Map<String, String> texts = new TreeMap<>();
        for (ConfigOption<?> option : PsOptions.all()) {
            texts.put(option.key(), new HtmlFormatter().format(option.description()));
        }
        Map<String, String> said = new TreeMap<>();
        for (Param<?> param : new OnlineLogisticRegression().getParamMap().keySet()) {
            String key = param.name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (texts.containsKey(key) && !key.equals(PsOptions.SAVE_INTERVAL.key())) {
                said.put(key, param.description);
            }
        }
        assertThat(said)
                .containsOnlyKeys(
                        "consistency",
                        "initial-model",
                        "model-root",
                        "remote",
                        "seed",
                        "servers",
                        "staleness",
                        "workers");
        assertThat(texts).containsAllEntriesOf(said);
    }
}
