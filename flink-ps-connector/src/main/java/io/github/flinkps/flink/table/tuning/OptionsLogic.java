package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.internal.compat.OperatorContext;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges the shares of all tasks, and at their end finds the options and emits them. A task that
 * runs once more finds the same.
 *
 * @param <T> the records that the shares are of
 */
final class OptionsLogic<T> extends ShareLogic<byte[], Map<String, String>> {
    private static final Logger LOG = LoggerFactory.getLogger(OptionsLogic.class);
    private static final long serialVersionUID = 1L;

    private final OptionSearch<T> search;
    private transient OperatorContext<Map<String, String>> context;

    OptionsLogic(OptionSearch<T> search) {
        super(search.tuning().columns().size(), RowTuning.MOST_ROWS);
        this.search = search;
    }

    @Override
    public void open(OperatorContext<Map<String, String>> operatorContext) {
        context = operatorContext;
    }

    @Override
    public void element(byte[] other) {
        share().merge(other);
    }

    @Override
    public void finish() throws Exception {
        Map<String, String> found = search.find(share());
        LOG.info(
                "Of {} rows, {} has the options {}", share().rows(), search.tuning().name(), found);
        context.emit(found);
    }
}
