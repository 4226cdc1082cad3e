package io.github.flinkps.flink.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class TrainingProgressTest {
    /** Flink knows the type; Kryo would take one that it does not know. */
    @Test
    void flinkSerializesItAsAPlainObject() throws Exception {
        TypeInformation<TrainingProgress> type = TypeInformation.of(TrainingProgress.class);
        assertThat(type).isInstanceOf(PojoTypeInfo.class);
        SerializerConfigImpl config = new SerializerConfigImpl();
        config.setGenericTypes(false);
        TypeSerializer<TrainingProgress> serializer = type.createSerializer(config);
        TrainingProgress progress =
                new TrainingProgress(
                        3,
                        2,
                        true,
                        5,
                        1.5,
                        10,
                        99,
                        640,
                        10,
                        2,
                        1000,
                        2000,
                        Double.NaN,
                        7.5,
                        64,
                        0.25,
                        1);
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(progress, out);
        assertThat(serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
                .isEqualTo(progress);
    }
}
