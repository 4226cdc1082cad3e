package io.github.flinkps.flink;

import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.training.worker.PollingLogic;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Emits each version that a run publishes. */
final class VersionsLogic extends PollingLogic<TrainedVersion> {
    private static final Logger LOG = LoggerFactory.getLogger(VersionsLogic.class);
    private static final long serialVersionUID = 1L;

    private final RunVersions versions;
    private transient ListState<String> state;
    private transient Set<String> others;
    private transient String emitted;

    VersionsLogic(RunVersions versions, boolean onTheWay) {
        super(onTheWay);
        this.versions = versions;
    }

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        state = states.getListState(new ListStateDescriptor<>("emitted-version", Types.STRING));
        others = new HashSet<>();
        emitted = "";
        for (String before : state.get()) {
            emitted = before;
        }
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        state.update(emitted.isEmpty() ? List.of() : List.of(emitted));
    }

    @Override
    protected void look() {
        for (TrainedVersion version : versions.after(emitted, others)) {
            emitted = version.id();
            context().emit(version);
        }
    }

    @Override
    public void finish() throws Exception {
        super.finish();
        if (emitted.isEmpty()) {
            LOG.warn("Training has ended, but there is no model of its in {}", versions);
        }
    }
}
