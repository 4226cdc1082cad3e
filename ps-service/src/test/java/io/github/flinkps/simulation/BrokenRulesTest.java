package io.github.flinkps.simulation;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Breaks a rule of the protocol in the source of a class, and lets the simulation find out: one
 * that it does not find proves nothing when it finds none.
 */
class BrokenRulesTest {
    private static final int MOST_SEEDS = 400;
    private static final String PACKAGE = "io.github.flinkps.";

    @TempDir private Path classes;

    /** A rule, the class that keeps it, and what breaks it. */
    enum Rule {
        ENTRIES_ARE_HELD_BEHIND_A_MARKER(
                "server/OwnerCuts", "return ledger.holds(worker);", "return false;"),
        CLOCKS_ARE_HELD_TOO(
                "server/OwnerModel",
                "cuts.hold(worker, request);",
                "cuts.hold(worker, request);"
                        + " advance(standing, worker, request);"
                        + " for (PartitionLog log : logs) { advance(log, worker, request); }"),
        A_RETRY_IS_APPLIED_ONCE(
                "server/OwnerModel",
                "request.sequence()) != Place.NEXT)",
                "request.sequence()) == Place.EARLY)"),
        EVERY_PARTITION_ROLLS_BACK(
                "server/CutRestore", "partitions.forEach(", "partitions.stream().skip(1).forEach("),
        UNFINISHED_ROUNDS_ARE_PART_OF_A_CUT(
                "server/OwnerPart", "pending.forEach(this::append);", ""),
        A_CUT_WAITS_FOR_ALL_MARKERS(
                "server/CutLedger",
                "if (!oldest.getValue().isMarked(worker) && !finished.test(worker)) {",
                "if (false) {"),
        ROWS_ARE_SAVED_BEFORE_THEY_ARE_WRITTEN(
                "server/store/Partition",
                "frozen.beforeWrite(changes.current(), rows, from, to);",
                "changes.current().set(rows, from, to);"),
        INCREMENTS_BEGIN_AT_A_COMPLETE_CUT(
                "server/CutImage",
                "partition.completed(complete.base());",
                "partition.completed(cut - 1);"),
        WAITING_WORKERS_ARE_SENT_ON_TO_THE_BARRIER(
                "server/OwnerCuts",
                "return ledger.isEmpty() ? 0 : ledger.blocking(worker, lags);",
                "return 0;"),
        RESIDUALS_ARE_PART_OF_A_CHECKPOINT(
                "client/Residuals", "rows.put(saved.keys()[row], sum, 0, 1);", ""),
        RESIDUALS_STAY_AS_THEY_WERE_SAVED("client/ResidualRows", "if (shared) {", "if (false) {");

        private final String source;
        private final String kept;
        private final String broken;

        Rule(String source, String kept, String broken) {
            this.source = source;
            this.kept = kept;
            this.broken = broken;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isMissedByTheSimulation(Rule rule) throws Exception {
        compile(rule);
        long first = System.nanoTime();
        for (int i = 0; i < MOST_SEEDS; i++) {
            if (fails(first + i)) {
                System.out.println(
                        "without " + rule + ": found with seed " + (first + i) + ", run " + i);
                return;
            }
        }
        assertThat(rule)
                .as("%d runs from seed %d have not found that it is broken", MOST_SEEDS, first)
                .isNull();
    }

    /** Or what is found above would be the class loader's fault. */
    @Test
    void findsNothingWhereNoRuleIsBroken() throws Exception {
        long first = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            assertThat(fails(first + i)).as("seed %d", first + i).isFalse();
        }
    }

    private void compile(Rule rule) throws IOException {
        Path original = Path.of("src/main/java/io/github/flinkps").resolve(rule.source + ".java");
        String source = Files.readString(original);
        assertThat(source).containsOnlyOnce(rule.kept);
        Path changed = classes.resolve("src").resolve(original.getFileName());
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, source.replace(rule.kept, rule.broken));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of(
                            "-proc:none",
                            "-nowarn",
                            "-d",
                            classes.toString(),
                            "-cp",
                            System.getProperty("java.class.path"));
            assertThat(
                            compiler.getTask(
                                            null,
                                            files,
                                            null,
                                            options,
                                            null,
                                            files.getJavaFileObjects(changed))
                                    .call())
                    .isTrue();
        }
    }

    private boolean fails(long seed) throws ReflectiveOperationException {
        ClassLoader broken = new Broken();
        Method run =
                broken.loadClass(PACKAGE + "simulation.CutSimulation")
                        .getMethod("withFaults", long.class);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(broken);
        try {
            run.invoke(null, seed);
            return false;
        } catch (InvocationTargetException e) {
            return true;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Loads our classes anew, the changed ones first. */
    private final class Broken extends ClassLoader {
        Broken() {
            super(BrokenRulesTest.class.getClassLoader());
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
}
