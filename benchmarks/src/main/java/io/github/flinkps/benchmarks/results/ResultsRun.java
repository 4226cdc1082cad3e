package io.github.flinkps.benchmarks.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs jobs one after the other and keeps what they measured. Belongs to one thread. */
final class ResultsRun {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    private static final Pattern ROWS = Pattern.compile("--rows (\\d+)");

    private final Path data;
    private final Path folder;
    private final boolean reduced;
    private final Map<String, Double> measured = new HashMap<>();
    private final Set<List<String>> prepared = new HashSet<>();

    /**
     * @param data folder of the data sets
     * @param folder for what is prepared
     * @param reduced whether jobs run at {@link ResultJob#reduced} size
     */
    ResultsRun(Path data, Path folder, boolean reduced) {
        this.data = data.toAbsolutePath().normalize();
        this.folder = folder.toAbsolutePath();
        this.reduced = reduced;
    }

    /** Returns the file of a job that is not there, or null. */
    String missing(ResultJob job) {
        return job.needs().stream()
                .filter(name -> !Files.exists(data.resolve(name)))
                .findFirst()
                .orElse(null);
    }

    /** Returns a file in the folder for what is prepared. */
    Path file(String name) {
        return folder.resolve(name);
    }

    /** Returns the rows that a command generates in this run. */
    long rows(String command) {
        Matcher matcher = ROWS.matcher(reduced ? ResultJob.reduced(command) : command);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no --rows in " + command);
        }
        return Long.parseLong(matcher.group(1));
    }

    /** Returns what a job has measured in a shape; NaN if it has not run. */
    double measured(String job, String measure, Shape shape) {
        return measured.getOrDefault(key(job, measure, shape), Double.NaN);
    }

    private static String key(String job, String measure, Shape shape) {
        return job + " " + measure + " " + shape.options();
    }

    /** Returns the reference of a measure; NaN if what it comes from has not run. */
    double reference(Measure measure, Shape shape) {
        try {
            return measure.value().of(this, shape);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a job in one shape. */
    void run(ResultJob full, Shape shape) throws IOException, InterruptedException {
        ResultJob job = reduced ? full.reduced() : full;
        if (prepared.add(job.prepare())) {
            prepare(job);
        }
        Path report = file("report.json");
        boolean checked = job.check() != null;
        command(job.train() + " " + shape.options(), checked ? null : report);
        if (checked) {
            command(job.check(), report);
        }
        JsonNode json = new ObjectMapper().readTree(report.toFile());
        JsonNode test = json.has("test") ? json.get("test") : json;
        for (Measure measure : job.measures()) {
            if (!test.hasNonNull(measure.name())) {
                throw new IllegalStateException(
                        job.name() + " reports no " + measure.name() + ": " + json);
            }
            measured.put(
                    key(job.name(), measure.name(), shape), test.get(measure.name()).asDouble());
        }
    }

    private void prepare(ResultJob job) throws IOException, InterruptedException {
        if (job.prepare().isEmpty()) {
            return;
        }
        int code = bash(job.prepare()).start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("preparing " + job.name() + " ended with " + code);
        }
    }

    /** Returns what runs lines of bash in the folder for what is prepared. */
    ProcessBuilder bash(List<String> lines) {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-ec", String.join("\n", lines))
                        .directory(folder.toFile())
                        .inheritIO();
        builder.environment().put("DATA", data.toString());
        return builder;
    }

    /** Runs a training, and returns a measure of its test. */
    double loss(String train, String measure) throws IOException {
        Path report = file("report.json");
        command(train, report);
        return new ObjectMapper().readTree(report.toFile()).get("test").get(measure).asDouble();
    }

    private void command(String line, Path report) {
        List<String> arguments = new ArrayList<>();
        Matcher words = WORD.matcher(line);
        while (words.find()) {
            String before = arguments.isEmpty() ? "" : arguments.get(arguments.size() - 1);
            if (words.group(1) != null) {
                arguments.add(words.group(1));
            } else if (before.equals("--model")) {
                arguments.add(file(words.group(2)).toString());
            } else {
                arguments.add(resolve(words.group(2)));
            }
        }
        if (report != null) {
            arguments.add("--report");
            arguments.add(report.toString());
        }
        StringWriter errors = new StringWriter();
        int code =
                Main.run(
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(errors),
                        arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException(
                    "flink-ps " + line + " ended with " + code + ": " + errors);
        }
    }

    /** Puts folders before the files of a word; this process cannot change into another folder. */
    private String resolve(String word) {
        if (word.startsWith("$DATA/")) {
            return data + word.substring("$DATA".length());
        }
        List<String> parts = new ArrayList<>();
        for (String part : word.split(",")) {
            parts.add(Files.exists(file(part)) ? file(part).toString() : part);
        }
        return String.join(",", parts);
    }
}
