package io.github.flinkps.harness.bench;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.TrafficCounters;
import io.github.flinkps.harness.bench.LoadDriver.Pace;
import java.util.ArrayList;
import java.util.List;

/** One run: servers and clients, and the cases one after the other. */
final class BenchRun implements AutoCloseable {
    private static final int SLICES = 3;

    private final BenchPlan plan;
    private final Listener listener;
    private final BenchService service;
    private final List<ModelSession> sessions;
    private final LoadDriver driver;
    private ChildProcess bareProcess;
    private BareTransfer bare;
    private boolean warm;

    /** Is told what was measured, in order. */
    interface Listener {
        /**
         * A case has been measured.
         *
         * @param bareGigabytes of the bare transfer of the same frames, per second
         * @param ratio operations per second to those of the bare transfer
         */
        void measured(BenchCase what, BenchRow row, double bareGigabytes, double ratio);

        /** A case was left out. */
        void skipped(BenchCase what, int width, String why);
    }

    /** Starts the children and opens the clients. */
    BenchRun(BenchPlan plan, Listener listener) {
        this.plan = plan;
        this.listener = listener;
        this.driver = new LoadDriver(plan.clients());
        this.service = new BenchService(plan.servers(), plan.clients(), 0);
        this.sessions = service.sessions();
        try {
            startBare();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startBare() {
        bareProcess = ChildProcess.bare(plan.servers());
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < plan.servers(); i++) {
            ports.add(bareProcess.port());
        }
        bare = new BareTransfer(plan.clients(), ports);
    }

    /** Measures every case of the plan. */
    void run() {
        if (plan.cases().contains("dense")) {
            for (int floats : plan.sizes().floats()) {
                dense(floats);
            }
        }
        if (plan.cases().contains("small")) {
            small();
        }
        if (plan.cases().contains("sparse")) {
            for (int tableKeys : plan.sizes().tableKeys()) {
                for (int width : plan.sizes().widths()) {
                    sparse(tableKeys, width);
                }
                delta(tableKeys);
            }
        }
    }

    private void dense(int floats) {
        BenchCase what = BenchCase.share("dense", .8);
        String why = memory().whyNot(floats, 1, arrays(floats));
        if (why != null) {
            listener.skipped(what, 1, why);
            return;
        }
        DenseLoad.Table table = DenseLoad.Table.create(sessions, floats);
        int inFlight = plan.inFlight();
        measure(what, DenseLoad.push(sessions, table), Pace.CHAINED, inFlight);
        measure(what, DenseLoad.pull(sessions, table, inFlight), Pace.CHAINED, inFlight);
        drop(table.spec().name());
    }

    private void small() {
        DenseLoad.Table table = DenseLoad.Table.create(sessions, BenchPlan.SMALL);
        LoadDriver.await(DenseLoad.push(sessions, table).start(0, 0));
        DenseLoad pull = DenseLoad.pull(sessions, table, 1);
        measure(BenchCase.median("dense-small", 80), pull, Pace.CHAINED, 1);
        measure(BenchCase.median("dense-small-waiting", 80), pull, Pace.WAITING, 1);
        drop(table.spec().name());
    }

    private void sparse(int tableKeys, int width) {
        int listKeys = plan.sizes().listKeys();
        String why = memory().whyNot(tableKeys, width, arrays((long) listKeys * width));
        if (why != null) {
            listener.skipped(plan.sparse(tableKeys, width, "sent"), width, why);
            return;
        }
        SparseTable table = SparseTable.create(sessions, 64, tableKeys, listKeys, width);
        both(table, plan.sparse(tableKeys, width, "sent"), false);
        both(table, plan.sparse(tableKeys, width, "cached"), true);
        drop(table.spec().name());
    }

    /** Keys sent, of a declared key space, where they travel as differences. */
    private void delta(int tableKeys) {
        int bits = 32 - Integer.numberOfLeadingZeros(tableKeys - 1);
        SparseTable table =
                SparseTable.create(sessions, bits, tableKeys, plan.sizes().listKeys(), 1);
        both(table, plan.sparse(tableKeys, 1, "delta"), false);
        drop(table.spec().name());
    }

    private void both(SparseTable table, BenchCase what, boolean cached) {
        int inFlight = plan.inFlight();
        measure(what, SparseLoad.push(sessions, table, cached), Pace.WAITING, inFlight);
        measure(what, SparseLoad.pull(sessions, table, cached, inFlight), Pace.WAITING, inFlight);
    }

    private void drop(String table) {
        sessions.forEach(session -> LoadDriver.await(session.dropTable(table)));
    }

    private MemoryBound memory() {
        return MemoryBound.now();
    }

    private long arrays(long floats) {
        return 4 * floats * (1 + (long) plan.inFlight() * plan.clients());
    }

    /** Ours and the bare transfer by turns, so that what else the machine does meets both. */
    private void measure(BenchCase what, Load load, Pace pace, int inFlight) {
        TrafficCounters counted = traffic();
        Slice warming = drive(load, pace, inFlight, warm ? plan.nanos() / 2 : 2 * plan.nanos());
        warm = true;
        TrafficCounters now = traffic();
        BareTransfer.Shape shape =
                BareTransfer.Shape.of(
                        warming,
                        now.bytesSent() - counted.bytesSent(),
                        now.bytesReceived() - counted.bytesReceived(),
                        now.requests() - counted.requests());
        bare.run(shape, inFlight, plan.nanos() / 4);
        Slice ours = Slice.none();
        Slice theirs = Slice.none();
        TrafficCounters from = traffic();
        for (int i = 0; i < SLICES; i++) {
            ours = ours.plus(drive(load, pace, inFlight, plan.nanos() / SLICES));
            theirs = theirs.plus(bare.run(shape, inFlight, plan.nanos() / SLICES));
        }
        TrafficCounters to = traffic();
        load.verify();
        double bytes =
                to.bytesSent() - from.bytesSent() + to.bytesReceived() - from.bytesReceived();
        double perOperation = bytes / Math.max(1, ours.operations());
        BenchRow row =
                new BenchRow(
                        what.name(),
                        load.op(),
                        load.keys(),
                        load.width(),
                        plan.servers(),
                        plan.clients(),
                        ours.perSecond() * load.keys(),
                        ours.perSecond() * perOperation / 1e9,
                        ours.latencies().micros(.5),
                        ours.latencies().micros(.99),
                        ours.latencies().micros(.999));
        double ratio = theirs.operations() == 0 ? 0 : ours.perSecond() / theirs.perSecond();
        listener.measured(what, row, theirs.perSecond() * perOperation / 1e9, ratio);
    }

    /** Drives for a time, not counting that of refilling. */
    private Slice drive(Load load, Pace pace, int inFlight, long nanos) {
        Slice all = Slice.none();
        while (all.nanos() < nanos) {
            load.refill();
            all = all.plus(driver.run(load, pace, inFlight, nanos - all.nanos()));
        }
        return all;
    }

    private TrafficCounters traffic() {
        long sent = 0;
        long received = 0;
        long requests = 0;
        long retries = 0;
        for (ParameterClient client : service.clients()) {
            TrafficCounters one = client.traffic();
            sent += one.bytesSent();
            received += one.bytesReceived();
            requests += one.requests();
            retries += one.retries();
        }
        return new TrafficCounters(sent, received, requests, retries);
    }

    @Override
    public void close() {
        driver.close();
        if (bare != null) {
            bare.close();
        }
        service.close();
        if (bareProcess != null) {
            bareProcess.close();
        }
    }
}
