package io.github.flinkps.flink.table.function;

import java.io.Serializable;
import org.apache.flink.table.types.inference.TypeInference;

/** The types that a function that scores takes and gives. */
interface PredictInference extends Serializable {
    TypeInference inference();
}
