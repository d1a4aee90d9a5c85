package io.weir.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.admin.StatusHistory.Sample;
import io.weir.api.AdminPage.Response;
import io.weir.plugin.PluginCatalogue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The page for people: what is wrong, a table of the networks, and one of the nodes, worst first. It is made anew for each request from
 * {@code /status} and the history, so that it needs no script; its script only refreshes, sorts and sends operations. Texts of nodes and
 * configurations are escaped. Thread-safe.
 */
final class StatusPage {

    /** Ranges of a network that are shown. */
    private static final int MAX_RANGES = 5;

    private static final double BAD_SHARE = 0.05;
    private static final int LINE_HEIGHT = 20;

    private final StatusReport status;
    private final StatusHistory history;
    private final PluginCatalogue plugins;

    StatusPage(StatusReport status, PluginCatalogue plugins) {
        this.status = status;
        this.plugins = plugins;
        this.history = status.history();
    }

    void sample() {
        history.sample(System.nanoTime());
    }

    /** @param host the name by which the client calls the proxy; null if it has none */
    Response page(@Nullable String host) {
        Response frame = Objects.requireNonNull(AdminResponses.file("/page.html"));
        Sample now = history.now(System.nanoTime());
        JsonNode root = status.tree(now.totals());
        List<String> wrong = new ArrayList<>();
        List<Row> nodes = new ArrayList<>();
        StringBuilder networks = new StringBuilder();
        root.path("networks").properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode network = entry.getValue();
            networks.append(network(name, network, now, wrong));
            network.path("upstreams").forEach(node -> nodes.add(node(name, network, node, now, wrong)));
        });
        process(root, wrong);
        nodes.sort(Comparator.comparingDouble(Row::trouble).reversed());
        String title = "Weir " + root.path("version").asString("") + (host == null ? "" : " at " + host);
        String page = new String(frame.body(), UTF_8)
                .replace("<!--title-->", escaped(title))
                .replace(
                        "<!--up-->", "up " + duration(root.path("uptimeSeconds").asLong(0)))
                .replace("<!--links-->", links(plugins.links()))
                .replace("<!--wrong-->", wrong.isEmpty() ? "<p class=\"good\">All is well.</p>" : list(wrong))
                .replace("<!--networks-->", networks)
                .replace("<!--nodes-->", nodes.stream().map(Row::html).collect(Collectors.joining()))
                .replace("<!--kept-->", kept(root));
        return new Response(frame.status(), frame.contentType(), frame.headers(), page.getBytes(UTF_8));
    }

    /** @param trouble how far up the row belongs */
    private record Row(double trouble, String html) {}

    private String network(String name, JsonNode network, Sample now, List<String> wrong) {
        boolean usable = network.path("usable").asBoolean(false);
        double failed = history.failed(now, name);
        if (!usable) {
            wrong.add(link("unusable", name + ": no usable node"));
        } else if (failed >= BAD_SHARE) {
            wrong.add(link("errors", name + ": " + percent(failed) + " of the calls of the last hour had no answer"));
        }
        JsonNode head = network.path("head");
        JsonNode cache = network.path("cache");
        double hits = sum(cache.path("hits")) + sum(cache.path("derived"));
        double lookups = hits + sum(cache.path("misses"));
        long cost = 0;
        for (JsonNode node : network.path("upstreams")) {
            cost += node.path("budget").path("usedToday").asLong(0);
        }
        return "<tr><th scope=\"row\">" + escaped(name) + "</th>"
                + state(usable, usable ? "usable" : "unusable")
                + cell(
                        "head",
                        head.isMissingNode() ? "" : number(head.path("number").asLong()))
                + cell("age", head.isMissingNode() ? "" : head.path("ageMillis").asLong() / 1000 + " s")
                + cell("calls/s", rate(history.rate(now, name)))
                + cell("hits", lookups == 0 ? "" : percent(hits / lookups))
                + cell("no answer, 1 h", percent(failed))
                + cell("units today", number(cost))
                + cell("reorganisations, 24 h", number(history.reorgs(now, name)))
                + line(history.byMinute(name)) + "</tr>\n";
    }

    private Row node(String network, JsonNode of, JsonNode node, Sample now, List<String> wrong) {
        String id = node.path("id").asString("");
        String health = node.path("drained").asBoolean(false)
                ? "drained"
                : node.path("health").asString("");
        boolean healthy = health.equals("healthy");
        String detail = node.path("detail").asString("");
        long head = node.path("head").asLong(-1);
        long lag = head < 0 ? 0 : Math.max(0, of.path("head").path("number").asLong(head) - head);
        double failed = history.failed(now, network, id);
        JsonNode budget = node.path("budget");
        if (budget.path("leftToday").asLong(1) == 0) {
            wrong.add(link("budget", network + " " + id + ": its units of today are spent"));
        } else if (!healthy && !health.equals("drained")) {
            wrong.add(link(health, network + " " + id + ": " + health + (detail.isEmpty() ? "" : ", " + detail)));
        }
        String html =
                "<tr data-network=\"" + escaped(network) + "\" data-node=\"" + escaped(id) + "\"><th scope=\"row\">"
                        + escaped(id) + "</th>"
                        + cell("network", escaped(network))
                        + state(healthy, health)
                        + cell("reason", escaped(detail))
                        + cell("head", head < 0 ? "" : number(head))
                        + cell("behind", head < 0 ? "" : number(lag))
                        + cell("calls/s", rate(history.rate(now, network, id)))
                        + cell("median", millis(node, "p50Millis"))
                        + cell("95 %", millis(node, "p95Millis"))
                        + cell("no answer, 1 h", percent(failed))
                        + cell("in flight", number(node.path("inFlight").asLong(0)))
                        + cell(
                                "units left",
                                budget.has("leftToday")
                                        ? number(budget.path("leftToday").asLong())
                                        : "")
                        + cell("WebSocket", node.path("webSocket").asBoolean(false) ? "yes" : "no")
                        + cell("tier", node.path("tier").asString())
                        + cell("weight", node.path("weight").asString())
                        + line(history.byMinute(network, id)) + "</tr>\n";
        return new Row((healthy ? 0 : 2) + failed + Math.min((double) lag, 1e6) / 1e7, html);
    }

    private static void process(JsonNode root, List<String> wrong) {
        if (root.path("reload").path("outcome").asString("").equals("refused")) {
            wrong.add(link("reload", "the last reload was refused: the proxy runs with the configuration before"));
        }
        if (root.path("sharing").has("up") && !root.path("sharing").path("up").asBoolean()) {
            wrong.add(link(
                    "sharing",
                    "limits are not shared: "
                            + root.path("sharing").path("state").asString("")));
        }
        for (JsonNode certificate : root.path("certificates")) {
            if (certificate.has("problem")) {
                String setting = certificate.path("setting").asString("");
                wrong.add(link(
                        "certificate",
                        setting + ": " + certificate.path("problem").asString("")));
            }
        }
    }

    private static String kept(JsonNode root) {
        JsonNode cache = root.path("cache");
        StringBuilder kept =
                new StringBuilder("memory: " + number(cache.path("entries").asLong()) + " results, "
                        + number(cache.path("bytes").asLong() >> 20) + " MiB, "
                        + number(cache.path("evictions").asLong()) + " evicted");
        cache.path("tiers")
                .forEach(tier -> kept.append("; ")
                        .append(escaped(tier.path("name").asString("")))
                        .append(": ")
                        .append(escaped(tier.path("state").asString(""))));
        root.path("networks").properties().forEach(network -> {
            JsonNode ranges = network.getValue().path("completeLogs");
            if (!ranges.isEmpty()) {
                String blocks = ranges.valueStream()
                        .limit(MAX_RANGES)
                        .map(JsonNode::asString)
                        .collect(Collectors.joining(", "));
                kept.append("; complete logs of ")
                        .append(escaped(network.getKey()))
                        .append(": blocks ")
                        .append(escaped(blocks))
                        .append(ranges.size() > MAX_RANGES ? ", …" : "");
            }
        });
        return kept.toString();
    }

    private static String links(Map<String, String> texts) {
        return texts.entrySet().stream()
                .map(link -> "<a href=\"" + escaped(link.getKey()) + "\">" + escaped(link.getValue()) + "</a>")
                .collect(Collectors.joining(" "));
    }

    private static String link(String symptom, String text) {
        return "<a href=\"#help-" + escaped(symptom) + "\">" + escaped(text) + "</a>";
    }

    private static String list(List<String> items) {
        return items.stream().collect(Collectors.joining("</li><li>", "<ul><li>", "</li></ul>"));
    }

    private static String state(boolean good, String word) {
        return "<td data-label=\"state\" class=\"" + (good ? "good" : "bad") + "\">" + escaped(word) + "</td>";
    }

    private static String cell(String label, String html) {
        return "<td data-label=\"" + label + "\">" + html + "</td>";
    }

    private static String line(List<Long> values) {
        long most = Math.max(1, values.stream().mapToLong(Long::longValue).max().orElse(1));
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            int x = StatusHistory.MINUTES - values.size() + i;
            points.append(x)
                    .append(',')
                    .append(LINE_HEIGHT - 1 - values.get(i) * (LINE_HEIGHT - 2) / most)
                    .append(' ');
        }
        return "<td data-label=\"60 min\"><svg viewBox=\"0 0 " + (StatusHistory.MINUTES - 1) + " " + LINE_HEIGHT
                + "\" role=\"img\" aria-label=\"calls of each minute, at most " + most + "\"><polyline points=\""
                + points
                + "\"/></svg></td>";
    }

    private static String millis(JsonNode node, String name) {
        JsonNode latency = node.path("latency");
        return latency.path("count").asLong(0) == 0
                ? ""
                : "&le; " + number(latency.path(name).asLong(0)) + " ms";
    }

    private static double sum(JsonNode counts) {
        double sum = 0;
        for (JsonNode count : counts) {
            sum += count.asDouble(0);
        }
        return sum;
    }

    private static String rate(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share == 0 || share >= 0.1 ? "%.0f %%" : "%.1f %%", share * 100);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String duration(long seconds) {
        long minutes = seconds / 60;
        return minutes < 60
                ? minutes + " min"
                : minutes < 60 * 48 ? minutes / 60 + " h " + minutes % 60 + " min" : minutes / 60 / 24 + " d";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
