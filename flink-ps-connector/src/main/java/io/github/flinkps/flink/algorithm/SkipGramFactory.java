package io.github.flinkps.flink.algorithm;

/** Makes {@link SkipGram} models from named options. */
public final class SkipGramFactory extends ReadingFactory {
    public SkipGramFactory() {
        super(SkipGram.NAME, SkipGram.OPTIONS, SkipGram::new);
    }

    @Override
    public RowShape rowShape() {
        return RowShape.SEQUENCE;
    }

    @Override
    public boolean learnsLabels() {
        return false;
    }
}
