package io.github.flinkps.flink.table.module;

import io.github.flinkps.flink.table.function.FeatureScorer;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
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
        helper.validate();
        return new PsModule(helper.getOptions());
    }
}
