package io.github.flinkps.flink.service;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * The demands of a job on its parameter service.
 *
 * @param model name of the model on the servers
 * @param servers where the model lives
 * @param workers number of workers that will report done
 * @param consistency of the model
 * @param tables of the model
 * @param start what the model begins as
 * @param saving where and when the model is saved
 * @param validation by which the best model is found, or null
 * @param lifetime of the model on the servers
 * @param timeout the bound of each wait for servers
 */
public record ServiceSpec(
        String model,
        Servers servers,
        int workers,
        ConsistencySpec consistency,
        List<TableSpec> tables,
        Start start,
        Saving saving,
        ValidationSpec validation,
        Lifetime lifetime,
        Duration timeout)
        implements Serializable {
    /**
     * The servers of a job.
     *
     * @param directory of the model, seen by all processes of the job, in which the registry lives
     * @param embedded number of servers in the TaskManagers; 0: remote
     * @param remote {@code host:port} of the remote servers; empty: embedded
     */
    public record Servers(String directory, int embedded, List<String> remote)
            implements Serializable {
        public Servers {
            remote = List.copyOf(remote);
            if ((embedded > 0) == !remote.isEmpty()) {
                throw new IllegalArgumentException(
                        "either a number of embedded servers or remote addresses, not "
                                + embedded
                                + " and "
                                + remote);
            }
        }

        /** Returns remote servers, or so many embedded ones where there are none. */
        public static Servers of(String directory, List<String> remote, int embedded) {
            return new Servers(directory, remote.isEmpty() ? embedded : 0, remote);
        }
    }

    /**
     * Says what a model begins as: new, as a saved model, or as a cut.
     *
     * @param model directory of a saved model, or null
     * @param cut of another run, instead, or null
     */
    public record Start(String model, StartCut cut) implements Serializable {
        /** A model that begins new. */
        public static final Start NEW = new Start(null, null);
    }

    /**
     * Says where and when a model is saved.
     *
     * @param directory it is saved to at the end, or null
     * @param interval between savings while workers train; zero: only at the end
     * @param slots whether to save what optimizers keep beside the values
     */
    public record Saving(String directory, Duration interval, boolean slots)
            implements Serializable {
        /** Saves nothing. */
        public static final Saving NONE = new Saving(null, Duration.ZERO, false);
    }

    /** The time for which remote servers have the model. */
    public enum Lifetime {
        /** The servers drop the model at the end of the job. */
        JOB,
        /** Each attempt of the job loads the model anew, from its cut. It remains after the end. */
        ATTEMPT,
        /**
         * The model stays as it is if all servers still have what an earlier attempt has trained.
         */
        SERVERS
    }

    public ServiceSpec {
        tables = List.copyOf(tables);
    }

    /** Returns this with the folders of a job; see {@link JobFolders}. */
    ServiceSpec ofJob(String jobId) {
        return new ServiceSpec(
                model,
                new Servers(
                        JobFolders.of(servers.directory, jobId), servers.embedded, servers.remote),
                workers,
                consistency,
                tables,
                start,
                new Saving(JobFolders.of(saving.directory, jobId), saving.interval, saving.slots),
                validation,
                lifetime,
                timeout);
    }

    /** Returns whether the servers live in the TaskManagers. */
    public boolean embedded() {
        return servers.embedded > 0;
    }

    /** Returns the parallelism of the service source. */
    public int readers() {
        return embedded() ? servers.embedded : 1;
    }
}
