package io.github.flinkps.harness.oracle;

import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceEnumerator;

/** Numbers from 0 on, which end, whether it says so or not; replayed from where a reader stood. */
final class OracleSource extends NumberSequenceSource {
    private static final long serialVersionUID = 1L;

    /**
     * The number of splits: more than there are readers, so that each has some, however many there
     * are later.
     */
    private static final int SPLITS = 48;

    private final long count;
    private final boolean bounded;

    OracleSource(long count, boolean bounded) {
        super(0, count - 1);
        this.count = count;
        this.bounded = bounded;
    }

    @Override
    public Boundedness getBoundedness() {
        return bounded ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
            SplitEnumeratorContext<NumberSequenceSplit> context) {
        List<NumberSequenceSplit> splits = splitNumberRange(0, count - 1, SPLITS);
        return new IteratorSourceEnumerator<>(context, splits);
    }
}
