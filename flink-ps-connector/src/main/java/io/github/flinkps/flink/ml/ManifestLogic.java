package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.SecondInput;
import io.github.flinkps.flink.service.JobFolders;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.worker.PollingLogic;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.types.Row;

/**
 * Emits a row of model data for every version that training has saved. Of versions that come
 * between two looks the newest one counts.
 */
final class ManifestLogic extends PollingLogic<Row> implements SecondInput<TrainingProgress> {
    private static final long serialVersionUID = 1L;

    private final String folder;
    private final int kept;
    private transient ListState<Long> state;
    private transient String versions;
    private transient long emitted;

    /**
     * @param folder of versions, with {@link JobFolders#JOB} in it
     * @param onTheWay whether versions are saved before the end, too
     * @param kept newest versions whose files are kept
     */
    ManifestLogic(String folder, boolean onTheWay, int kept) {
        super(onTheWay);
        this.folder = folder;
        this.kept = kept;
    }

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        state = states.getListState(new ListStateDescriptor<>("emitted-version", Types.LONG));
        for (long before : state.get()) {
            emitted = Math.max(emitted, before);
        }
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        state.clear();
        state.add(emitted);
    }

    @Override
    public void open(OperatorContext<Row> operatorContext) {
        versions = JobFolders.of(folder, operatorContext.jobId());
        super.open(operatorContext);
    }

    @Override
    protected void look() throws IOException {
        NavigableMap<Long, String> there = ModelData.versions(versions);
        if (there.isEmpty() || there.lastKey() <= emitted) {
            return;
        }
        Map.Entry<Long, String> newest = there.lastEntry();
        emitted = newest.getKey();
        context().emit(ModelData.of(newest.getValue(), emitted).row());
        ModelData.keepNewest(versions, kept);
    }

    @Override
    public void second(TrainingProgress progress) {}

    @Override
    public void endOfSecond() {}

    @Override
    public void finish() throws Exception {
        super.finish();
        if (emitted == 0) {
            throw new IllegalStateException(
                    "training has ended, but saved no model in " + versions);
        }
    }
}
