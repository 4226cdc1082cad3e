package io.github.flinkps.server;

import io.github.flinkps.model.ModelStorage;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The means by which a server's cuts are written and read.
 *
 * @param storage where they go
 * @param allocator of buffers for files
 * @param thread runs what may block, one after the other
 * @param rehearsal runs once on that thread, before the server's first cut, so that this one slows
 *     down training no more than others
 */
public record CutWork(
        ModelStorage storage, BufferAllocator allocator, Executor thread, Runnable rehearsal) {}
