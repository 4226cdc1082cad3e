package io.github.flinkps.flink.internal.compat;

import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/** Hands the records of a single input, and its end, to an {@link OperatorLogic}. */
final class OneInputOperator<I, O> extends LogicOperator<I, O>
        implements OneInputStreamOperator<I, O>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    OneInputOperator(StreamOperatorParameters<O> parameters, OperatorLogic<I, O> logic) {
        super(parameters, logic, 1);
    }

    @Override
    public void processElement(StreamRecord<I> element) throws Exception {
        element(element);
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        watermark(mark);
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        idleness(status);
    }

    @Override
    public void processLatencyMarker(LatencyMarker marker) {
        latency(marker);
    }

    @Override
    public void processRecordAttributes(RecordAttributes attributes) {
        attributes(attributes);
    }

    @Override
    public void setKeyContextElement1(StreamRecord<?> element) {}

    @Override
    public void setKeyContextElement2(StreamRecord<?> element) {}

    @Override
    public void endInput() throws Exception {
        logic.endOfElements();
    }
}
