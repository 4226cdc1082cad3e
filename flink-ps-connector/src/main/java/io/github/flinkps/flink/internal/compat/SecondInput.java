package io.github.flinkps.flink.internal.compat;

/**
 * The methods that an {@link OperatorLogic} has too where input 2 carries records. Called on the
 * task's thread.
 *
 * @param <S> records of input 2
 */
public interface SecondInput<S> {
    /** Takes a record of input 2. */
    void second(S record) throws Exception;

    /** Tells that input 2 has ended. Must not wait: checkpoints still pass. */
    void endOfSecond() throws Exception;
}
