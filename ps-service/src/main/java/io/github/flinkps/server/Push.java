package io.github.flinkps.server;

import io.netty.buffer.ByteBuf;
import java.nio.FloatBuffer;

/**
 * Gradients for rows of one table, within the frame they came in. Confined to the owner thread, but
 * for what {@link #pin} keeps.
 *
 * @param rows in slices of one partition each
 * @param frame that holds the gradients; retained, as the rows are, only while the push waits for
 *     its round
 * @param gradients of all rows
 * @param weight sum of row weights of the mini-batch
 */
record Push(RowSet rows, ByteBuf frame, FloatBuffer gradients, double weight) {
    /** Returns where the gradients of a slice begin. */
    int from(int slice) {
        return rows.starts[slice] * rows.table().spec().width();
    }

    /** Returns the number of gradients of a slice. */
    int floats(int slice) {
        return rows.rows(slice) * rows.table().spec().width();
    }

    /** Copies the gradients of a slice into an array; any thread. */
    void copy(int slice, float[] into) {
        gradients.get(from(slice), into, 0, floats(slice));
    }

    /** Keeps frame and rows until {@link #release}. */
    void retain() {
        frame.retain();
        rows.retain();
    }

    void release() {
        frame.release();
        rows.release();
    }

    /** Keeps its rows for ever, and its frame until {@link #releaseFrame}, on whatever thread. */
    void pin() {
        frame.retain();
        rows.pin();
    }

    void releaseFrame() {
        frame.release();
    }
}
