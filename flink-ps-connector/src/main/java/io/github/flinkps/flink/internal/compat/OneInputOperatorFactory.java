package io.github.flinkps.flink.internal.compat;

import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/**
 * Makes the operator of an {@link OperatorLogic} on a task.
 *
 * @param <I> records of input 1
 * @param <O> records emitted
 */
final class OneInputOperatorFactory<I, O> extends LogicOperatorFactory<I, O>
        implements OneInputStreamOperatorFactory<I, O> {
    private static final long serialVersionUID = 1L;

    OneInputOperatorFactory(OperatorLogic<I, O> logic) {
        super(logic);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Flink's signature
    public <T extends StreamOperator<O>> T createStreamOperator(
            StreamOperatorParameters<O> parameters) {
        return (T) new OneInputOperator<>(parameters, logic(parameters));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
        return OneInputOperator.class;
    }
}
