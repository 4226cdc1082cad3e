package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.CutMessages;
import io.github.flinkps.security.AccessRules.Right;
import io.github.flinkps.server.ServerConfig.CutLimits;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The control loop's part in cuts: where those of an attempt go, the roll-back to one, and what
 * becomes of each. Confined to the control loop, but for what it is told as a {@link CutListener}.
 */
final class CutControl implements CutListener {
    private static final long SWEEP_NANOS = 50_000_000;

    /** Most characters of why a cut was given up: they are kept. */
    private static final int MOST_OF_REASON = 512;

    /** The beginning of an attempt's cuts, over or under way. */
    private static final class Begun {
        private final long fence;
        private final AdminMessages.BeginCuts message;
        private final List<Consumer<Begun>> waiting = new ArrayList<>();
        private long[] clocks;
        private Throwable failure;

        Begun(long fence, AdminMessages.BeginCuts message) {
            this.fence = fence;
            this.message = message;
        }

        private boolean succeeded(String run) {
            return clocks != null && message.run().equals(run);
        }

        private boolean isOver() {
            return clocks != null || failure != null;
        }

        void whenOver(Consumer<Begun> then) {
            waiting.add(then);
            if (isOver()) {
                tell();
            }
        }

        void over(long[] newClocks, Throwable error) {
            clocks = newClocks;
            failure = error;
            tell();
        }

        private void tell() {
            List<Consumer<Begun>> told = List.copyOf(waiting);
            waiting.clear();
            told.forEach(then -> then.accept(this));
        }
    }

    private final Loop loop;
    private final List<Owner> owners;
    private final OwnerCommands commands;
    private final CutWork work;
    private final ServerConfig config;
    private final ModelFolders folders;
    private final CutOutcomes outcomes;
    private final Map<String, Begun> begun = new HashMap<>();
    private boolean sweeping;
    private boolean rehearsed;

    /**
     * @param work null for a server that keeps no cuts
     */
    CutControl(
            Loop loop,
            List<Owner> owners,
            OwnerCommands commands,
            CutWork work,
            ServerConfig config) {
        this.loop = loop;
        this.owners = owners;
        this.commands = commands;
        this.work = work;
        this.config = config;
        this.folders = new ModelFolders(work == null ? null : work.storage(), config.modelRoot());
        this.outcomes = new CutOutcomes(owners.size());
    }

    /**
     * Begins the cuts of an attempt, when its first worker says where they go and what it goes on
     * from. Answers each worker when they have begun.
     */
    void begin(
            Registrations.Registration worker,
            ModelEntry entry,
            AdminMessages.BeginCuts message,
            ControlAnswer answer) {
        if (work == null) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT, "this server has no storage for cuts");
        }
        if (worker.worker() < 0 || message.directory().isEmpty()) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a worker begins cuts, and says where they go; not session "
                            + message.session()
                            + " in '"
                            + message.directory()
                            + "'");
        }
        checkReach(message.directory());
        folders.check(worker.access(), message.directory(), Right.TRAIN);
        if (!message.manifest().isEmpty()) {
            folders.check(worker.access(), message.manifest(), Right.READ);
        }
        Begun known = begun.get(worker.model());
        if (known == null || known.fence < worker.fence()) {
            boolean kept = message.keeps() && known != null && known.succeeded(message.run());
            known = new Begun(worker.fence(), message);
            begun.put(worker.model(), known);
            try {
                start(worker.model(), entry, known, kept);
            } catch (RuntimeException | Error e) {
                known.over(null, e); // who comes later would wait for ever
            }
        }
        checkSame(known.message, message);
        known.whenOver(
                now -> {
                    if (now.failure != null) {
                        answer.fail(now.failure);
                    } else {
                        answer.send(new CutMessages.Begun(now.clocks[worker.worker()])::write);
                        rehearse(); // behind what is restored
                    }
                });
    }

    private void rehearse() {
        if (!rehearsed) {
            rehearsed = true;
            work.thread().execute(work.rehearsal());
        }
    }

    private void checkReach(String directory) {
        try {
            String unused = work.storage().place(directory);
        } catch (IllegalArgumentException e) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "model-root cannot be used by this server: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns whether an attempt of the run has begun to train the model here, and it is still
     * there.
     */
    boolean hasTrained(String model, String run) {
        Begun last = begun.get(model);
        return last != null && last.succeeded(run);
    }

    /** Forgets the attempt that began cuts of a model, as the model is dropped. */
    void forget(String model) {
        begun.remove(model);
        outcomes.forget(model);
    }

    /** Lets go of whoever waits over a connection that is gone. */
    void closed(Connection connection) {
        outcomes.closed(connection);
    }

    private static void checkSame(AdminMessages.BeginCuts before, AdminMessages.BeginCuts message) {
        if (!before.run().equals(message.run())
                || !before.directory().equals(message.directory())
                || !before.manifest().equals(message.manifest())
                || before.checksum() != message.checksum()
                || before.keeps() != message.keeps()) {
            throw new PsException(
                    ErrorCode.CONFLICTING_DEFINITION,
                    "the attempt goes on from cut '"
                            + before.manifest()
                            + "' in "
                            + before.directory()
                            + ", not from '"
                            + message.manifest()
                            + "' in "
                            + message.directory());
        }
    }

    private void start(String model, ModelEntry entry, Begun attempt, boolean kept) {
        List<CutContext> contexts = new ArrayList<>();
        for (int i = 0; i < owners.size(); i++) {
            contexts.add(context(model, entry, attempt, i));
        }
        if (attempt.message.manifest().isEmpty()) {
            commands.<long[]>everywhere(
                    owner -> owner.beginCuts(contexts.get(owners.indexOf(owner))),
                    clocks -> attempt.over(clocks.get(0), null),
                    error -> attempt.over(null, error));
            return;
        }
        new CutRestore(
                        work,
                        owners,
                        contexts,
                        attempt.message,
                        new CutRestore.Attempt(entry.workers(), kept),
                        (clocks, error) -> onLoop(() -> attempt.over(clocks, error)))
                .start();
    }

    private CutContext context(String model, ModelEntry entry, Begun attempt, int owner) {
        long millis = attempt.message.timeoutMillis();
        CutLimits limits = config.cuts();
        return new CutContext(
                owners.get(owner).loop(),
                new OwnerModel.OwnerShare(entry.server(), entry.servers(), owner, owners.size()),
                work,
                this,
                new CutContext.Attempt(
                        model, attempt.fence, attempt.message.run(), attempt.message.directory()),
                new CutLimits(
                        millis > 0 ? Duration.ofMillis(millis) : limits.timeout(),
                        limits.holdBytes(),
                        limits.savedBytes()));
    }

    /** Answers when a cut is durable here, or has failed. */
    void await(Registrations.Registration of, long cut, long deadline, ControlAnswer answer) {
        beginSweeps();
        outcomes.await(
                new CutOutcomes.Name(of.model(), of.fence(), cut),
                new CutOutcomes.Waiter(
                        answer.connection(),
                        deadline,
                        parts -> answer.send(new CutMessages.Written(parts)::write),
                        answer::fail));
    }

    /** Begins to sweep deadlines; to be called before anybody waits. */
    private void beginSweeps() {
        if (!sweeping) {
            loop.schedule(this::sweep, SWEEP_NANOS);
            sweeping = true;
        }
    }

    private void sweep() {
        sweeping = false;
        try {
            outcomes.expire(loop.nanoTime() + 2 * SWEEP_NANOS);
        } finally {
            if (outcomes.hasWaiters()) {
                beginSweeps();
            }
        }
    }

    /** Gives a cut up, at every owner. */
    void abort(
            Registrations.Registration of, AdminMessages.AbortCut message, ControlAnswer answer) {
        CutOutcomes.Name name = new CutOutcomes.Name(of.model(), of.fence(), message.cut());
        String reason = message.reason();
        outcomes.failed(name, reason.substring(0, Math.min(reason.length(), MOST_OF_REASON)));
        commands.everywhere(owner -> owner.abortCut(name), answer, () -> answer.send(out -> {}));
    }

    @Override
    public void written(CutOutcomes.Name cut, int owner, byte[] part) {
        onLoop(
                () -> {
                    if (begun.containsKey(cut.model())) { // else it has been dropped
                        outcomes.written(cut, owner, part);
                    }
                });
    }

    @Override
    public void failed(CutOutcomes.Name cut, String reason) {
        onLoop(
                () -> {
                    if (begun.containsKey(cut.model()) && outcomes.failed(cut, reason)) {
                        owners.forEach(owner -> owner.loop().execute(() -> owner.abortCut(cut)));
                    }
                });
    }

    private void onLoop(Runnable command) {
        try {
            loop.execute(command);
        } catch (RejectedExecutionException e) {
            // The server closes: nobody waits any more.
        }
    }

    /** Forgets the cuts of attempts before a newer one that has taken the model over. */
    void fence(String model, long fence) {
        outcomes.fence(model, fence);
    }

    void close() {
        outcomes.close();
    }
}
