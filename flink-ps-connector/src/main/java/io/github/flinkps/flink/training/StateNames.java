package io.github.flinkps.flink.training;

/** The names of a worker's operator state: savepoints hold these, so that none may change. */
public final class StateNames {
    /** The point at which the worker stands. */
    public static final String STANDING = "flink-ps-worker";

    /** The rows of each worker that wait to be trained, {@code RowBatch}es. */
    public static final String WAITING = "flink-ps-rows";

    /** The mini-batches of each worker that later passes train again. */
    public static final String CACHED = "flink-ps-cached-batches";

    /** The updates that each worker retains, {@code Residual}s. */
    public static final String RESIDUALS = "flink-ps-residuals";

    /** The reference to the cut. */
    public static final String CUT = "flink-ps-cut";

    private StateNames() {}
}
