package io.github.flinkps.flink.training.worker;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.internal.compat.SlotHeap;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.service.ServiceSpec;
import io.github.flinkps.flink.service.TaskService;
import io.github.flinkps.flink.training.WorkerReport;
import java.util.UUID;
import java.util.function.Function;

/**
 * The whole of training in one task, for BATCH runtime mode: the worker, and the service on a
 * thread of its own. Passes are gone through at the end of the input, where no checkpoint waits.
 * Every attempt trains from the start, under a run of its own, and its model is published as the
 * last thing it does.
 *
 * @param <T> the records of the input
 */
public final class TaskTraining<T> implements OperatorLogic<T, WorkerReport> {
    private static final long serialVersionUID = 1L;

    private final TrainingSettings settings;
    private final TrainingModel model;
    private final ServiceSpec spec;
    private final ServiceBackend backend;
    private final ModelArchive archive;
    private final Rows<T> rows;
    private transient OperatorContext<WorkerReport> context;
    private transient TaskService service;
    private transient OperatorLogic<T, WorkerReport> worker;
    private transient boolean written;

    /** Lets a worker take the records. */
    public interface Rows<T>
            extends Function<TrainingOperator, OperatorLogic<T, WorkerReport>>,
                    java.io.Serializable {}

    /**
     * @param rows what takes records and hands their rows to the worker
     */
    public TaskTraining(
            TrainingSettings settings,
            TrainingModel model,
            ServiceSpec spec,
            ServiceBackend backend,
            ModelArchive archive,
            Rows<T> rows) {
        this.settings = settings;
        this.model = model;
        this.spec = spec;
        this.backend = backend;
        this.archive = archive;
        this.rows = rows;
    }

    @Override
    public void open(OperatorContext<WorkerReport> operatorContext) throws Exception {
        context = operatorContext;
        String attempt = settings.model().run() + "-" + UUID.randomUUID();
        long heap = SlotHeap.bytes(context.taskManager());
        service = new TaskService(spec, attempt, backend, archive, heap, new ServiceMails());
        worker = rows.apply(new TrainingOperator(settings.withRun(attempt), model, backend));
        service.start();
        worker.open(context);
    }

    /** Hands what the service tells over to the task's thread. */
    private final class ServiceMails implements TaskService.Listener {
        @Override
        public void written() {
            context.execute(() -> written = true, "model written");
        }

        @Override
        public void failed(Exception failure) {
            context.execute(
                    () -> {
                        throw failure;
                    },
                    "service failed");
        }
    }

    @Override
    public void element(T record) throws Exception {
        worker.element(record);
    }

    @Override
    public void endOfElements() throws Exception {
        worker.endOfElements();
        while (!written) {
            context.yieldToMailbox();
        }
    }

    @Override
    public void finish() throws Exception {
        worker.finish();
        service.publish();
    }

    @Override
    public void close() throws Exception {
        try {
            if (worker != null) {
                worker.close();
            }
        } finally {
            if (service != null) {
                service.close();
                service = null;
            }
        }
    }
}
