package io.github.flinkps.testing;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Fails a test class that leaked memory. Registered for every test by {@code META-INF/services}.
 *
 * <ul>
 *   <li>Netty's leak detection is paranoid, and a leak it reports by the end of the class, after a
 *       garbage collection, fails the class.
 *   <li>A test parameter of type {@link BufferAllocator} is a fresh root allocator of 1 GiB, closed
 *       after the test; a buffer that is still allocated then fails the test.
 * </ul>
 */
public final class LeakExtension implements Extension, AfterAllCallback, ParameterResolver {
    private static final long ALLOCATOR_LIMIT = 1L << 30;
    private static final long COLLECTION_MILLIS = 5_000;
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
    private static final Queue<ResourceLeakDetector<Object>> DETECTORS =
            new ConcurrentLinkedQueue<>();

    static {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingFactory());
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        if (context.getParent().flatMap(ExtensionContext::getTestClass).isPresent()) {
            return; // a nested class ends with the one around it
        }
        List<String> leaks = collectLeaks();
        if (!leaks.isEmpty()) {
            throw new AssertionError(
                    leaks.size() + " buffers were not released:\n" + String.join("\n", leaks));
        }
    }

    /** The leaks reported since the last call, after a garbage collection that finds more. */
    static List<String> collectLeaks() throws InterruptedException {
        if (!DETECTORS.isEmpty()) {
            awaitCollection();
            for (ResourceLeakDetector<Object> detector : DETECTORS) {
                Object probe = new Object();
                ResourceLeakTracker<Object> tracker = detector.track(probe); // reports what is due
                if (tracker != null) {
                    tracker.close(probe);
                }
            }
        }
        List<String> leaks = new ArrayList<>();
        for (String leak = LEAKS.poll(); leak != null; leak = LEAKS.poll()) {
            leaks.add(leak);
        }
        return leaks;
    }

    /**
     * Returns once all references cleared by a new collection have been enqueued, or after some
     * seconds. The reference handler takes the references of one collection as a whole and in no
     * order: those of the first are all enqueued when the second's canary is.
     */
    private static void awaitCollection() throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            ReferenceQueue<Object> queue = new ReferenceQueue<>();
            PhantomReference<Object> canary = new PhantomReference<>(new Object(), queue);
            System.gc();
            queue.remove(COLLECTION_MILLIS);
            canary.clear();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == BufferAllocator.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        BufferAllocator allocator = new RootAllocator(ALLOCATOR_LIMIT);
        // Closed with the store of the test (or of the class, for one in its constructor).
        context.getStore(Namespace.create(LeakExtension.class)).put(allocator, allocator);
        return allocator;
    }

    private static final class RecordingFactory extends ResourceLeakDetectorFactory {
        @Override
        @Deprecated
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maxActive) {
            return record(new RecordingDetector<>(resource, samplingInterval));
        }

        @Override
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval) {
            return record(new RecordingDetector<>(resource, samplingInterval));
        }

        @SuppressWarnings("unchecked") // a detector only ever passes its resource on
        private static <T> ResourceLeakDetector<T> record(ResourceLeakDetector<T> detector) {
            DETECTORS.add((ResourceLeakDetector<Object>) detector);
            return detector;
        }
    }

    private static final class RecordingDetector<T> extends ResourceLeakDetector<T> {
        RecordingDetector(Class<?> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resource, String records) {
            LEAKS.add(resource + records);
        }

        @Override
        protected void reportUntracedLeak(String resource) {
            LEAKS.add(resource + " (untraced)");
        }
    }
}
