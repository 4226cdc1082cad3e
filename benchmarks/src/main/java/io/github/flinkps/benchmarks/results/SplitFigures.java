package io.github.flinkps.benchmarks.results;

import io.github.flinkps.benchmarks.peers.PeerPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Splits data sets by {@code splits.py}, which says what the reference reaches, and trains on the
 * splits. Belongs to one thread.
 */
final class SplitFigures implements Defaults.Figures {
    private final ResultsRun run;
    private final Path scripts;
    private final int splits;
    private final Map<String, Double> references = new HashMap<>();
    private final Map<String, Double> losses = new HashMap<>();

    /**
     * @param scripts folder of {@code splits.py}
     * @param splits on which to train, the first ones
     */
    SplitFigures(ResultsRun run, Path scripts, int splits) {
        this.run = run;
        this.scripts = scripts.toAbsolutePath();
        this.splits = splits;
    }

    @Override
    public double reference(SplitSet set) throws IOException, InterruptedException {
        if (!references.containsKey(set.name())) {
            references.put(set.name(), split(set));
        }
        return references.get(set.name());
    }

    private double split(SplitSet set) throws IOException, InterruptedException {
        String line =
                ("python=$('%1$s/../environment' %3$s);"
                                + " exec $python '%1$s/splits.py' . \"$DATA\" %2$s")
                        .formatted(scripts, set.name(), PeerPrograms.SCIKIT_LEARN);
        Process process =
                run.bash(List.of(line)).redirectOutput(ProcessBuilder.Redirect.PIPE).start();
        String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("splitting " + set.name() + " failed");
        }
        return Stream.of(lines.strip().split("\n"))
                .mapToDouble(each -> Double.parseDouble(each.substring(each.lastIndexOf(',') + 1)))
                .average()
                .orElseThrow();
    }

    @Override
    public double loss(SplitSet set, String options) throws IOException, InterruptedException {
        reference(set); // splits
        return losses.computeIfAbsent(
                set.name() + " " + set.model() + " " + options,
                key -> {
                    double sum = 0;
                    for (int split = 0; split < splits; split++) {
                        sum += loss(set, split, options);
                    }
                    System.err.println(key + ": " + sum / splits);
                    return sum / splits;
                });
    }

    private double loss(SplitSet set, int split, String options) {
        try {
            return run.loss(set.train(split, options), set.measure());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
