package io.weir.metrics.monitoring;

import io.weir.metrics.Meter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The dashboard for Grafana: rows for the questions of operators, and a closed row with each meter that they leave out. Confined to one
 * thread.
 */
final class Dashboard {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NETWORK = "instance=~\"$instance\", network=~\"$network\"";
    private static final String INSTANCE = "instance=~\"$instance\"";
    private static final String WINDOW = "$__rate_interval";
    private static final int COLUMNS = 24;
    private static final int WIDTH = 8;
    private static final int HEIGHT = 8;

    private final List<Meter> shown = new ArrayList<>();
    private final ObjectNode root = JSON.createObjectNode();
    private final ArrayNode panels = root.putArray("panels");
    private int x;
    private int y;
    private int ids;

    private Dashboard() {}

    /** Returns the file of the dashboard. */
    static String text() {
        Dashboard dashboard = new Dashboard();
        dashboard.calls();
        dashboard.keys();
        dashboard.nodes();
        dashboard.cache();
        dashboard.process();
        dashboard.others();
        dashboard.frame();
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(dashboard.root) + "\n";
    }

    private void calls() {
        row("Calls");
        panel("Calls by outcome", "reqps", "{{network}} {{outcome}}", rate(Meter.CALLS, "network", "outcome"));
        panel(
                "Share of calls without an answer (503)",
                "percentunit",
                "{{network}}",
                Query.rate(Meter.CALLS, NETWORK + ", outcome=\"unavailable\"", WINDOW, "network") + " / "
                        + rate(Meter.CALLS, "network"));
        panel(
                "Latency, 50th and 99th percentile",
                "s",
                "{{network}}",
                quantile("0.5", Meter.CALL_SECONDS, "network"),
                quantile("0.99", Meter.CALL_SECONDS, "network"));
        panel("Calls by method", "reqps", "{{method}}", "topk(10, " + rate(Meter.CALLS, "method") + ")");
        panel("Slowest methods, 99th percentile", "s", "{{method}}", slowest());
        panel("Requests refused", "reqps", "{{reason}}", rate(Meter.REQUESTS_REFUSED, "reason"));
    }

    private String slowest() {
        return "topk(10, " + quantile("0.99", Meter.CALL_SECONDS, "method") + ")";
    }

    private void keys() {
        row("Keys");
        panel("Calls by key", "reqps", "{{key}}", rate(Meter.KEY_CALLS, "key"));
        panel("Units by key", "short", "{{key}}", rate(Meter.KEY_UNITS, "key"));
        panel("Bytes by key", "Bps", "{{key}}", rate(Meter.KEY_BYTES, "key"));
        panel("Refused to keys", "reqps", "{{key}} {{reason}}", rate(Meter.KEY_REFUSALS, "key", "reason"));
    }

    private void nodes() {
        row("Nodes");
        panel("Healthy", "short", "{{network}} {{upstream}}", gauge("min", Meter.UPSTREAM_HEALTHY));
        panel("Head", "none", "{{network}}", gauge("max", Meter.HEAD));
        panel(
                "Blocks behind the head",
                "short",
                "{{network}} {{upstream}}",
                "max by (network) (" + Query.gauge(Meter.HEAD, NETWORK) + ") - on(network) group_right() "
                        + gauge("max", Meter.UPSTREAM_HEAD));
        panel(
                "Attempts by node",
                "reqps",
                "{{network}} {{upstream}}",
                rate(Meter.UPSTREAM_CALLS, "network", "upstream"));
        panel(
                "Attempts without a result",
                "reqps",
                "{{upstream}} {{outcome}}",
                Query.rate(
                        used(Meter.UPSTREAM_CALLS), NETWORK + ", outcome!=\"result\"", WINDOW, "upstream", "outcome"));
        panel(
                "Latency of nodes, 99th percentile",
                "s",
                "{{network}} {{upstream}}",
                quantile("0.99", Meter.UPSTREAM_SECONDS, "network", "upstream"));
        panel("Attempts in flight", "short", "{{network}} {{upstream}}", gauge("sum", Meter.UPSTREAM_IN_FLIGHT));
        panel("Ejections", "short", "{{upstream}} {{reason}}", rate(Meter.EJECTIONS, "upstream", "reason"));
        panel("Units left today", "short", "{{network}} {{upstream}}", gauge("min", Meter.UPSTREAM_UNITS_LEFT));
        panel(
                "Failovers, hedges, retries refused",
                "reqps",
                "{{network}}",
                rate(Meter.FAILOVERS, "network"),
                rate(Meter.HEDGES, "network"),
                rate(Meter.RETRIES_REFUSED, "network"));
    }

    private void cache() {
        row("Cache");
        panel("Answers by source", "reqps", "{{outcome}}", rate(Meter.CACHE_LOOKUPS, "outcome"));
        panel(
                "Share of hits",
                "percentunit",
                "{{network}}",
                Query.rate(Meter.CACHE_LOOKUPS, NETWORK + ", outcome=~\"hit|derived\"", WINDOW, "network") + " / "
                        + rate(Meter.CACHE_LOOKUPS, "network"));
        panel("Memory", "bytes", "{{instance}}", gauge("sum", Meter.CACHE_BYTES));
    }

    private void process() {
        row("Process");
        panel(
                "Bytes in flight, and their bound",
                "bytes",
                "{{instance}}",
                gauge("sum", Meter.BYTES_IN_FLIGHT),
                gauge("sum", Meter.BYTES_IN_FLIGHT_MAX));
        panel(
                "Buffers outside of the heap, and their bound",
                "bytes",
                "{{instance}}",
                gauge("sum", Meter.BYTES_DIRECT),
                gauge("sum", Meter.BYTES_DIRECT_MAX));
        panel("Calls in flight", "short", "{{instance}}", gauge("sum", Meter.CALLS_IN_FLIGHT));
        panel(
                "Connections and WebSockets",
                "short",
                "{{instance}}",
                gauge("sum", Meter.CONNECTIONS),
                gauge("sum", Meter.WEBSOCKETS));
        panel("Ready", "short", "{{instance}}", gauge("min", Meter.READY));
        panel("Version", "short", "{{instance}} {{version}}, Java {{java}}", Query.BUILD + "{" + INSTANCE + "}");
        panel("Time since the start", "s", "{{instance}}", "time() - process_start_time_seconds{" + INSTANCE + "}");
        panel("Memory of the process", "bytes", "{{instance}}", "process_resident_memory_bytes{" + INSTANCE + "}");
        panel(
                "Processors in use",
                "short",
                "{{instance}}",
                "rate(process_cpu_seconds_total{" + INSTANCE + "}[" + WINDOW + "])");
        panel(
                "Open files, and their limit",
                "short",
                "{{instance}}",
                "process_open_fds{" + INSTANCE + "}",
                "process_max_fds{" + INSTANCE + "}");
    }

    /** Adds a closed row of panels, one for each meter that no panel shows. */
    private void others() {
        ObjectNode row = row("All other metrics");
        row.put("collapsed", true);
        ArrayNode inside = row.withArray("panels");
        Stream.of(Meter.values()).filter(meter -> !shown.contains(meter)).forEach(meter -> {
            String[] labels = meter.labels().toArray(String[]::new);
            String query = switch (meter.kind()) {
                case COUNTER -> Query.rate(meter, matchers(meter), WINDOW, labels);
                case GAUGE -> Query.gauge(meter, matchers(meter));
                case TIMER -> Query.quantile("0.99", meter, matchers(meter), WINDOW, labels);
            };
            String legend = Stream.of(labels)
                    .map(label -> "{{" + label + "}}")
                    .reduce((a, b) -> a + " " + b)
                    .orElse("{{instance}}");
            ObjectNode panel = inside.addObject();
            fill(panel, meter.exportedName(), meter.unit().replace("count", "short"), legend, query);
            panel.put("description", meter.help());
        });
    }

    private Meter used(Meter meter) {
        shown.add(meter);
        return meter;
    }

    private static String matchers(Meter meter) {
        return meter.labels().contains("network") ? NETWORK : INSTANCE;
    }

    private String rate(Meter meter, String... by) {
        return Query.rate(used(meter), matchers(meter), WINDOW, by);
    }

    private String quantile(String quantile, Meter meter, String... by) {
        return Query.quantile(quantile, used(meter), matchers(meter), WINDOW, by);
    }

    /** Returns a gauge by its labels, or by proxy if it has none. */
    private String gauge(String aggregation, Meter meter) {
        String[] by = meter.labels().isEmpty()
                ? new String[] {"instance"}
                : meter.labels().toArray(String[]::new);
        return Query.gauge(aggregation, used(meter), matchers(meter), by);
    }

    private ObjectNode row(String title) {
        y += x == 0 ? 0 : HEIGHT;
        x = 0;
        ObjectNode row = panels.addObject();
        row.put("type", "row").put("title", title).put("collapsed", false).putArray("panels");
        place(row, COLUMNS, 1);
        return row;
    }

    private void panel(String title, String unit, String legend, String... queries) {
        fill(panels.addObject(), title, unit, legend, queries);
    }

    private void fill(ObjectNode panel, String title, String unit, String legend, String... queries) {
        panel.put("type", "timeseries").put("title", title);
        place(panel, WIDTH, HEIGHT);
        source(panel.putObject("datasource"));
        panel.putObject("fieldConfig").putObject("defaults").put("unit", unit).put("min", 0);
        ArrayNode targets = panel.putArray("targets");
        for (String query : queries) {
            String id = String.valueOf((char) ('A' + targets.size()));
            ObjectNode target = targets.addObject().put("refId", id).put("expr", query);
            target.put("legendFormat", queries.length == 1 ? legend : id + " " + legend);
        }
    }

    private void place(ObjectNode panel, int width, int height) {
        panel.put("id", ++ids);
        panel.putObject("gridPos").put("h", height).put("w", width).put("x", x).put("y", y);
        x += width;
        if (x >= COLUMNS) {
            x = 0;
            y += height;
        }
    }

    private static void source(ObjectNode source) {
        source.put("type", "prometheus").put("uid", "${datasource}");
    }

    private void frame() {
        root.put("title", "Weir").put("uid", "weir").put("schemaVersion", 39).put("refresh", "10s");
        root.put("description", "Generated from the catalogue of metrics.");
        root.putArray("tags").add("weir");
        root.putObject("annotations").putArray("list");
        root.putObject("time").put("from", "now-1h").put("to", "now");
        ArrayNode variables = root.putObject("templating").putArray("list");
        variables
                .addObject()
                .put("name", "datasource")
                .put("type", "datasource")
                .put("query", "prometheus");
        variable(variables.addObject(), "instance", Meter.READY);
        variable(variables.addObject(), "network", Meter.HEAD);
    }

    private static void variable(ObjectNode variable, String label, Meter meter) {
        variable.put("name", label).put("type", "query").put("multi", true).put("includeAll", true);
        variable.put("refresh", 2);
        variable.put("query", "label_values(" + meter.exportedName() + ", " + label + ")");
        variable.putObject("current").put("text", "All").put("value", "$__all");
        source(variable.putObject("datasource"));
    }
}
