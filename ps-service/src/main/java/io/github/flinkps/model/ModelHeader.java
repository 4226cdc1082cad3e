package io.github.flinkps.model;

import io.github.flinkps.common.TableSpec;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The description of a model, known before its first row is written.
 *
 * @param model its name
 * @param algorithm which can predict with it and train on
 * @param parameters of the algorithm, by name
 * @param tables in the order of the model
 * @param input how rows become the model's, as text for who trained it; empty if that need not be
 *     known
 * @param slots whether the optimizers' slots are saved beside the values, so that training can go
 *     on as if never interrupted
 */
public record ModelHeader(
        String model,
        String algorithm,
        Map<String, String> parameters,
        List<TableSpec> tables,
        String input,
        boolean slots) {
    public ModelHeader {
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        tables = List.copyOf(tables);
        Set<String> names = new HashSet<>();
        for (TableSpec table : tables) {
            if (!names.add(table.name())) {
                throw new IllegalArgumentException(
                        "model '" + model + "' has two tables '" + table.name() + "'");
            }
        }
    }
}
