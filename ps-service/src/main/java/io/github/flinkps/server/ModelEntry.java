package io.github.flinkps.server;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.protocol.OpenModelMessage;
import io.github.flinkps.protocol.TableMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model as the control loop keeps it: its attempt, sessions and definitions. Confined to the
 * control loop.
 */
final class ModelEntry {
    private final String name;
    private final int server;
    private final int servers;
    private final Map<String, TableMessage> tables = new TreeMap<>();
    private final Map<Integer, long[]> workerSessions = new HashMap<>();
    private ConsistencySpec consistency = ConsistencySpec.asp();
    private int workers;
    private long fence;
    private int nextTable = 1;

    ModelEntry(OpenModelMessage.Request first) {
        this.name = first.model();
        this.server = first.server();
        this.servers = first.servers();
    }

    int server() {
        return server;
    }

    int servers() {
        return servers;
    }

    /** Returns the number of workers of the present attempt. */
    int workers() {
        return workers;
    }

    List<TableMessage> tables() {
        return List.copyOf(tables.values());
    }

    /**
     * Returns whether the request begins a new attempt; everything about it that does not fit is
     * refused. Its fence is none of those before the model's highest.
     */
    boolean admit(OpenModelMessage.Request request) {
        if (request.server() != server || request.servers() != servers) {
            throw new PsException(
                    ErrorCode.CONFLICTING_DEFINITION,
                    "model '"
                            + name
                            + "' takes this server as number "
                            + server
                            + " of "
                            + servers
                            + ", not "
                            + request.server()
                            + " of "
                            + request.servers()
                            + "; give the same list of servers in the same order");
        }
        if (request.worker() < 0) {
            return false;
        }
        if (request.fence() < 1 || request.workers() < 1 || request.worker() >= request.workers()) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "worker "
                            + request.worker()
                            + " of "
                            + request.workers()
                            + " with fence "
                            + request.fence()
                            + ": fences begin at 1, workers at 0");
        }
        if (request.fence() > fence) {
            return true;
        }
        if (request.workers() != workers || !request.consistency().equals(consistency)) {
            throw new PsException(
                    ErrorCode.CONFLICTING_DEFINITION,
                    "model '"
                            + name
                            + "' is trained by "
                            + workers
                            + " workers under "
                            + consistency
                            + " in this attempt, not "
                            + request.workers()
                            + " under "
                            + request.consistency());
        }
        return false;
    }

    void begin(OpenModelMessage.Request request) {
        fence = request.fence();
        workers = request.workers();
        consistency = request.consistency();
        workerSessions.clear();
    }

    /**
     * Returns the session a worker of this client already has, or 0; refuses another client's
     * worker.
     */
    int sessionOf(int worker, long client) {
        long[] known = workerSessions.get(worker);
        if (known == null) {
            return 0;
        }
        if (known[1] != client) {
            throw new PsException(
                    ErrorCode.FENCED,
                    "worker "
                            + worker
                            + " of model '"
                            + name
                            + "' is registered already; a new attempt needs a"
                            + " higher fence than "
                            + fence);
        }
        return (int) known[0];
    }

    void addWorker(int worker, int session, long client) {
        workerSessions.put(worker, new long[] {session, client});
    }

    /** Returns the table of that name, or null. */
    TableMessage table(String table) {
        return tables.get(table);
    }

    TableMessage existing(String table) {
        TableMessage found = tables.get(table);
        if (found == null) {
            throw new PsException(
                    ErrorCode.UNKNOWN_TABLE,
                    "model '" + name + "' has no table '" + table + "'; it has " + tables.keySet());
        }
        return found;
    }

    TableMessage add(TableSpec spec, UpdateInput input) {
        TableMessage table = new TableMessage(nextTable++, input, spec);
        tables.put(spec.name(), table);
        return table;
    }

    TableMessage remove(String table) {
        return tables.remove(table);
    }
}
