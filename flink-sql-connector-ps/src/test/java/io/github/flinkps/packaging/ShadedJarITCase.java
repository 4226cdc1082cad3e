package io.github.flinkps.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests what is in the shaded jar, and that what was relocated still works. */
class ShadedJarITCase {
    private static final Path JAR = Path.of(System.getProperty("shaded.jar"));
    private static final String OWN = "io/github/flinkps/";
    private static final String SHADED = OWN + "shaded/";
    private static final Set<String> KNOWN =
            Set.of(
                    "META-INF/MANIFEST.MF",
                    "META-INF/LICENSE",
                    "META-INF/NOTICE",
                    "META-INF/licenses/LICENSE.kryo",
                    "META-INF/licenses/LICENSE.bouncycastle",
                    "META-INF/license/LICENSE.boringssl.txt",
                    "META-INF/FastDoubleParser-LICENSE", // Jackson's
                    "META-INF/FastDoubleParser-NOTICE",
                    "META-INF/thirdparty-LICENSE",
                    "META-INF/io.netty.versions.properties");
    private static final Pattern DEPENDENCY =
            Pattern.compile("- [\\w.-]+:([\\w.-]+):([\\w.-]+)(?::([\\w-]+))?");

    private static JarFile jar;
    private static List<String> names;

    @BeforeAll
    static void open() throws IOException {
        jar = new JarFile(JAR.toFile());
        names = jar.stream().filter(e -> !e.isDirectory()).map(ZipEntry::getName).toList();
    }

    @AfterAll
    static void close() throws IOException {
        jar.close();
    }

    @Test
    void allClassesAreOursOrRelocated() {
        assertThat(names.stream().filter(name -> name.endsWith(".class")))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name).startsWith(OWN));
        Set<String> relocated =
                names.stream()
                        .filter(name -> name.startsWith(SHADED) && name.endsWith(".class"))
                        .map(name -> name.substring(SHADED.length()))
                        .map(ShadedJarITCase::library)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(relocated)
                .containsExactly(
                        "com/esotericsoftware",
                        "com/fasterxml",
                        "com/google/flatbuffers",
                        "io/netty",
                        "org/apache/arrow",
                        "org/apache/commons/codec",
                        "org/bouncycastle");
    }

    @Test
    void otherEntriesAreKnown() {
        assertThat(names.stream().filter(name -> !name.startsWith(OWN)))
                .allMatch(
                        name ->
                                KNOWN.contains(name)
                                        || name.startsWith("META-INF/services/")
                                        || name.startsWith("META-INF/native/libio_github_flinkps_"),
                        "a known entry");
        assertThat(names).doesNotHaveDuplicates();
    }

    @Test
    void nothingNamesWhatWasMoved() throws IOException {
        List<String> offenders = new ArrayList<>();
        for (String name : names) {
            if (name.endsWith(".class")) {
                String content = new String(read(name), StandardCharsets.ISO_8859_1);
                for (String moved :
                        List.of(
                                "Lio/netty/",
                                "Lorg/apache/arrow/",
                                "Lcom/google/flatbuffers/",
                                "Lcom/esotericsoftware/kryo/kryo5/",
                                "Lcom/fasterxml/",
                                "Lorg/bouncycastle/")) {
                    if (content.contains(moved)) {
                        offenders.add(name + " names " + moved);
                    }
                }
            }
        }
        assertThat(offenders).isEmpty();
    }

    @Test
    void flinkAndLoggingStayOutside() {
        assertThat(names)
                .noneMatch(
                        name -> name.contains("org/apache/flink/") || name.contains("org/slf4j/"))
                .noneMatch(name -> name.contains("log4j"));
    }

    @Test
    void servicesNameClassesOfTheJar() throws IOException {
        List<String> services =
                names.stream().filter(name -> name.startsWith("META-INF/services/")).toList();
        assertThat(services).isNotEmpty();
        for (String service : services) {
            String[] lines = new String(read(service), StandardCharsets.UTF_8).split("\\R");
            assertThat(Stream.of(lines).map(String::strip))
                    .as(service)
                    .filteredOn(line -> !line.isEmpty() && !line.startsWith("#"))
                    .allMatch(line -> names.contains(line.replace('.', '/') + ".class"));
        }
    }

    @Test
    void sqlFindsCatalogAndModule() throws IOException {
        String factories = "META-INF/services/org.apache.flink.table.factories.Factory";
        assertThat(new String(read(factories), StandardCharsets.UTF_8).lines())
                .contains(
                        "io.github.flinkps.flink.table.connector.FlinkPsCatalogFactory",
                        "io.github.flinkps.flink.table.module.PsModuleFactory")
                // Its interface is not in Flink 1.20, whose tables of files load all that is here.
                .doesNotContain("io.github.flinkps.flink2.PsModelProviderFactory");
    }

    @Test
    void licenseIsThereAndNoticeListsWhatIsBundled() throws IOException {
        assertThat(new String(read("META-INF/LICENSE"), StandardCharsets.UTF_8))
                .contains("Apache License", "Version 2.0, January 2004");
        String notice = new String(read("META-INF/NOTICE"), StandardCharsets.UTF_8);
        Set<String> listed = new TreeSet<>();
        Matcher matcher = DEPENDENCY.matcher(notice);
        while (matcher.find()) {
            String classifier = matcher.group(3) == null ? "" : "-" + matcher.group(3);
            listed.add(matcher.group(1) + "-" + matcher.group(2) + classifier + ".jar");
        }
        assertThat(listed).isEqualTo(bundledJars());
    }

    @Test
    void relocatedNativeTransportLoads() throws Exception {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        assumeThat(System.getProperty("os.arch").toLowerCase(Locale.ROOT)).isEqualTo("amd64");
        try (URLClassLoader loader = isolated()) {
            Class<?> epoll =
                    loader.loadClass("io.github.flinkps.shaded.io.netty.channel.epoll.Epoll");
            assertThat(epoll.getMethod("unavailabilityCause").invoke(null)).isNull();
            assertThat(epoll.getMethod("isAvailable").invoke(null)).isEqualTo(true);
        }
    }

    @Test
    void relocatedOpenSslLoads() throws Exception {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        assumeThat(System.getProperty("os.arch").toLowerCase(Locale.ROOT)).isEqualTo("amd64");
        try (URLClassLoader loader = isolated()) {
            Class<?> openSsl =
                    loader.loadClass("io.github.flinkps.shaded.io.netty.handler.ssl.OpenSsl");
            assertThat(openSsl.getMethod("unavailabilityCause").invoke(null)).isNull();
        }
    }

    @Test
    void relocatedAllocatorAndSerializersWork() throws Exception {
        String shaded = "io.github.flinkps.shaded.";
        try (URLClassLoader loader = isolated()) {
            Class<?> root = loader.loadClass(shaded + "org.apache.arrow.memory.RootAllocator");
            try (AutoCloseable allocator = (AutoCloseable) root.getConstructor().newInstance()) {
                Object buffer = root.getMethod("buffer", long.class).invoke(allocator, 64L);
                assertThat(root.getMethod("getAllocatedMemory").invoke(allocator)).isEqualTo(64L);
                ((AutoCloseable) buffer).close();
            }
            Class<?> json =
                    loader.loadClass(shaded + "com.fasterxml.jackson.databind.ObjectMapper");
            Object mapper = json.getConstructor().newInstance();
            assertThat(
                            json.getMethod("writeValueAsString", Object.class)
                                    .invoke(mapper, List.of(1)))
                    .isEqualTo("[1]");
            Class<?> kryo = loader.loadClass(shaded + "com.esotericsoftware.kryo.kryo5.Kryo");
            Object serializer = kryo.getConstructor().newInstance();
            assertThat(kryo.getMethod("isRegistrationRequired").invoke(serializer)).isEqualTo(true);
        }
    }

    /** A class loader that sees the jar, slf4j and the JDK, and nothing that was not relocated. */
    private static URLClassLoader isolated() throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(JAR.toUri().toURL());
        for (String entry : classPath()) {
            if (new File(entry).getName().startsWith("slf4j-api-")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Jars of this module's class path that have a class which the shaded jar has too. */
    private static Set<String> bundledJars() throws IOException {
        Set<String> contained = Set.copyOf(names);
        Set<String> bundled = new TreeSet<>();
        for (String entry : classPath()) {
            File file = new File(entry);
            if (!file.getName().endsWith(".jar") || file.getName().startsWith("flink-ps-")) {
                continue;
            }
            try (JarFile dependency = new JarFile(file)) {
                if (dependency.stream()
                        .map(ZipEntry::getName)
                        .anyMatch(
                                name ->
                                        (name.endsWith(".class")
                                                        && contained.contains(SHADED + name))
                                                || name.startsWith("META-INF/native/lib"))) {
                    bundled.add(file.getName());
                }
            }
        }
        return bundled;
    }

    private static List<String> classPath() {
        String path =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        return List.of(path.split(File.pathSeparator));
    }

    private static String library(String name) {
        int depth = 2;
        if (name.startsWith("org/apache/commons/")) {
            depth = 4;
        } else if (name.startsWith("org/apache/") || name.startsWith("com/google/")) {
            depth = 3;
        }
        return Stream.of(name.split("/")).limit(depth).collect(Collectors.joining("/"));
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
            return in.readAllBytes();
        }
    }
}
