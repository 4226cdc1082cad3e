package io.github.flinkps.flink.table.module;

import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.function.FeatureScorer;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModuleFactory;
import org.apache.flink.table.module.Module;

/** Makes {@link PsModule} for {@code LOAD MODULE ps [WITH ('option' = 'value', ..)]}. */
public final class PsModuleFactory implements ModuleFactory {
    @Override
    public String factoryIdentifier() {
        return "ps";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return FeatureScorer.OPTIONS;
    }

    @Override
    public Module createModule(Context context) {
        FactoryUtil.ModuleFactoryHelper helper =
                FactoryUtil.createModuleFactoryHelper(this, context);
        try {
            helper.validate();
        } catch (ValidationException e) {
            Throwable why = e.getCause();
            throw why == null
                    ? e
                    : ModelSpec.refused("module ps: " + e.getMessage() + " " + why.getMessage(), e);
        }
        Configuration options =
                FeatureScorer.options(context.getOptions(), context.getConfiguration());
        FeatureScorer.check(options);
        return new PsModule(options);
    }
}
