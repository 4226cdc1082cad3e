package io.github.flinkps.flink.table.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;

class PsModuleTest {
    private final TableEnvironment tables =
            TableEnvironment.create(EnvironmentSettings.inStreamingMode());

    @Test
    void bringsItsFunctions() {
        assertThat(tables.listFunctions()).noneMatch(name -> name.startsWith("PS_"));
        tables.executeSql("LOAD MODULE ps WITH ('model-root' = 'file:///tmp/models')");
        assertThat(Arrays.stream(tables.listFunctions()).map(String::toUpperCase))
                .contains("PS_AUC", "PS_LOGLOSS", "PS_RMSE")
                .contains("PS_PREDICT", "PS_PREDICT_ASYNC", "PS_TRAIN");
        assertThat(tables.explainSql("SELECT Ps_Auc(1, 1), PS_AUC(1, 1)")).contains("AUC");
        tables.executeSql("UNLOAD MODULE ps");
        assertThatThrownBy(() -> tables.explainSql("SELECT PS_AUC(1, 1)"))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void namesItsOptionsWhereOneIsUnknown() {
        assertThatThrownBy(() -> tables.executeSql("LOAD MODULE ps WITH ('model-rot' = 'x')"))
                .hasStackTraceContaining("Unsupported options:\n\nmodel-rot")
                .hasStackTraceContaining("Supported options:\n\ncache-rows\nmodel-root");
    }
}
