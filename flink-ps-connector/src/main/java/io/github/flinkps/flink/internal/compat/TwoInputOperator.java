package io.github.flinkps.flink.internal.compat;

import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

/** Input 1 is the logic's; of input 2 all is ignored but the records, by a {@link SecondInput}. */
final class TwoInputOperator<I, S, O> extends LogicOperator<I, O>
        implements TwoInputStreamOperator<I, S, O>, BoundedMultiInput {
    private static final long serialVersionUID = 1L;

    TwoInputOperator(StreamOperatorParameters<O> parameters, OperatorLogic<I, O> logic) {
        super(parameters, logic, 2);
    }

    @Override
    public void processElement1(StreamRecord<I> element) throws Exception {
        element(element);
    }

    @Override
    @SuppressWarnings("unchecked") // StreamGraphs connects such a logic with its records only
    public void processElement2(StreamRecord<S> element) throws Exception {
        if (logic instanceof SecondInput<?> second) {
            ((SecondInput<S>) second).second(element.getValue());
        }
    }

    @Override
    public void processWatermark1(Watermark mark) throws Exception {
        watermark(mark);
    }

    @Override
    public void processWatermark2(Watermark mark) {}

    @Override
    public void processWatermarkStatus1(WatermarkStatus status) throws Exception {
        idleness(status);
    }

    @Override
    public void processWatermarkStatus2(WatermarkStatus status) {}

    @Override
    public void processLatencyMarker1(LatencyMarker marker) {
        latency(marker);
    }

    @Override
    public void processLatencyMarker2(LatencyMarker marker) {}

    @Override
    public void processRecordAttributes1(RecordAttributes attributes) {
        attributes(attributes);
    }

    @Override
    public void processRecordAttributes2(RecordAttributes attributes) {}

    @Override
    public void setKeyContextElement1(StreamRecord<?> element) {}

    @Override
    public void setKeyContextElement2(StreamRecord<?> element) {}

    @Override
    public void endInput(int input) throws Exception {
        if (input == 1) {
            logic.endOfElements();
        } else if (logic instanceof SecondInput<?> second) {
            second.endOfSecond();
        }
    }
}
