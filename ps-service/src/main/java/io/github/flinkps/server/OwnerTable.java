package io.github.flinkps.server;

import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.codec.ValueFormat;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.store.Partition;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A table as one owner thread sees it: the logs of the partitions it owns. Confined to the owner
 * thread.
 */
final class OwnerTable {
    private final int id;
    private final TableSpec spec;
    private final PartitionLog[] logs;
    private final KeyHash hash;
    private final List<ValueFormat> formats;

    /** The partitions owned here, ascending. */
    private int[] owned = {};

    private boolean dropped;

    OwnerTable(int id, TableSpec spec) {
        this.id = id;
        this.spec = spec;
        this.logs = new PartitionLog[spec.partitions()];
        this.hash = KeyHash.of(spec.keyBits());
        this.formats = ValueEncoding.formats(spec.width());
    }

    /** Sets the log of a partition. */
    void set(PartitionLog log) {
        int index = log.partition().index();
        if (logs[index] == null) {
            owned = Arrays.copyOf(owned, owned.length + 1);
            owned[owned.length - 1] = index;
            Arrays.sort(owned);
        }
        logs[index] = log;
    }

    /** Begins new logs for the partitions owned here. */
    void beginLogs(UnaryOperator<PartitionLog> begin) {
        for (int p : owned) {
            logs[p] = begin.apply(logs[p]);
        }
    }

    /** Says that the table is gone; requests that have found it are refused. */
    void drop() {
        dropped = true;
    }

    boolean isDropped() {
        return dropped;
    }

    int id() {
        return id;
    }

    TableSpec spec() {
        return spec;
    }

    KeyHash hash() {
        return hash;
    }

    /** Returns the form in which rows of this table travel by an encoding. */
    ValueFormat format(ValueEncoding encoding) {
        return formats.get(encoding.id());
    }

    /** Returns the partitions owned, ascending; not to be changed. */
    int[] owned() {
        return owned;
    }

    /** Returns how many of the partitions owned come before one. */
    int ownedBefore(int partition) {
        int at = Arrays.binarySearch(owned, partition);
        return at < 0 ? -at - 1 : at;
    }

    /** Returns the log of a partition, or null if another owner owns it. */
    PartitionLog log(int partition) {
        return logs[partition];
    }

    Partition partition(int partition) {
        return logs[partition] == null ? null : logs[partition].partition();
    }
}
