package io.github.flinkps.examples.cluster;

import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An S3 on loopback that keeps its objects in memory, of the Python package moto. */
final class TestingS3 implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** A request in the log, which colours some. */
    private static final Pattern REQUEST =
            Pattern.compile("\"(?:\u001b\\[\\d+m)*([A-Z]+ \\S+) HTTP");

    /** A key in a listing, of no folder. */
    private static final Pattern KEY = Pattern.compile("<Key>([^<]*[^/<])</Key>");

    private static final String PYTHON = System.getenv("FLINK_PS_PYTHON");

    private final HttpClient client = HttpClient.newHttpClient();
    private final String endpoint;
    private final ChildProcess process;

    /**
     * Starts it; where there is no moto the test is skipped, or fails.
     *
     * @param folder for its log
     */
    TestingS3(Path folder) throws Exception {
        if (PYTHON == null) {
            throw RealData.missing("moto", "FLINK_PS_PYTHON is not set, as bin/verify does");
        }
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        endpoint = "http://127.0.0.1:" + port;
        Path script = Path.of("src/test/resources/python/s3.py").toAbsolutePath();
        List<String> command = List.of(PYTHON, script.toString(), Integer.toString(port));
        process = ChildProcess.start("s3", folder, folder.resolve("s3.out"), Map.of(), command);
        Polling.await(LIMIT, () -> !process.isAlive() || answers(), () -> process.tail(20));
        if (!process.isAlive()) {
            RealData.missing("moto", PYTHON + " has no moto: " + process.tail(1));
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            return put("") < 500;
        } catch (IOException starting) {
            return false;
        }
    }

    private int put(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(endpoint + "/" + path))
                        .PUT(HttpRequest.BodyPublishers.noBody())
                        .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Makes a bucket. */
    void makeBucket(String name) throws Exception {
        if (put(name) != 200) {
            throw new AssertionError("no bucket " + name + ": " + process.tail(20));
        }
    }

    /** Returns what a bucket lists, in XML: by the query {@code uploads} those not completed. */
    String list(String bucket, String query) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(endpoint + "/" + bucket + "?" + query)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /**
     * Copies objects to a folder.
     *
     * @param prefix of their keys, which are kept without it
     */
    void download(String bucket, String prefix, Path to) throws IOException, InterruptedException {
        Matcher keys = KEY.matcher(list(bucket, "list-type=2&prefix=" + prefix));
        while (keys.find()) {
            Path file = to.resolve(keys.group(1).substring(prefix.length()));
            Files.createDirectories(file.getParent());
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create(endpoint + "/" + bucket + "/" + keys.group(1)))
                            .header("Authorization", "AWS of-a-test:unchecked")
                            .build();
            int status = client.send(request, HttpResponse.BodyHandlers.ofFile(file)).statusCode();
            if (status != 200) {
                throw new IOException(request.uri() + " is answered with " + status);
            }
        }
    }

    /** Returns the method and path of each request so far, from its log. */
    List<String> requests() throws IOException {
        return REQUEST.matcher(process.output()).results().map(found -> found.group(1)).toList();
    }

    /** Returns what Flink's configuration says of it. */
    Map<String, String> settings() {
        return Map.of(
                "s3.endpoint",
                endpoint,
                "s3.path.style.access",
                "true",
                "s3.access-key",
                "of-a-test",
                "s3.secret-key",
                "of-a-test");
    }

    @Override
    public void close() throws Exception {
        process.close();
    }
}
