package io.github.flinkps.flink.internal.compat;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Knows the {@link OperatorLogic} of an operator, and carries a mark. */
abstract class LogicOperatorFactory<I, O> extends AbstractStreamOperatorFactory<O> {
    private static final long serialVersionUID = 1L;

    private final OperatorLogic<I, O> logic;

    /** The operator's mark, or empty. It is not carried into the job. */
    private transient String mark = "";

    LogicOperatorFactory(OperatorLogic<I, O> logic) {
        this.logic = logic;
    }

    /** Returns what does the work in the job of a task. */
    final OperatorLogic<I, O> logic(StreamOperatorParameters<O> parameters) {
        return logic.ofJob(parameters.getContainingTask().getEnvironment().getJobID().toString());
    }

    final String mark() {
        return mark;
    }

    final void mark(String given) {
        this.mark = given;
    }
}
