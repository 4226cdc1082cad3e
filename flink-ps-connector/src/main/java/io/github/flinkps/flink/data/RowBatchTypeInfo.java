package io.github.flinkps.flink.data;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The Flink type of {@link RowBatch}. */
public final class RowBatchTypeInfo extends TypeInformation<RowBatch> {
    /** The only instance that is needed. */
    public static final RowBatchTypeInfo INSTANCE = new RowBatchTypeInfo();

    private static final long serialVersionUID = 1L;

    private RowBatchTypeInfo() {}

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<RowBatch> getTypeClass() {
        return RowBatch.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<RowBatch> createSerializer(SerializerConfig config) {
        return new RowBatchSerializer();
    }

    /**
     * Returns the form Flink 1.x still calls in places; both are needed for one class file to serve
     * 1.20 and 2.x.
     */
    @Override
    @Deprecated
    public TypeSerializer<RowBatch> createSerializer(ExecutionConfig config) {
        return new RowBatchSerializer();
    }

    @Override
    public String toString() {
        return "RowBatch";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowBatchTypeInfo;
    }

    @Override
    public int hashCode() {
        return RowBatchTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof RowBatchTypeInfo;
    }
}
