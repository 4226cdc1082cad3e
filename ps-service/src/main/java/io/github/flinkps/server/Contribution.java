package io.github.flinkps.server;

import io.netty.buffer.ByteBuf;
import java.nio.FloatBuffer;

/**
 * A push to one partition: a slice of rows, and their gradients within the frame they came in.
 *
 * @param rows the section's rows
 * @param slice of them
 * @param frame that holds the gradients; retained, as the rows are, only while the push waits for
 *     its round
 * @param gradients all of the section's
 * @param weight sum of row weights of the mini-batch
 */
record Contribution(RowSet rows, int slice, ByteBuf frame, FloatBuffer gradients, double weight) {
    /** The gradients of the slice. */
    FloatBuffer values() {
        int width = rows.table().spec().width();
        int from = rows.starts[slice] * width;
        return gradients.slice(from, rows.rows(slice) * width);
    }

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
