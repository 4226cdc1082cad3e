package io.github.flinkps.flink.options;

import io.github.flinkps.common.Range;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** Declarations of options, in their order; each is added once, when its class is loaded. */
final class OptionDeclarations {
    private final Map<ConfigOption<?>, OptionDeclaration<?>> declared = new LinkedHashMap<>();

    <T> ConfigOption<T> add(ConfigOption<T> option, OptionUse... uses) {
        return add(option, Range.any(), uses);
    }

    <T> ConfigOption<T> add(ConfigOption<T> option, Range<T> range, OptionUse... uses) {
        return add(OptionDeclaration.of(option, range, uses));
    }

    /** Declares an option whose values are checked by more than a range. */
    <T> ConfigOption<T> add(ConfigOption<T> option, Consumer<T> check, OptionUse... uses) {
        return add(new OptionDeclaration<>(option, Range.any(), check, Set.of(uses)));
    }

    private <T> ConfigOption<T> add(OptionDeclaration<T> declaration) {
        declared.put(declaration.option(), declaration);
        return declaration.option();
    }

    /** Returns the range of texts of a form, which words describe. */
    static Range<String> named(int length, String form, String characters) {
        Pattern pattern = Pattern.compile(form);
        return new Range<>(
                name -> pattern.matcher(name).matches(), "1 to " + length + " " + characters);
    }

    List<ConfigOption<?>> all() {
        return List.copyOf(declared.keySet());
    }

    List<ConfigOption<?>> of(OptionUse use) {
        return declared.values().stream()
                .filter(each -> each.uses().contains(use))
                .<ConfigOption<?>>map(OptionDeclaration::option)
                .toList();
    }

    @SuppressWarnings("unchecked") // a declaration is that of its option
    <T> OptionDeclaration<T> get(ConfigOption<T> option) {
        return (OptionDeclaration<T>) declared.get(option);
    }

    void check(ReadableConfig options) {
        declared.values().forEach(each -> each.check(options));
    }
}
