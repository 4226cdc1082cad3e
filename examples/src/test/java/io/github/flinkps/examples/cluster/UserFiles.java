package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files and commands of {@code docs/cluster.md} as a user has them, but for what they write,
 * which goes to a folder of the test in the place of {@code /tmp}.
 */
final class UserFiles {
    private static final Pattern SQL = Pattern.compile("(\\S+/)(\\w+\\.sql)");
    private static final Duration INSTALLING = Duration.ofMinutes(10);

    private final Path folder;

    UserFiles(Path folder) {
        this.folder = folder;
    }

    /** A command with paths of this folder. */
    String command(String text) {
        return text.replace("/tmp/", folder + "/");
    }

    /**
     * A command of {@code sql-client.sh}.
     *
     * @param changes of the file that it runs
     */
    String sql(String text, Map<String, String> changes) throws IOException {
        Matcher file = SQL.matcher(text);
        if (!file.find()) {
            throw new AssertionError("there is no file of SQL in " + text);
        }
        String statements = command(Files.readString(ClusterPage.FOLDER.resolve(file.group())));
        for (Map.Entry<String, String> change : changes.entrySet()) {
            statements = statements.replace(change.getKey(), change.getValue());
        }
        Path copy = Files.createTempFile(folder, "", file.group(2));
        Files.writeString(copy, statements);
        return text.replace(file.group(), copy.toString())
                .replace("sql-client.sh", "sql-client.sh -hist " + folder.resolve("history"));
    }

    /**
     * A command of {@code sql-client.sh} that runs the statements of a page in the place of a file.
     *
     * @param text of a command that runs a file
     */
    String page(String text, String page) throws IOException {
        StringBuilder statements = new StringBuilder();
        String[] parts = Files.readString(ClusterPage.FOLDER.resolve(page)).split("```");
        for (int i = 1; i < parts.length; i += 2) {
            if (parts[i].startsWith("sql\n")) {
                statements.append(command(parts[i].substring("sql\n".length())));
            }
        }
        Path copy = Files.createTempFile(folder, "", ".sql");
        Files.writeString(copy, statements);
        return text.replaceFirst("\\S+\\.sql", copy.toString())
                .replace("sql-client.sh", "sql-client.sh -hist " + folder.resolve("history"));
    }

    /** A command of {@code flink run -py}, with a Python that has what it needs. */
    String python(String text) throws Exception {
        String source = ClusterPage.FOLDER.resolve("flink-ps-python/src").toString();
        return "env _python_worker_execution_mode=process PYTHONPATH="
                + source
                + " "
                + command(text).replace(" -py ", " -pyclientexec " + interpreter() + " -py ");
    }

    /** The package's environment; where it cannot be made the test is skipped, or fails. */
    private String interpreter() throws Exception {
        Path log = folder.resolve("environment.out");
        String command = "flink-ps-python/bin/environment 2>&1";
        try (ChildProcess environment =
                ChildProcess.start(
                        "environment",
                        ClusterPage.FOLDER,
                        log,
                        Map.of(),
                        List.of("bash", "-c", command))) {
            if (environment.awaitExit(INSTALLING) != 0) {
                throw RealData.missing("python-3.11", environment.tail(20));
            }
        }
        List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
        return lines.get(lines.size() - 1);
    }

    /** The versions of a model, oldest first. */
    List<Path> versions(String model) throws IOException {
        Path versions = folder.resolve("flink-ps-models").resolve(model).resolve("versions");
        if (!Files.isDirectory(versions)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(versions)) {
            return files.sorted().toList();
        }
    }
}
