package io.github.flinkps.flink.internal.compat;

import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FSDataOutputStreamWrapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives up uploads to object stores, for which Flink has no means: closing completes them. */
public final class Uploads {
    private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);

    private Uploads() {}

    /**
     * Aborts an upload where the stream is one of Hadoop's that can, as that of S3: then neither an
     * object nor parts of one stay, and closing does nothing more. Leaves other streams as they
     * are. The caller closes the stream.
     */
    public static void abort(FSDataOutputStream stream) {
        FSDataOutputStream out = stream;
        while (out instanceof FSDataOutputStreamWrapper wrapper) {
            out = wrapper.getWrappedDelegate();
        }
        try {
            // Each plug-in has classes of its own, and so none of them can be named here.
            Object ofHadoop = out.getClass().getMethod("getHadoopOutputStream").invoke(out);
            ofHadoop.getClass().getMethod("abort").invoke(ofHadoop);
        } catch (ReflectiveOperationException e) {
            LOG.debug("{} is completed, as it cannot be aborted", out, e);
        }
    }
}
