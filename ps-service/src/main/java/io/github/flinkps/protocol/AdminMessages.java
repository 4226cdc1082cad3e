package io.github.flinkps.protocol;

import io.github.flinkps.common.StepCounts;
import java.util.ArrayList;
import java.util.Objects;

/** Messages of administration, carried by {@link AdminCodec}. */
public final class AdminMessages {
    private AdminMessages() {}

    /**
     * The statistics that a server gives of itself.
     *
     * @param uptimeMillis since start
     * @param models hosted
     * @param tables hosted
     * @param rows in all partitions
     * @param bytes of pages and indexes
     * @param requests answered
     * @param owners owner threads
     */
    public record Stats(
            long uptimeMillis,
            int models,
            int tables,
            long rows,
            long bytes,
            long requests,
            int owners) {}

    /**
     * Arrival at a barrier.
     *
     * @param session that arrives
     * @param name of the barrier
     * @param parties that must arrive
     * @param once whether it is met once only, and who comes later is told what the others were
     * @param values that all parties are to know
     */
    public record Barrier(int session, String name, int parties, boolean once, double[] values) {
        public Barrier {
            Objects.requireNonNull(name);
            Objects.requireNonNull(values);
        }
    }

    /**
     * The directory of an attempt's cuts, and the cut it goes on from.
     *
     * @param session that says so
     * @param run the job over all its attempts
     * @param directory of the model, as the server's storage knows it
     * @param manifest path of the cut to roll to; empty: the model stays as it is
     * @param checksum of the manifest's bytes
     * @param keeps whether a model that an earlier attempt of the run has trained here stays as it
     *     is; only clocks are taken from the cut then
     * @param timeoutMillis the longest time of a cut; 0: as the server is set
     */
    public record BeginCuts(
            int session,
            String run,
            String directory,
            String manifest,
            long checksum,
            boolean keeps,
            long timeoutMillis) {
        public BeginCuts {
            Objects.requireNonNull(run);
            Objects.requireNonNull(directory);
            Objects.requireNonNull(manifest);
        }
    }

    /**
     * Wait for a cut of the session's attempt.
     *
     * @param session that asks
     * @param cut its number
     */
    public record AwaitCut(int session, long cut) {}

    /**
     * The part of a cut that an owner thread has made durable; the answer is a list of them.
     *
     * @param base the cut that it has the changes since; 0: it has all rows
     * @param tables of the model, by name
     * @param partitions that the owner owns
     * @param rounds files of pushes of unfinished rounds
     * @param clocks of the workers; for one that is idle where it fell idle, for a finished one 0
     * @param states of the workers: 0 active, 1 idle, 2 finished
     * @param savedBytes most memory that rows took which had to be saved from being overwritten
     */
    public record CutReport(
            long base,
            ArrayList<CutTable> tables,
            ArrayList<CutPartition> partitions,
            ArrayList<CutFile> rounds,
            long[] clocks,
            long[] states,
            long savedBytes) {}

    /**
     * A table in a cut.
     *
     * @param slots beside each value
     * @param steps whether rows have the step they are up to date with
     */
    public record CutTable(String name, int slots, boolean steps) {}

    /**
     * A partition in a cut.
     *
     * @param table its index among the report's tables
     * @param partition its number
     * @param rows at the cut
     * @param steps counted
     * @param stepsBefore counted before the attempt's rounds
     * @param file with changed rows, null for none
     */
    public record CutPartition(
            int table, int partition, long rows, StepCounts steps, long stepsBefore, CutFile file) {
        public CutPartition {
            Objects.requireNonNull(steps);
        }
    }

    /**
     * A file of a cut.
     *
     * @param path below the cut's directory
     * @param rows in it
     */
    public record CutFile(String path, long rows, long bytes, int crc32c) {}

    /**
     * Give a cut of the session's attempt up.
     *
     * @param session that says so
     * @param cut its number
     * @param reason for people
     */
    public record AbortCut(int session, long cut, String reason) {
        public AbortCut {
            Objects.requireNonNull(reason);
        }
    }

    /**
     * An aggregate over an owner's partitions.
     *
     * @param session that asks
     * @param table its number
     * @param function name
     * @param arguments of the function
     */
    public record Aggregate(int session, int table, String function, ArrayList<String> arguments) {
        public Aggregate {
            Objects.requireNonNull(function);
            for (String argument : arguments) {
                Objects.requireNonNull(argument);
            }
        }
    }

    /**
     * The result of an aggregate in one partition; the answer is a list of them.
     *
     * @param partition its number
     * @param keys for aggregates that name rows, else empty
     * @param values the numbers
     */
    public record Partial(int partition, long[] keys, double[] values) {}
}
