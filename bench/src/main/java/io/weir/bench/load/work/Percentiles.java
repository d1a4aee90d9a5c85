package io.weir.bench.load.work;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.report.Metric;
import io.weir.bench.load.server.RunningServer;
import io.weir.bench.load.server.ServerName;
import io.weir.bench.load.traffic.TrafficSource;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Latencies at a constant rate, half of each server's maximum. The node by itself runs at the rate of this proxy, which shows the
 * time that the proxy adds. If our own driver, which checks each answer, cannot come near wrk's rate, the rate is three fifths of
 * its own. At more it would measure itself. Confined to the run's thread.
 */
record Percentiles(Session session, String workload, TrafficSource source, int connections) {

    private static final double NANOS_PER_MICRO = 1000;
    private static final double HALF = 0.5;
    private static final double MAX_OF_OWN = 0.6;

    void measure(List<RunningServer> servers) throws IOException, InterruptedException {
        Map<ServerName, Double> rates = new EnumMap<>(ServerName.class);
        for (RunningServer server : servers) {
            rates.put(server.name(), rate(server));
        }
        for (ServerName weir : List.of(ServerName.WEIR, ServerName.WEIR_UNBATCHED)) {
            Double proxied = rates.get(weir);
            if (proxied != null) {
                rates.replace(ServerName.DIRECT, proxied);
            }
        }
        for (RunningServer server : servers) {
            warm(server, Objects.requireNonNull(rates.get(server.name())));
        }
        for (int turn = 1; turn <= session.pace().latencyTurns(); turn++) {
            for (RunningServer server : ThroughputWorkload.rotated(servers, turn)) {
                at(server, Objects.requireNonNull(rates.get(server.name())), turn);
            }
        }
    }

    /** Code compiled for full load is compiled anew for another load, but not in a turn that counts. */
    private void warm(RunningServer server, double rate) throws IOException, InterruptedException {
        if (rate >= 1) {
            for (Duration round : session.pace().warmRounds(server.name())) {
                LoadPlan plan = LoadPlan.constant(connections, rate, round);
                session.problems(workload, server, 0, session.driver().http(server.http(), source.next(), plan));
            }
        }
    }

    private double rate(RunningServer server) throws IOException, InterruptedException {
        LoadPlan plan = LoadPlan.closed(connections, session.pace().time());
        Outcome own = session.driver().http(server.http(), source.next(), plan);
        session.problems(workload, server, 0, own);
        double most = session.journal()
                .spread(workload, server.name(), Metric.REQUESTS)
                .median();
        return Math.min(HALF * most, MAX_OF_OWN * own.perSecond());
    }

    private void at(RunningServer server, double rate, int turn) throws IOException, InterruptedException {
        if (!(rate >= 1)) {
            return;
        }
        LoadPlan plan = LoadPlan.constant(connections, rate, session.pace().time());
        Outcome outcome = session.driver().http(server.http(), source.next(), plan);
        session.add(workload, server, Metric.RATE, turn, rate);
        percentile(server, Metric.P50, outcome.latencies(), 50, turn);
        percentile(server, Metric.P99, outcome.latencies(), 99, turn);
        percentile(server, Metric.P999, outcome.latencies(), 99.9, turn);
        percentile(server, Metric.SERVICE_P50, outcome.services(), 50, turn);
        percentile(server, Metric.SERVICE_P99, outcome.services(), 99, turn);
        session.problems(workload, server, turn, outcome);
    }

    private void percentile(
            RunningServer server, Metric metric, @Nullable Histogram histogram, double percentile, int turn) {
        if (histogram != null && histogram.getTotalCount() > 0) {
            double micros = histogram.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
            session.add(workload, server, metric, turn, micros);
        }
    }
}
