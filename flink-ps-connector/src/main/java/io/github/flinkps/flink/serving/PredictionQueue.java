package io.github.flinkps.flink.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Questions to a model that are asked one by one and answered together: those that come while some
 * are being answered wait and are the next. Has a thread of its own, on which futures complete. Any
 * thread may ask; whoever asks bounds how many are open.
 *
 * @param <Q> a question
 * @param <A> its answer
 */
public final class PredictionQueue<Q, A> implements AutoCloseable {
    private static final int MOST = 1024;

    private final BlockingQueue<Asked<Q, A>> waiting = new LinkedBlockingQueue<>();
    private final ModelPredictor predictor;
    private final Work<Q, A> work;
    private final Thread thread;
    private volatile boolean closed;

    private record Asked<Q, A>(Q question, CompletableFuture<A> answer) {}

    /**
     * The function that answers questions.
     *
     * @param <Q> a question
     * @param <A> its answer
     */
    @FunctionalInterface
    public interface Work<Q, A> {
        /**
         * Answers in the order of the questions; what it throws is the answer to all of them.
         *
         * @param predictor for the time of the call
         */
        List<A> answer(ModelPredictor predictor, List<Q> questions) throws Exception;
    }

    /**
     * @param predictor from now on the queue's, which closes it
     */
    public PredictionQueue(ModelPredictor predictor, Work<Q, A> work) {
        this.predictor = predictor;
        this.work = work;
        this.thread = new Thread(this::run, "flink-ps-predictions");
        thread.setDaemon(true);
        thread.start();
    }

    /** Adds a question and returns its answer, which is exceptional after {@link #close}. */
    public CompletableFuture<A> ask(Q question) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        waiting.add(new Asked<>(question, answer));
        if (closed) {
            refuseWaiting();
        }
        return answer;
    }

    private void run() {
        List<Asked<Q, A>> together = new ArrayList<>();
        try {
            while (!closed) {
                together.add(waiting.take());
                waiting.drainTo(together, MOST - 1);
                answer(together);
                together.clear();
            }
        } catch (InterruptedException e) {
            together.forEach(PredictionQueue::refuse);
        }
    }

    private void answer(List<Asked<Q, A>> together) throws InterruptedException {
        try {
            List<A> answers =
                    work.answer(predictor, together.stream().map(Asked::question).toList());
            for (int i = 0; i < answers.size(); i++) {
                together.get(i).answer().complete(answers.get(i));
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            together.forEach(asked -> asked.answer().completeExceptionally(e));
        }
    }

    private void refuseWaiting() {
        for (Asked<Q, A> asked = waiting.poll(); asked != null; asked = waiting.poll()) {
            refuse(asked);
        }
    }

    private static void refuse(Asked<?, ?> asked) {
        asked.answer().completeExceptionally(new ServingException("closed", null));
    }

    /** Ends what is under way, waits for that, and closes the predictor. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        refuseWaiting();
        predictor.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
