package io.github.flinkps.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * All our classes anew, one of them compiled from a source in which a rule is broken: a simulation
 * that does not find that out proves nothing when it finds nothing.
 */
public final class ChangedClasses extends ClassLoader {
    private static final String PACKAGE = "io.github.flinkps.";

    private final Path classes;

    /**
     * @param folder that is empty
     */
    public ChangedClasses(Path folder) {
        super(ChangedClasses.class.getClassLoader());
        this.classes = folder;
    }

    /**
     * Changes a class; before any is loaded.
     *
     * @param source of the module under test, below our package and without its ending
     * @param kept what keeps the rule, once in the source
     * @param broken what it is replaced by
     */
    public void change(String source, String kept, String broken) throws IOException {
        Path original = Path.of("src/main/java/io/github/flinkps").resolve(source + ".java");
        String text = Files.readString(original);
        assertThat(text).containsOnlyOnce(kept);
        Path changed = classes.resolve("src").resolve(original.getFileName());
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, text.replace(kept, broken));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            String path = System.getProperty("java.class.path");
            List<String> options =
                    List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", path);
            var sources = files.getJavaFileObjects(changed);
            assertThat(compiler.getTask(null, files, null, options, null, sources).call()).isTrue();
        }
    }

    /**
     * Calls a public static method of a seed until it fails, with one of {@link Seeds} after the
     * other.
     *
     * @param type of ours, without our package
     * @return how many did not fail; {@code most} if none did
     */
    public int runsUntilFailure(String type, String method, long first, int most)
            throws ReflectiveOperationException {
        int runs = 0;
        try {
            while (runs < most) {
                run(type, method, Seeds.nth(first, runs));
                runs++;
            }
        } catch (InvocationTargetException e) {
            // Found.
        }
        return runs;
    }

    /**
     * Calls a public static method of a seed.
     *
     * @param type of ours, without our package
     * @throws InvocationTargetException if it fails
     */
    public Object run(String type, String method, long seed) throws ReflectiveOperationException {
        Method run = loadClass(PACKAGE + type).getMethod(method, long.class);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            return run.invoke(null, seed);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && name.startsWith(PACKAGE)) {
                byte[] bytes = bytes(name.replace('.', '/') + ".class");
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
    }

    private byte[] bytes(String path) throws ClassNotFoundException {
        try {
            Path changed = classes.resolve(path);
            if (Files.exists(changed)) {
                return Files.readAllBytes(changed);
            }
            try (InputStream in = getParent().getResourceAsStream(path)) {
                if (in == null) {
                    throw new ClassNotFoundException(path);
                }
                return in.readAllBytes();
            }
        } catch (IOException e) {
            throw new ClassNotFoundException(path, e);
        }
    }
}
