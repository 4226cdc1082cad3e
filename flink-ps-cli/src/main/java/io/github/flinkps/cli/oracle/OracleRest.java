package io.github.flinkps.cli.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What a JobManager says of itself. One thread. */
final class OracleRest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
    private final int port;

    OracleRest(int port) {
        this.port = port;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .timeout(LIMIT)
                        .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(path + " answers " + response.body());
        }
        return JSON.readTree(response.body());
    }

    /** Slots of all TaskManagers; 0 while the JobManager starts. */
    int slots() throws InterruptedException {
        try {
            return get("/overview").path("slots-total").asInt();
        } catch (ConnectException starting) {
            return 0;
        } catch (IOException starting) {
            return 0; // answers, but not yet this
        }
    }

    /** Completed checkpoints of a job, savepoints too. */
    int completedCheckpoints(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job + "/checkpoints").path("counts").path("completed").asInt();
    }

    /** How often a job has begun anew by itself. */
    int restarts(String job) throws IOException, InterruptedException {
        JsonNode metrics = get("/jobs/" + job + "/metrics?get=numRestarts");
        return metrics.isEmpty() ? 0 : metrics.get(0).path("value").asInt();
    }

    /** The state of a job. */
    String state(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job).path("state").asText();
    }

    /** Whether all tasks of a job run, or have ended. */
    boolean allTasksRun(String job) throws IOException, InterruptedException {
        for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
            String state = vertex.path("status").asText();
            if (!state.equals("RUNNING") && !state.equals("FINISHED")) {
                return false;
            }
        }
        return true;
    }

    /** What a job has failed with last. */
    String failure(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job + "/exceptions").path("root-exception").asText("");
    }
}
