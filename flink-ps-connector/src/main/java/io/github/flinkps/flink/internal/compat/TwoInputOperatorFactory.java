package io.github.flinkps.flink.internal.compat;

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
final class TwoInputOperatorFactory<I, S, O> extends LogicOperatorFactory<I, O>
        implements TwoInputStreamOperatorFactory<I, S, O> {
    private static final long serialVersionUID = 1L;

    TwoInputOperatorFactory(OperatorLogic<I, O> logic) {
        super(logic);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Flink's signature
    public <T extends StreamOperator<O>> T createStreamOperator(
            StreamOperatorParameters<O> parameters) {
        return (T) new TwoInputOperator<I, S, O>(parameters, logic(parameters));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
        return TwoInputOperator.class;
    }
}
