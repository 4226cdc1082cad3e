package io.github.flinkps.examples.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** Reads what a JobManager reports of itself and its jobs. */
final class FlinkRest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String address;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();

    FlinkRest(String host, String port) {
        this.address = "http://" + host + ":" + port;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address + path)).timeout(LIMIT).build();
        return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    /** TaskManagers that have registered; 0 as long as nobody answers. */
    int taskManagers() throws InterruptedException {
        try {
            return get("/overview").path("taskmanagers").asInt();
        } catch (IOException starting) {
            return 0;
        }
    }

    int freeSlots() throws IOException, InterruptedException {
        return get("/overview").path("slots-available").asInt();
    }

    String jobState(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job).path("state").asText();
    }

    /** Returns how many checkpoints of a job were complete. */
    int completedCheckpoints(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job + "/checkpoints").path("counts").path("completed").asInt();
    }

    /** Returns how often a job has failed and gone on. */
    int failures(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job + "/exceptions").path("exceptionHistory").path("entries").size();
    }

    /** Returns why a job has failed last; empty if it has not. */
    String lastFailure(String job) throws IOException, InterruptedException {
        JsonNode newest = get("/jobs/" + job + "/exceptions").path("exceptionHistory");
        return newest.path("entries").path(0).path("stacktrace").asText();
    }

    /** Returns how often a job began with a checkpoint or savepoint. */
    int restored(String job) throws IOException, InterruptedException {
        return get("/jobs/" + job + "/checkpoints").path("counts").path("restored").asInt();
    }

    /** The vertex of a job's workers. */
    private String workers(String job) throws IOException, InterruptedException {
        for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
            if (vertex.path("name").asText().startsWith("train ")) {
                return "/jobs/" + job + "/vertices/" + vertex.path("id").asText();
            }
        }
        throw new AssertionError("job " + job + " has no workers");
    }

    /** The TaskManagers a job's workers run on. */
    Set<String> placesOfWorkers(String job) throws IOException, InterruptedException {
        Set<String> places = new TreeSet<>();
        for (JsonNode subtask : get(workers(job)).path("subtasks")) {
            places.add(subtask.path("taskmanager-id").asText());
        }
        return places;
    }

    /** Rows a job's workers have trained so far, as the metrics say, which lag a little. */
    double trainedRows(String job) throws IOException, InterruptedException {
        String metrics = workers(job) + "/subtasks/metrics";
        for (JsonNode metric : get(metrics)) {
            String id = metric.path("id").asText();
            if (id.endsWith(".trainedRows")) {
                return get(metrics + "?agg=sum&get=" + id).path(0).path("sum").asDouble();
            }
        }
        return 0;
    }

    /** Names of threads of ours in the TaskManagers. */
    Set<String> ourThreads() throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        for (JsonNode manager : get("/taskmanagers").path("taskmanagers")) {
            String id = manager.path("id").asText();
            for (JsonNode thread :
                    get("/taskmanagers/" + id + "/thread-dump").path("threadInfos")) {
                String name = thread.path("threadName").asText();
                if (name.startsWith("flink-ps")) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
