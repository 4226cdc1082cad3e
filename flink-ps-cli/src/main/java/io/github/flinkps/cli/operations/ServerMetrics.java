package io.github.flinkps.cli.operations;

import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerReport;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.ToLongFunction;

/** Writes what a server does, and its virtual machine, in the text format of Prometheus. */
final class ServerMetrics {
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private final PrometheusRegistry machine = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    private final ParameterServer server;

    ServerMetrics(ParameterServer server) {
        this.server = server;
        JvmMetrics.builder().register(machine);
    }

    /**
     * Returns the text.
     *
     * @param report null: the server's threads have not told
     */
    byte[] text(ServerReport report) {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        machine.scrape().forEach(all::metricSnapshot);
        all.metricSnapshot(
                gauge(
                        "flinkps_responsive",
                        "1 if all threads of the server have answered, else 0",
                        report == null ? 0 : 1));
        all.metricSnapshot(
                gauge("flinkps_connections", "Connections of clients", server.connections()));
        all.metricSnapshot(
                counter(
                        "flinkps_received_bytes",
                        "Bytes of the frames that arrived",
                        server.traffic().bytesReceived()));
        all.metricSnapshot(
                counter(
                        "flinkps_sent_bytes",
                        "Bytes of the frames that were sent",
                        server.traffic().bytesSent()));
        all.metricSnapshot(errors());
        if (report != null) {
            add(report, all);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, all.build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void add(ServerReport report, MetricSnapshots.Builder all) {
        all.metricSnapshot(
                gauge(
                        "flinkps_uptime_seconds",
                        "Time since the server was started",
                        report.uptime().toMillis() / 1e3));
        all.metricSnapshot(gauge("flinkps_models", "Models that are hosted", report.models()));
        all.metricSnapshot(gauge("flinkps_tables", "Tables that are hosted", report.tables()));
        all.metricSnapshot(requests(report));
        List<ServerReport.OfOwner> owners = report.owners();
        all.metricSnapshot(
                gauges(
                        "flinkps_rows",
                        "Rows in the partitions of an owner thread",
                        owners,
                        ServerReport.OfOwner::rows));
        all.metricSnapshot(
                gauges(
                        "flinkps_store_bytes",
                        "Bytes of pages and indexes of these partitions",
                        owners,
                        ServerReport.OfOwner::bytes));
        all.metricSnapshot(
                gauges(
                        "flinkps_parked_requests",
                        "Pulls that wait for other workers",
                        owners,
                        ServerReport.OfOwner::parked));
        all.metricSnapshot(
                gauges(
                        "flinkps_cut_hold_bytes",
                        "Bytes of pushes that wait behind the marker of a cut",
                        owners,
                        ServerReport.OfOwner::deferredBytes));
        all.metricSnapshot(
                gauges(
                        "flinkps_cut_saved_bytes",
                        "Bytes of rows saved from being overwritten until a cut has copied them",
                        owners,
                        ServerReport.OfOwner::savedBytes));
    }

    private CounterSnapshot errors() {
        CounterSnapshot.Builder errors =
                CounterSnapshot.builder()
                        .name("flinkps_errors")
                        .help("Requests that were answered with an error, by its code");
        server.traffic()
                .errors()
                .forEach(
                        (code, count) ->
                                errors.dataPoint(point(count, Labels.of("code", code.name()))));
        return errors.build();
    }

    private static CounterSnapshot requests(ServerReport report) {
        CounterSnapshot.Builder requests =
                CounterSnapshot.builder()
                        .name("flinkps_requests")
                        .help("Requests that were taken, by thread")
                        .dataPoint(point(report.requests(), Labels.of("thread", "control")));
        for (int i = 0; i < report.owners().size(); i++) {
            requests.dataPoint(
                    point(report.owners().get(i).requests(), Labels.of("thread", "owner-" + i)));
        }
        return requests.build();
    }

    private static CounterDataPointSnapshot point(long value, Labels labels) {
        return CounterDataPointSnapshot.builder().value((double) value).labels(labels).build();
    }

    private static CounterSnapshot counter(String name, String help, long value) {
        return CounterSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(point(value, Labels.EMPTY))
                .build();
    }

    private static GaugeSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build();
    }

    private static GaugeSnapshot gauges(
            String name,
            String help,
            List<ServerReport.OfOwner> owners,
            ToLongFunction<ServerReport.OfOwner> value) {
        GaugeSnapshot.Builder gauges = GaugeSnapshot.builder().name(name).help(help);
        for (int i = 0; i < owners.size(); i++) {
            gauges.dataPoint(
                    GaugeDataPointSnapshot.builder()
                            .value((double) value.applyAsLong(owners.get(i)))
                            .labels(Labels.of("thread", "owner-" + i))
                            .build());
        }
        return gauges.build();
    }
}
