package io.github.flinkps.harness.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.common.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** Reads what a JobManager says of itself. One thread. */
final class OracleRest {
    /** The most failures that are kept of a job. */
    static final int MOST_FAILURES = 100;

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int TRIES = 5;
    private static final long PAUSE_MILLIS = 100;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
    private final Endpoint address;

    OracleRest(Endpoint address) {
        this.address = address;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://" + address + path))
                        .timeout(LIMIT)
                        .build();
        HttpResponse<String> response = send(request);
        if (response.statusCode() != 200) {
            throw new IOException(path + " answers " + response.body());
        }
        return JSON.readTree(response.body());
    }

    /**
     * Sends a request again that has no answer: connections end under a JobManager that is well.
     */
    private HttpResponse<String> send(HttpRequest request)
            throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return client.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                if (tries == TRIES) {
                    throw new IOException(request.uri() + " does not answer: " + e, e);
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Returns the slots of all TaskManagers; 0 while the JobManager starts. */
    int slots() throws InterruptedException {
        try {
            return get("/overview").path("slots-total").asInt();
        } catch (IOException starting) {
            return 0; // does not answer, or not yet this
        }
    }

    /**
     * Checkpoints of a job, savepoints too.
     *
     * @param completed so many are complete
     * @param failed so many came to nothing
     * @param restored so often the job has begun from one
     */
    record Checkpoints(int completed, int failed, int restored) {}

    Checkpoints checkpoints(String job) throws IOException, InterruptedException {
        JsonNode counts = get("/jobs/" + job + "/checkpoints").path("counts");
        return new Checkpoints(
                counts.path("completed").asInt(),
                counts.path("failed").asInt(),
                counts.path("restored").asInt());
    }

    /**
     * Returns how often a job has begun anew, at most {@link #MOST_FAILURES}; known at its end too.
     */
    int restarts(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job + "/exceptions?maxExceptions=" + MOST_FAILURES)
                .path("exceptionHistory")
                .path("entries")
                .size();
    }

    /** Returns whether a savepoint of a job has begun and is not over. */
    boolean isSavepointUnderWay(String job) throws IOException, InterruptedException {
        for (JsonNode each : get("/jobs/" + job + "/checkpoints").path("history")) {
            if (each.path("is_savepoint").asBoolean()
                    && each.path("status").asText().equals("IN_PROGRESS")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the names of TaskManagers in which something runs. */
    Set<String> busyTaskManagers() throws IOException, InterruptedException {
        Set<String> busy = new TreeSet<>();
        for (JsonNode each : get("/taskmanagers").path("taskmanagers")) {
            if (each.path("freeSlots").asInt() < each.path("slotsNumber").asInt()) {
                busy.add(each.path("id").asText());
            }
        }
        return busy;
    }

    /** Returns the state of a job. */
    String state(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job).path("state").asText();
    }

    /** Returns whether all tasks of a job run, or have ended. */
    boolean allTasksRun(String job) throws IOException, InterruptedException {
        for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
            String state = vertex.path("status").asText();
            if (!state.equals("RUNNING") && !state.equals("FINISHED")) {
                return false;
            }
        }
        return true;
    }

    /** Returns what a job has failed with last. */
    String failure(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job + "/exceptions").path("root-exception").asText("");
    }
}
