package io.github.flinkps.flink.service;

import io.github.flinkps.flink.internal.compat.SlotHeap;
import io.github.flinkps.model.CutCatalog;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Gives the parameter servers of a job their lifetime and joins its workers into one failover
 * region; carries no data. Embedded: each reader hosts one server. Remote: one reader stands for
 * the cluster. It ends when all workers are done and the model is saved (see {@link
 * ServiceEnumerator}), so that a worker's task lives, and its mailbox runs, until then.
 *
 * <p>It calls itself unbounded although it ends: so a job of bounded inputs is run in STREAMING
 * mode also where the mode is AUTOMATIC. The edge to the workers is {@code rebalance()}.
 */
public final class ServiceSource implements Source<Void, ServiceSplit, Long> {
    private static final long serialVersionUID = 1L;

    private final ServiceSpec spec;
    private final String run;
    private final ServiceBackend backend;
    private final ModelArchive archive;

    /**
     * @param run names the registry's entry; the same for source and workers, and different in
     *     every job that may run at a time
     */
    public ServiceSource(
            ServiceSpec spec, String run, ServiceBackend backend, ModelArchive archive) {
        this.spec = spec;
        this.run = run;
        this.backend = backend;
        this.archive = archive;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Void, ServiceSplit> createReader(SourceReaderContext context) {
        long heap = SlotHeap.bytes(context.getConfiguration());
        return new ServiceReader(context, new ServiceHost(spec, run, backend, archive, heap));
    }

    @Override
    public SplitEnumerator<ServiceSplit, Long> createEnumerator(
            SplitEnumeratorContext<ServiceSplit> context) {
        return enumerator(context, 0, false);
    }

    @Override
    public SplitEnumerator<ServiceSplit, Long> restoreEnumerator(
            SplitEnumeratorContext<ServiceSplit> context, Long highestFence) {
        return enumerator(context, highestFence, true);
    }

    private ServiceEnumerator enumerator(
            SplitEnumeratorContext<ServiceSplit> context, long highestFence, boolean restored) {
        ServiceRegistry registry = new ServiceRegistry(spec.directory(), run);
        CutCatalog cuts = new CutCatalog(new FlinkModelStorage(), spec.directory());
        return new ServiceEnumerator(context, spec, run, registry, cuts, highestFence, restored);
    }

    @Override
    public SimpleVersionedSerializer<ServiceSplit> getSplitSerializer() {
        return ServiceSplit.SERIALIZER;
    }

    @Override
    public SimpleVersionedSerializer<Long> getEnumeratorCheckpointSerializer() {
        return new FenceSerializer();
    }
}
