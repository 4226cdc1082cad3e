package io.github.flinkps.flink.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Programs that documentation shows, compiled against the class path of the test, and run. */
public final class JavaPrograms {
    private static final long LIMIT_SECONDS = 400;

    private final Path folder;

    /**
     * @param folder of their classes
     */
    public JavaPrograms(Path folder) {
        this.folder = folder;
    }

    /**
     * Compiles files.
     *
     * @param sources of public classes, by name
     * @return what is wrong with them; empty if nothing is
     */
    public String compile(Map<String, String> sources) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            files.add(
                    Files.writeString(
                            folder.resolve(source.getKey() + ".java"), source.getValue()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        List<String> options =
                List.of(
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString());
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean done =
                    compiler.getTask(
                                    problems,
                                    manager,
                                    null,
                                    options,
                                    null,
                                    manager.getJavaFileObjectsFromPaths(files))
                            .call();
            return done ? "" : problems.toString();
        }
    }

    /** Something to do with the classes. */
    public interface Use<T> {
        T with(ClassLoader loader) throws Exception;
    }

    /** Lets what was compiled be used. */
    public <T> T use(Use<T> use) throws Exception {
        URL[] classes = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
            return use.with(loader);
        }
    }

    /**
     * Compiles a class and runs its {@code main} in a process of its own.
     *
     * @return what it prints
     */
    public String run(String name, String source, String... arguments) throws Exception {
        assertThat(compile(Map.of(name, source))).isEmpty();
        Path quiet = Files.writeString(folder.resolve("log.properties"), "rootLogger.level = OFF");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        command.add("-Xmx1g");
        command.add("-Dlog4j2.configurationFile=" + quiet.toUri());
        command.add("-cp");
        command.add(folder + File.pathSeparator + System.getProperty("java.class.path"));
        command.add(name);
        command.addAll(List.of(arguments));
        Path printed = folder.resolve(name + ".out");
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectOutput(printed.toFile())
                        .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(name).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(printed);
        assertThat(process.exitValue()).as("%s, which printed %s", name, output).isZero();
        return output;
    }
}
