package io.weir.metrics.monitoring;

import io.weir.metrics.Meter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The alert rules for Prometheus. Immutable. */
final class AlertRules {

    private static final String WINDOW = "5m";
    private static final String[] NODE = {"instance", "network", "upstream"};
    private static final String CRITICAL = "critical";
    private static final String WARNING = "warning";

    private AlertRules() {}

    /**
     * An alert.
     *
     * @param lasting for how long the expression must hold
     * @param summary one line, with labels of the expression
     * @param action where the operator looks first
     */
    record Alert(String name, String expression, String lasting, String severity, String summary, String action) {

        String text() {
            return """
                      - alert: %s
                        expr: %s
                        for: %s
                        labels:
                          severity: %s
                        annotations:
                          summary: %s
                          description: %s
                """.formatted(name, quoted(expression), lasting, severity, quoted(summary), quoted(action));
        }

        private static String quoted(String text) {
            return "'" + text.replace("'", "''") + "'";
        }
    }

    /** Returns the file of rules. */
    static String text() {
        return """
                # Generated from the catalogue of metrics. A test compares this file with it. Include it under rule_files in prometheus.yml.
                groups:
                  - name: weir
                    rules:
                """ + all().stream().map(Alert::text).collect(Collectors.joining());
    }

    static List<Alert> all() {
        return Stream.of(calls(), nodes(), answersAndBudgets(), certificates(), process())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Alert> calls() {
        return List.of(
                new Alert(
                        "WeirNotReady",
                        Query.gauge(Meter.READY, "") + " == 0",
                        "1m",
                        CRITICAL,
                        "{{ $labels.instance }} fails its health checks",
                        "Read the text of /health/ready. A proxy that drains fails them too."),
                new Alert(
                        "WeirErrorShare",
                        Query.rate(Meter.CALLS, "outcome=\"unavailable\"", WINDOW, "instance", "network") + " / "
                                + Query.rate(Meter.CALLS, "", WINDOW, "instance", "network") + " > 0.01",
                        WINDOW,
                        CRITICAL,
                        "{{ $value | humanizePercentage }} of the calls on {{ $labels.network }} get 503",
                        "See weir_upstream_calls_total by outcome, and the log."),
                new Alert(
                        "WeirSlowCalls",
                        Query.quantile("0.99", Meter.CALL_SECONDS, "", WINDOW, "instance", "network") + " > 2",
                        "10m",
                        WARNING,
                        "1 % of the calls on {{ $labels.network }} take more than {{ $value | humanizeDuration }}",
                        "Compare weir_upstream_seconds: if the nodes are fast, look at processor and garbage collector."),
                new Alert(
                        "WeirTransactionsUncertain",
                        Query.increase(Meter.TRANSACTIONS, "outcome=\"uncertain\"", "15m", "instance", "network")
                                + " > 0",
                        "0m",
                        WARNING,
                        "it is unknown whether a transaction was sent on {{ $labels.network }}",
                        "The client has its hash."));
    }

    private static List<Alert> nodes() {
        return List.of(
                new Alert(
                        "WeirNoUsableNode",
                        Query.gauge("max", Meter.UPSTREAM_HEALTHY, "", "instance", "network") + " == 0",
                        "1m",
                        CRITICAL,
                        "no node of {{ $labels.network }} is healthy",
                        "Read state and detail of the nodes in /status."),
                new Alert(
                        "WeirNodeNotHealthy",
                        Query.gauge(Meter.UPSTREAM_HEALTHY, "") + " == 0",
                        "10m",
                        WARNING,
                        "node {{ $labels.upstream }} of {{ $labels.network }} gets no calls",
                        "Read its state and detail in /status. A drained node is not healthy either."),
                new Alert(
                        "WeirHeadStands",
                        "changes(" + Query.gauge(Meter.HEAD, "") + "[15m]) == 0 and " + Query.gauge(Meter.HEAD, "")
                                + " >= 0",
                        WINDOW,
                        WARNING,
                        "the head of {{ $labels.network }} has not moved for 15 minutes",
                        "The chain or the nodes stand still. Silence this alert for chains without regular blocks."),
                new Alert(
                        "WeirEjections",
                        Query.increase(Meter.EJECTIONS, "", "30m", NODE) + " >= 3",
                        "0m",
                        WARNING,
                        "node {{ $labels.upstream }} of {{ $labels.network }} is ejected again and again",
                        "Its answers to calls fail or are slow, while its probes succeed."));
    }

    private static List<Alert> answersAndBudgets() {
        return List.of(
                new Alert(
                        "WeirFalseAnswers",
                        Query.increase(Meter.UPSTREAM_CALLS, "outcome=\"false_answer\"", "1h", NODE) + " > 0",
                        "0m",
                        CRITICAL,
                        "node {{ $labels.upstream }} of {{ $labels.network }} gave false answers",
                        "The log names the difference. Drain the node."),
                new Alert(
                        "WeirCredentialsRefused",
                        Query.rate(Meter.UPSTREAM_CALLS, "outcome=\"credentials\"", WINDOW, NODE) + " > 0",
                        WINDOW,
                        WARNING,
                        "node {{ $labels.upstream }} of {{ $labels.network }} refuses the proxy's credentials",
                        "The key of the provider is wrong, or has ended."),
                new Alert(
                        "WeirBudgetEndsToday",
                        // The budget begins anew at midnight, UTC.
                        Query.gauge("min", Meter.UPSTREAM_UNITS_LEFT, "", NODE) + " < "
                                + Query.rate(Meter.UPSTREAM_UNITS, "", "1h", NODE) + " * (86400 - time() % 86400)",
                        "15m",
                        WARNING,
                        "the budget of node {{ $labels.upstream }} of {{ $labels.network }} ends before the UTC day",
                        "At the rate of the last hour. Calls then go to other nodes. See budget in /status."),
                new Alert(
                        "WeirBudgetSpent",
                        Query.gauge(Meter.UPSTREAM_UNITS_LEFT, "") + " <= 0",
                        "0m",
                        WARNING,
                        "the budget of node {{ $labels.upstream }} of {{ $labels.network }} is spent",
                        "Calls go to other nodes until midnight, UTC."));
    }

    private static List<Alert> certificates() {
        return List.of(
                new Alert(
                        "WeirCertificateExpires",
                        Query.gauge(Meter.TLS_CERTIFICATE_DAYS, "") + " < 14",
                        "1h",
                        WARNING,
                        "the certificate {{ $labels.certificate }} expires in {{ $value }} days",
                        "Renew its files. If they are renewed, /status has the problem."),
                new Alert(
                        "WeirCertificateRefused",
                        Query.increase(Meter.TLS_REREADS, "outcome=\"refused\"", "1h", "instance") + " > 0",
                        "15m",
                        WARNING,
                        "{{ $labels.instance }} cannot use a changed certificate",
                        "The log names the file. The certificate before stays in use."));
    }

    private static List<Alert> process() {
        return List.of(
                new Alert(
                        "WeirBytesInFlight",
                        Query.gauge(Meter.BYTES_IN_FLIGHT, "") + " / " + Query.gauge(Meter.BYTES_IN_FLIGHT_MAX, "")
                                + " > 0.8",
                        WINDOW,
                        WARNING,
                        "{{ $labels.instance }} uses {{ $value | humanizePercentage }} of server.bytes-in-flight",
                        "Over the bound calls get 503. Raise the heap and the bound, or add a proxy."),
                new Alert(
                        "WeirDirectMemory",
                        Query.gauge(Meter.BYTES_DIRECT, "") + " / " + Query.gauge(Meter.BYTES_DIRECT_MAX, "")
                                + " > 0.9",
                        WINDOW,
                        WARNING,
                        "{{ $labels.instance }} uses {{ $value | humanizePercentage }} of the memory for buffers",
                        "Raise -XX:MaxDirectMemorySize, or lower server.bytes-in-flight."),
                new Alert(
                        "WeirLoadShed",
                        Query.rate(Meter.REQUESTS_REFUSED, "reason=\"overload\"", WINDOW, "instance") + " > 0",
                        WINDOW,
                        CRITICAL,
                        "{{ $labels.instance }} rejects requests because too much is in flight",
                        "See weir_bytes_in_flight and weir_calls_in_flight."),
                new Alert(
                        "WeirConnectionsRefused",
                        Query.rate(Meter.CONNECTIONS_REFUSED, "", WINDOW, "instance") + " > 0",
                        WINDOW,
                        WARNING,
                        "{{ $labels.instance }} closes connections on arrival",
                        "server.max-connections is reached."),
                new Alert(
                        "WeirSharingDown",
                        Query.gauge(Meter.SHARING_UP, "") + " == 0",
                        WINDOW,
                        WARNING,
                        "{{ $labels.instance }} shares no limits with other proxies",
                        "Each proxy applies the whole limits meanwhile. See the log."),
                new Alert(
                        "WeirCacheTierDown",
                        Query.gauge(Meter.CACHE_TIER_UP, "") + " == 0",
                        WINDOW,
                        WARNING,
                        "the cache tier {{ $labels.tier }} of {{ $labels.instance }} is down",
                        "Calls go on without it. See the log."));
    }
}
