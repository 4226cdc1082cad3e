package io.github.flinkps.flink.internal.compat;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;

/**
 * Makes the operator of an {@link OperatorLogic} on a task.
 *
 * @param <I> records of input 1
 * @param <S> records of input 2
 * @param <O> records emitted
 */
public final class TwoInputOperatorFactory<I, S, O> extends AbstractStreamOperatorFactory<O>
        implements TwoInputStreamOperatorFactory<I, S, O>, Marked {
    private static final long serialVersionUID = 1L;

    private final OperatorLogic<I, O> logic;
    private transient String mark = "";

    public TwoInputOperatorFactory(OperatorLogic<I, O> logic) {
        this.logic = logic;
    }

    @Override
    public String mark() {
        return mark;
    }

    @Override
    public void mark(String given) {
        this.mark = given;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Flink's signature
    public <T extends StreamOperator<O>> T createStreamOperator(
            StreamOperatorParameters<O> parameters) {
        String job = parameters.getContainingTask().getEnvironment().getJobID().toString();
        return (T) new TwoInputOperator<I, S, O>(parameters, logic.ofJob(job));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
        return TwoInputOperator.class;
    }
}
