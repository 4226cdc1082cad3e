package io.github.flinkps.simulation;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.model.cut.CutClock;
import io.github.flinkps.model.cut.CutPart;
import io.github.flinkps.server.OwnerRows;
import io.github.flinkps.server.OwnerStandings;
import io.github.flinkps.server.ServerNode;
import java.util.ArrayList;
import java.util.List;

/** What must hold of the servers and cuts of a simulated job, beside what holds of any cluster. */
final class JobChecks {
    private final Invariants invariants;
    private final List<OwnerRows> rows = new ArrayList<>();
    private final List<OwnerStandings> standings = new ArrayList<>();

    /** Adds what must hold to the cluster's invariants. */
    JobChecks(SimulatedCluster cluster) {
        this.invariants = cluster.invariants();
        for (ServerNode node : cluster.nodes()) {
            OwnerRows rowsThere = new OwnerRows(node, "visible");
            rows.add(rowsThere);
            invariants.add("a row is trained once, at its worker's clock", rowsThere);
            OwnerStandings standingsThere = new OwnerStandings(node);
            standings.add(standingsThere);
            invariants.add("who rests holds nobody, who joins again counts", standingsThere);
        }
    }

    /** Begins to look at an attempt, all of whose workers have begun. */
    void begin(RowPlan plan, Standings said) {
        rows.forEach(there -> there.begin(plan));
        standings.forEach(there -> there.begin(said));
    }

    /** Returns whether a worker may stand at an owner beyond its clock. */
    boolean isAhead(int worker, long clock) {
        return standings.stream().anyMatch(there -> there.isAhead(worker, clock));
    }

    /** Checks the clock at which a worker begins, as servers say. */
    void begins(int worker, Standing standing, long at) {
        String why = "worker %d of %s begins at clock %d";
        invariants.require(
                "workers begin where the cut has them, who was idle with the others",
                standing.beginsAt(at) ? null : why.formatted(worker, standing, at));
    }

    /** Checks that every owner's part of a cut ends where a worker sent its marker. */
    void cut(int worker, Standing sent, CutReport report) {
        String why = "worker %d sent its marker at %s, a part has %s";
        for (CutPart part : report.parts()) {
            CutClock there = part.workers().get(worker);
            invariants.require(
                    "a cut has the entries before its markers",
                    sent.allows(there) ? null : why.formatted(worker, sent, there));
        }
    }
}
