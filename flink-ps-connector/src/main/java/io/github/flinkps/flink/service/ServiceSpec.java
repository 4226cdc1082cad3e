package io.github.flinkps.flink.service;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * What a job asks of its parameter service.
 *
 * @param model name of the model on the servers
 * @param directory of the model, seen by all processes of the job, in which the registry lives
 * @param servers number of embedded servers; 0: remote
 * @param remoteAddresses {@code host:port} of the remote servers; empty: embedded
 * @param workers number of workers that will report done
 * @param consistency of the model
 * @param tables of the model
 * @param initialModel directory of the model to start with, or null
 * @param startCut of another run, which the model begins as instead, or null
 * @param output directory the model is saved to at the end, or null
 * @param saveInterval time between savings while workers train; zero: only at the end
 * @param saveSlots whether to save what optimizers keep beside the values
 * @param validation by which the best model is found, or null
 * @param temporary whether remote servers forget the model at the end
 * @param keeps whether remote servers that all still have what an earlier attempt of the job has
 *     trained keep it as it is
 * @param timeout the bound of each wait for servers
 */
public record ServiceSpec(
        String model,
        String directory,
        int servers,
        List<String> remoteAddresses,
        int workers,
        ConsistencySpec consistency,
        List<TableSpec> tables,
        String initialModel,
        StartCut startCut,
        String output,
        Duration saveInterval,
        boolean saveSlots,
        ValidationSpec validation,
        boolean temporary,
        boolean keeps,
        Duration timeout)
        implements Serializable {
    public ServiceSpec {
        remoteAddresses = List.copyOf(remoteAddresses);
        tables = List.copyOf(tables);
        if ((servers > 0) == !remoteAddresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "either a number of embedded servers or remote addresses, not "
                            + servers
                            + " and "
                            + remoteAddresses);
        }
    }

    /** Returns this with the folders of a job; see {@link JobFolders}. */
    ServiceSpec ofJob(String jobId) {
        return new ServiceSpec(
                model,
                JobFolders.of(directory, jobId),
                servers,
                remoteAddresses,
                workers,
                consistency,
                tables,
                initialModel,
                startCut,
                JobFolders.of(output, jobId),
                saveInterval,
                saveSlots,
                validation,
                temporary,
                keeps,
                timeout);
    }

    /** Returns whether the servers live in the TaskManagers. */
    public boolean embedded() {
        return servers > 0;
    }

    /** Parallelism of the service source. */
    public int readers() {
        return embedded() ? servers : 1;
    }
}
