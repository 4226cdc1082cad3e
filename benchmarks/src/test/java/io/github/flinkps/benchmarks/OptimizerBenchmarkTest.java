package io.github.flinkps.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Param;

class OptimizerBenchmarkTest {
    private static final Package OURS = UpdateFunctions.class.getPackage();

    @Test
    void measuresUpdateFunctionsOfOurs() throws Exception {
        Param names =
                OptimizerBenchmark.class.getDeclaredField("update").getAnnotation(Param.class);
        List<String> ours =
                UpdateFunctions.all().values().stream()
                        .filter(one -> one.getClass().getPackage() == OURS)
                        .map(UpdateFunctionFactory::name)
                        .toList();
        assertThat(ours).containsAll(List.of(names.value()));
    }
}
