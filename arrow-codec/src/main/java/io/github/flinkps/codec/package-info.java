/**
 * Parameter ranges and key/row batches as Arrow IPC record batches, written into and read from
 * {@link java.nio.ByteBuffer}s without a copy in between, and the encodings of keys and values.
 *
 * <p>{@link io.github.flinkps.codec.BatchLayout} knows the shape of a batch and patches prebuilt
 * metadata; the columns themselves are written and read in place. {@link
 * io.github.flinkps.codec.RangeBatch} and {@link io.github.flinkps.codec.KeyedBatch} are the short
 * way for those who have arrays. Any Arrow implementation reads what is written here, and what it
 * writes with the same schema is read here. Malformed input ends in a {@link
 * io.github.flinkps.codec.CodecException} and nothing else.
 *
 * <p>No thread of its own: layouts and encodings are immutable and shared, buffers belong to the
 * caller.
 */
package io.github.flinkps.codec;
