package io.github.flinkps.client;

import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.codec.ValueFormat;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PlacementRing;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import java.util.Arrays;
import java.util.List;

/** The places of the partitions of a table. Immutable, but for a guess. */
final class TableRoute {
    /** A guess whether most keys of the next list repeat; any thread may guess anew. */
    volatile boolean repeats = true;

    private final TableSpec spec;
    private final UpdateInput input;
    private final int[] ids;
    private final Id identity;
    private final int[] linkOf;
    private final Topology topology;
    private final KeyHash hash;
    private final ValueEncodings encodings;
    private final List<ValueFormat> formats;

    /**
     * A route.
     *
     * @param input what the table's update function takes of a push
     * @param ids the table's number at each server
     * @param encodings of the session
     */
    TableRoute(
            TableSpec spec,
            UpdateInput input,
            int[] ids,
            Topology topology,
            ValueEncodings encodings) {
        this.spec = spec;
        this.input = input;
        this.ids = ids;
        this.topology = topology;
        this.identity = new Id(spec.name(), Arrays.stream(ids).boxed().toList());
        this.hash = KeyHash.of(spec.keyBits());
        this.encodings = encodings.of(spec);
        this.formats = ValueEncoding.formats(spec.width());
        int[] primaries = PlacementRing.of(topology.servers()).primaries(spec.partitions());
        this.linkOf = new int[primaries.length];
        for (int p = 0; p < primaries.length; p++) {
            linkOf[p] = topology.link(primaries[p], p % topology.owners(primaries[p]));
        }
    }

    /** Identifies an incarnation of a table: its numbers at the servers are never used again. */
    record Id(String table, List<Integer> numbers) {}

    Id identity() {
        return identity;
    }

    TableSpec spec() {
        return spec;
    }

    UpdateInput input() {
        return input;
    }

    KeyHash hash() {
        return hash;
    }

    ValueEncodings encodings() {
        return encodings;
    }

    /** Returns the form in which gradients of this table are pushed. */
    ValueFormat pushFormat() {
        return formats.get(encodings.push().id());
    }

    /** Returns the form in which values of this table are pulled. */
    ValueFormat pullFormat() {
        return formats.get(encodings.pull().id());
    }

    int links() {
        return topology.links();
    }

    /** Returns the link to the owner thread of a partition. */
    int link(int partition) {
        return linkOf[partition];
    }

    /** Returns the table's number at the server behind a link. */
    int id(int link) {
        return ids[topology.server(link)];
    }

    int partition(long hashOrKey) {
        return spec.isSparse()
                ? spec.partitionOfHash(hashOrKey)
                : (int) (hashOrKey / spec.rowsPerPartition());
    }
}
