package io.weir.bench.load.report;

import io.weir.bench.load.server.ServerName;
import java.util.List;
import java.util.stream.Stream;

/** The goals of this proxy, computed from a run. Pure. */
public final class Goals {

    private static final double MAX_IN_FLIGHT_MB = 256 * 1.048576;

    private final Journal journal;
    private final boolean best;

    private Goals(Journal journal, boolean best) {
        this.journal = journal;
        this.best = best;
    }

    /**
     * All of them, measured or not.
     *
     * @param best whether this proxy's best turn counts and not the median: short runs measure while it is still being compiled
     */
    public static List<Goal> of(Journal journal, boolean best) {
        return new Goals(journal, best).all();
    }

    private List<Goal> all() {
        return Stream.of(hits(), misses(), largeResults(), faultyNodes(), starts())
                .flatMap(List::stream)
                .toList();
    }

    private List<Goal> hits() {
        return List.of(
                ratio("small hit / nginx proxy_cache", "small-hit", ServerName.WEIR, ServerName.NGINX_CACHE, 2.0),
                ratio("small hit / bare Netty server", "small-hit", ServerName.WEIR, ServerName.BARE, 1.0),
                ratio("4 KB block hit / nginx proxy_cache", "block-4k", ServerName.WEIR, ServerName.NGINX_CACHE, 1.5),
                Goal.least(
                        "batch-100",
                        "batch of 100 hits, calls a second",
                        median("batch-100", ServerName.WEIR, Metric.CALLS),
                        400_000,
                        ""));
    }

    private List<Goal> misses() {
        return List.of(
                ratio(
                        "small miss, batching off / nginx proxy_pass",
                        "small-miss",
                        ServerName.WEIR_UNBATCHED,
                        ServerName.NGINX_PASS,
                        1.0),
                added("50th", Metric.P50),
                added("99th", Metric.P99),
                ratio("small miss, batching on / off", "small-miss", ServerName.WEIR, ServerName.WEIR_UNBATCHED, 1.0),
                ratio("mixed / eRPC", "mixed", ServerName.WEIR, ServerName.ERPC, 3.0));
    }

    private List<Goal> largeResults() {
        return List.of(
                ratio("results of 10 MB / nginx proxy_pass", "large", ServerName.WEIR, ServerName.NGINX_PASS, 0.75),
                Goal.most(
                        "large",
                        "results of 10 MB: processor time / Netty alone",
                        median("large", ServerName.WEIR, Metric.PROCESSOR_PER_REQUEST)
                                / median("large", ServerName.NETTY_PASS, Metric.PROCESSOR_PER_REQUEST),
                        1.4,
                        ""),
                Goal.most(
                        "large",
                        "results of 10 MB: bytes in flight within server.bytes-in-flight",
                        journal.spread("large", ServerName.WEIR, Metric.IN_FLIGHT)
                                .highest(),
                        MAX_IN_FLIGHT_MB,
                        " MB"),
                Goal.most(
                        "large",
                        "results of 10 MB: most resident memory by bin/weir",
                        journal.spread("large", ServerName.WEIR_INSTALLED, Metric.PEAK)
                                .highest(),
                        200,
                        " MB"));
    }

    private List<Goal> faultyNodes() {
        return List.of(
                Goal.most(
                        "faulty",
                        "one slow and one failing node: 99th percentile / with healthy nodes",
                        median("faulty", ServerName.WEIR, Metric.P99)
                                / median("faulty", ServerName.WEIR, Metric.HEALTHY_P99),
                        2,
                        ""),
                Goal.most(
                        "faulty",
                        "one slow and one failing node: node calls per call",
                        median("faulty", ServerName.WEIR, Metric.NODE_CALLS_PER_CALL),
                        1.05,
                        ""));
    }

    private List<Goal> starts() {
        return List.of(
                Goal.most(
                        "start",
                        "start to the first answer by bin/weir, conf/weir.conf as shipped",
                        median("start", ServerName.WEIR_INSTALLED, Metric.ANSWER_MILLIS),
                        500,
                        " ms"),
                Goal.most(
                        "start",
                        "resident at rest by bin/weir, conf/weir.conf as shipped",
                        median("start", ServerName.WEIR_INSTALLED, Metric.RESIDENT),
                        120,
                        " MB"));
    }

    private Goal ratio(String what, String workload, ServerName server, ServerName other, double wanted) {
        Spread spread = journal.spread(workload, server, Metric.REQUESTS);
        double found = (best ? spread.highest() : spread.median()) / median(workload, other, Metric.REQUESTS);
        return Goal.least(workload, what, found, wanted, "").inShortRuns();
    }

    private double median(String workload, ServerName server, Metric metric) {
        return journal.spread(workload, server, metric).median();
    }

    /** Both add to the latency of the node by itself, which the difference leaves out. Each runs at half of its own load. */
    private Goal added(String percentile, Metric metric) {
        return Goal.most(
                "small-miss",
                "small miss, batching off: added at the " + percentile + " percentile, half load, less what nginx adds",
                median("small-miss", ServerName.WEIR_UNBATCHED, metric)
                        - median("small-miss", ServerName.NGINX_PASS, metric),
                0,
                " µs");
    }
}
