package io.github.flinkps.flink.service;

import io.github.flinkps.flink.internal.compat.EndsWithItsJob;
import io.github.flinkps.model.cut.CutCatalog;
import java.util.OptionalLong;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.MetricGroup;

/**
 * Gives the parameter servers of a job their lifetime and joins its workers into one failover
 * region; carries no data. Embedded: each reader hosts one server. Remote: one reader stands for
 * the cluster. It ends when all workers are done and the model is saved (see {@link
 * ServiceEnumerator}), so that a worker's task lives, and its mailbox runs, until then.
 *
 * <p>It calls itself unbounded although it ends: so a job of bounded inputs is run in STREAMING
 * mode also where the mode is AUTOMATIC. The edge to the workers is {@code rebalance()}.
 */
public final class ServiceSource implements Source<Void, ServiceSplit, Long>, EndsWithItsJob {
    private static final long serialVersionUID = 1L;

    /** The variable of every metric of a job that holds the job's id. */
    private static final String JOB_ID = "<job_id>";

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
        backend.open(context.getConfiguration());
        TaskHost host = TaskHost.of(context.getConfiguration(), context.getLocalHostName());
        ServiceSpec ofJob = ofJob(context.metricGroup());
        return new ServiceReader(context, new ServiceHost(ofJob, run, backend, archive, host));
    }

    @Override
    public SplitEnumerator<ServiceSplit, Long> createEnumerator(
            SplitEnumeratorContext<ServiceSplit> context) {
        return enumerator(context, OptionalLong.empty());
    }

    @Override
    public SplitEnumerator<ServiceSplit, Long> restoreEnumerator(
            SplitEnumeratorContext<ServiceSplit> context, Long highestFence) {
        return enumerator(context, OptionalLong.of(highestFence));
    }

    private ServiceEnumerator enumerator(
            SplitEnumeratorContext<ServiceSplit> context, OptionalLong restored) {
        ServiceSpec ofJob = ofJob(context.metricGroup());
        ServiceRegistry registry = new ServiceRegistry(ofJob.servers().directory(), run);
        CutCatalog cuts = new CutCatalog(new FlinkModelStorage(), ofJob.servers().directory());
        return new ServiceEnumerator(
                context, ofJob, run, registry, cuts, restored, System::nanoTime);
    }

    private ServiceSpec ofJob(MetricGroup metrics) {
        if (!JobFolders.isOfJob(spec.servers().directory())) {
            return spec;
        }
        String job = metrics.getAllVariables().get(JOB_ID);
        if (job == null) {
            throw new IllegalStateException("Flink does not tell its sources the id of the job");
        }
        return spec.ofJob(job);
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
