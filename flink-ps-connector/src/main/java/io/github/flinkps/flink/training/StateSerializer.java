package io.github.flinkps.flink.training;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes values of operator state that do not change. Flink copies state while the task stands
 * still and serializes the copy in a thread of its own: a copy here is the same reference, so that
 * whatever takes time is left to that thread. Stateless.
 *
 * @param <T> values
 */
public abstract class StateSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1L;

    @Override
    public T deserialize(T reuse, DataInputView in) throws IOException {
        return deserialize(in);
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        serialize(deserialize(in), out);
    }

    @Override
    public T copy(T from) {
        return from;
    }

    @Override
    public T copy(T from, T reuse) {
        return from;
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    @Override
    public int getLength() {
        return -1;
    }

    /** Returns whether the other is of the same class; serializers have no state. */
    @Override
    public abstract boolean equals(Object other);

    @Override
    public abstract int hashCode();
}
