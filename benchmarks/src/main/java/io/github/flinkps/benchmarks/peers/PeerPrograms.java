package io.github.flinkps.benchmarks.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Installs peers by {@code benchmarks/environment} and names their programs. */
public final class PeerPrograms {
    /** The package of scikit-learn, which bundles liblinear. */
    public static final String SCIKIT_LEARN = "scikit-learn==1.7.2";

    private static final List<String> VOWPAL_WABBIT = List.of("vowpalwabbit==9.11.9");
    private static final List<String> SPARK =
            List.of("pyspark==3.5.7", "numpy==1.26.4", "setuptools==75.8.0");

    /** The title of Vowpal Wabbit's program with which aims compare. */
    static final String FTRL = "Vowpal Wabbit `--ftrl`";

    /** The title of Spark's program. */
    static final String MLLIB = "Spark MLlib, 30 iterations";

    /** The names of all peers, as options have them. */
    static final Set<String> NAMES = Set.of("vw", "liblinear", "spark");

    private final Path folder;
    private final Set<String> chosen;

    /**
     * @param folder of the scripts
     * @param chosen of {@link #NAMES}
     */
    PeerPrograms(Path folder, Set<String> chosen) {
        this.folder = folder;
        this.chosen = chosen;
    }

    /**
     * Returns those that are chosen, of Vowpal Wabbit's first.
     *
     * @throws IllegalStateException if one cannot be installed
     */
    List<Program> all() throws IOException, InterruptedException {
        List<Program> programs = new ArrayList<>(vowpalWabbit());
        if (chosen.contains("liblinear")) {
            programs.add(liblinear());
        }
        if (chosen.contains("spark")) {
            programs.add(spark());
        }
        return programs;
    }

    /** Returns Vowpal Wabbit's programs, if it is chosen. */
    List<Program> vowpalWabbit() throws IOException, InterruptedException {
        if (!chosen.contains("vw")) {
            return List.of();
        }
        String python = python(VOWPAL_WABBIT);
        Path script = folder.resolve("peers/vowpal_wabbit.py");
        return List.of(
                Program.peer(FTRL, python, script, "--ftrl"),
                Program.peer("Vowpal Wabbit", python, script));
    }

    private Program liblinear() throws IOException, InterruptedException {
        return Program.peer(
                "liblinear, C = .1",
                python(List.of(SCIKIT_LEARN)),
                folder.resolve("peers/liblinear.py"),
                ".1");
    }

    private Program spark() throws IOException, InterruptedException {
        return Program.peer(MLLIB, python(SPARK), folder.resolve("peers/spark.py"), "30");
    }

    /**
     * Returns the Python that has packages.
     *
     * @throws IllegalStateException if they cannot be installed
     */
    private String python(List<String> packages) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(folder.resolve("environment").toString());
        command.addAll(packages);
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("cannot be installed: " + packages.get(0));
        }
        return printed.strip();
    }
}
