package io.github.flinkps.harness.bench;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.TrafficCounters;
import io.github.flinkps.harness.bench.BenchService.Memory;
import io.github.flinkps.harness.bench.LoadDriver.Pace;
import io.github.flinkps.harness.machines.TrialKeys;
import io.github.flinkps.security.Tls;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One run: servers and clients, and the cases one after the other. With encryption there are two
 * services, the encrypted and the plain one, which do the same by turns.
 */
final class BenchRun implements AutoCloseable {
    private static final int SLICES = 3;
    private static final int SERVER_MEMORY_PERCENT = 60;

    private final BenchPlan plan;
    private final Listener listener;
    private final TrialKeys keys;
    private final List<Side> sides = new ArrayList<>();
    private final LoadDriver driver;
    private ChildProcess bareProcess;
    private BareTransfer bare;
    private boolean warm;

    /** Hears what was measured, in order. */
    interface Listener {
        /** Receives the result of a case. */
        void measured(BenchCase what, BenchRow row, Compared compared);

        /** Receives the result of the same case without encryption. */
        void plain(BenchRow row);

        /** Learns that a case was left out, and why. */
        void skipped(BenchCase what, int width, String why);
    }

    /**
     * Compares what a case came to with others.
     *
     * @param bareGigabytes of the bare transfer of the same frames, per second
     * @param ratio operations per second to those of the bare transfer
     * @param toPlain operations per second to those without encryption; 1 if there is none
     */
    record Compared(double bareGigabytes, double ratio, double toPlain) {}

    /** Starts the children and opens the clients. */
    BenchRun(BenchPlan plan, Listener listener) {
        this.plan = plan;
        this.listener = listener;
        this.driver = new LoadDriver(plan.clients());
        this.keys = plan.tls() ? TrialKeys.create(List.of(ChildProcess.HOST)) : null;
        try {
            if (plan.tls()) {
                sides.add(side("-tls", keys));
            }
            sides.add(side("", null));
            startBare();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Side side(String suffix, TrialKeys of) {
        Memory memory = new Memory(SERVER_MEMORY_PERCENT / (plan.tls() ? 2 : 1), 0);
        return new Side(suffix, new BenchService(plan.servers(), plan.clients(), memory, of));
    }

    private void startBare() {
        bareProcess = ChildProcess.bare(plan.servers(), keys == null ? Map.of() : keys.server());
        List<Integer> ports = Collections.nCopies(plan.servers(), bareProcess.port());
        bare =
                new BareTransfer(
                        plan.clients(),
                        ports,
                        keys == null ? null : Tls.ofClient(TrialKeys.files(keys.client())));
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
        BenchCase what = plan.dense(floats);
        String why = whyNot(floats, 1, floats);
        if (why != null) {
            listener.skipped(what, 1, why);
            return;
        }
        List<DenseLoad.Table> tables = tables(of -> DenseLoad.Table.create(of, floats));
        int inFlight = plan.inFlight();
        measure(what, loads(tables, DenseLoad::push), Pace.CHAINED, inFlight);
        measure(
                what,
                loads(tables, (of, table) -> DenseLoad.pull(of, table, inFlight)),
                Pace.CHAINED,
                inFlight);
        drop(tables.get(0).spec().name());
    }

    private void small() {
        List<DenseLoad.Table> tables = tables(of -> DenseLoad.Table.create(of, BenchPlan.SMALL));
        loads(tables, DenseLoad::push).forEach(push -> LoadDriver.await(push.start(0, 0)));
        List<Load> pulls = loads(tables, (of, table) -> DenseLoad.pull(of, table, 1));
        measure(plan.small("dense-small"), pulls, Pace.CHAINED, 1);
        measure(plan.small("dense-small-waiting"), pulls, Pace.WAITING, 1);
        drop(tables.get(0).spec().name());
    }

    private void sparse(int tableKeys, int width) {
        int listKeys = plan.sizes().listKeys();
        String why = whyNot(tableKeys, width, (long) listKeys * width);
        if (why != null) {
            listener.skipped(plan.sparse(tableKeys, width, "sent"), width, why);
            return;
        }
        List<SparseTable> tables =
                tables(of -> SparseTable.create(of, 64, tableKeys, listKeys, width));
        both(tables, plan.sparse(tableKeys, width, "sent"), false);
        both(tables, plan.sparse(tableKeys, width, "cached"), true);
        drop(tables.get(0).spec().name());
    }

    /** Measures keys that are sent as differences, as those of a declared key space are. */
    private void delta(int tableKeys) {
        int bits = 32 - Integer.numberOfLeadingZeros(tableKeys - 1);
        int listKeys = plan.sizes().listKeys();
        List<SparseTable> tables =
                tables(of -> SparseTable.create(of, bits, tableKeys, listKeys, 1));
        both(tables, plan.sparse(tableKeys, 1, "delta"), false);
        drop(tables.get(0).spec().name());
    }

    private void both(List<SparseTable> tables, BenchCase what, boolean cached) {
        int inFlight = plan.inFlight();
        measure(
                what,
                loads(tables, (of, table) -> SparseLoad.push(of, table, cached)),
                Pace.WAITING,
                inFlight);
        measure(
                what,
                loads(tables, (of, table) -> SparseLoad.pull(of, table, cached, inFlight)),
                Pace.WAITING,
                inFlight);
    }

    /** Makes the same table at each side. */
    private <T> List<T> tables(Function<List<ModelSession>, T> table) {
        return sides.stream().map(side -> table.apply(side.service.sessions())).toList();
    }

    /** Makes the same load of the table of each side. */
    private <T> List<Load> loads(List<T> tables, BiFunction<List<ModelSession>, T, Load> load) {
        List<Load> loads = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            loads.add(load.apply(sides.get(i).service.sessions(), tables.get(i)));
        }
        return loads;
    }

    private void drop(String table) {
        for (Side side : sides) {
            side.service.sessions().forEach(each -> LoadDriver.await(each.dropTable(table)));
        }
    }

    /** Returns why a table, and what is pulled of it at a time, do not fit; null if they do. */
    private String whyNot(int rows, int width, long floats) {
        long arrays = 4 * floats * (1 + (long) plan.inFlight() * plan.clients());
        return MemoryBound.now().whyNot((long) sides.size() * rows, width, sides.size() * arrays);
    }

    /** Measures all sides and the bare transfer by turns, so that other load meets all alike. */
    private void measure(BenchCase what, List<Load> loads, Pace pace, int inFlight) {
        BareTransfer.Shape shape = null;
        for (int i = sides.size() - 1; i >= 0; i--) {
            shape = sides.get(i).warmUp(loads.get(i), pace, inFlight);
        }
        warm = true;
        bare.run(shape, inFlight, plan.nanos() / 4);
        sides.forEach(Side::begin);
        Slice theirs = Slice.none();
        for (int turn = 0; turn < SLICES; turn++) {
            for (int i = 0; i < sides.size(); i++) {
                sides.get(i).measure(loads.get(i), pace, inFlight);
            }
            theirs = theirs.plus(bare.run(shape, inFlight, plan.nanos() / SLICES));
        }
        sides.forEach(Side::end);
        loads.forEach(Load::verify);
        report(what, loads.get(0), theirs);
    }

    private void report(BenchCase what, Load load, Slice theirs) {
        Side first = sides.get(0);
        Side plain = sides.get(sides.size() - 1);
        double rate = first.reached.perSecond();
        listener.measured(
                what,
                first.row(what, load),
                new Compared(
                        theirs.perSecond() * first.bytesPerOperation() / 1e9,
                        ratio(rate, theirs),
                        ratio(rate, plain.reached)));
        if (plain != first) {
            listener.plain(plain.row(what, load));
        }
    }

    private static double ratio(double rate, Slice to) {
        return to.operations() == 0 ? 0 : rate / to.perSecond();
    }

    @Override
    public void close() {
        try {
            driver.close();
            if (bare != null) {
                bare.close();
            }
            sides.forEach(side -> side.service.close());
        } finally {
            try {
                if (bareProcess != null) {
                    bareProcess.close();
                }
            } finally {
                if (keys != null) {
                    keys.close();
                }
            }
        }
    }

    /** A service, and what it reaches in a case. */
    private final class Side {
        private final String suffix;
        private final BenchService service;
        private Slice reached;
        private TrafficCounters from;
        private TrafficCounters to;

        Side(String suffix, BenchService service) {
            this.suffix = suffix;
            this.service = service;
        }

        /** Returns the frames of an operation. */
        BareTransfer.Shape warmUp(Load load, Pace pace, int inFlight) {
            from = traffic();
            Slice warming = drive(load, pace, inFlight, warm ? plan.nanos() / 2 : 2 * plan.nanos());
            to = traffic();
            return BareTransfer.Shape.of(
                    warming,
                    to.bytesSent() - from.bytesSent(),
                    to.bytesReceived() - from.bytesReceived(),
                    to.requests() - from.requests());
        }

        void begin() {
            reached = Slice.none();
            from = traffic();
        }

        void measure(Load load, Pace pace, int inFlight) {
            reached = reached.plus(drive(load, pace, inFlight, plan.nanos() / SLICES));
        }

        void end() {
            to = traffic();
        }

        double bytesPerOperation() {
            double bytes =
                    to.bytesSent() - from.bytesSent() + to.bytesReceived() - from.bytesReceived();
            return bytes / Math.max(1, reached.operations());
        }

        BenchRow row(BenchCase what, Load load) {
            return new BenchRow(
                    what.name() + suffix,
                    load.op(),
                    load.keys(),
                    load.width(),
                    plan.servers(),
                    plan.clients(),
                    reached.perSecond() * load.keys(),
                    reached.perSecond() * bytesPerOperation() / 1e9,
                    reached.latencies().micros(.5),
                    reached.latencies().micros(.99),
                    reached.latencies().micros(.999));
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
    }
}
