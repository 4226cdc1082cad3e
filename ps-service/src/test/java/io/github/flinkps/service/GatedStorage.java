package io.github.flinkps.service;

import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Local files, which cannot be read or written for a while. */
final class GatedStorage implements ModelStorage {
    private final ModelStorage local = new LocalModelStorage();
    final CountDownLatch reading = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);

    /** End of the names of files that cannot be read or written yet; null: all can. */
    volatile String gated;

    @Override
    public ReadableByteChannel open(String file) throws IOException {
        pass(file);
        return local.open(file);
    }

    private void pass(String file) throws IOException {
        String suffix = gated;
        if (suffix != null && file.endsWith(suffix)) {
            reading.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public Output create(String file) throws IOException {
        pass(file);
        return local.create(file);
    }

    @Override
    public boolean exists(String path) throws IOException {
        return local.exists(path);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return local.list(directory);
    }

    @Override
    public long bytes(String path) throws IOException {
        return local.bytes(path);
    }

    @Override
    public void makeDirectories(String directory) throws IOException {
        local.makeDirectories(directory);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        local.rename(from, to);
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        local.syncDirectory(directory);
    }

    @Override
    public void delete(String path) throws IOException {
        local.delete(path);
    }
}
