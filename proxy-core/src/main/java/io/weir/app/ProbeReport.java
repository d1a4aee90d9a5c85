package io.weir.app;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Facts about the nodes of one network, as a table or as JSON. Confined to one thread. */
final class ProbeReport {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** Nodes next to each other. More of them follow in a further table. */
    private static final int COLUMNS = 4;

    private static final int MAX_CELL = 32;

    private final String network;
    private final String chainId;
    private final List<Node> nodes;

    /** @param nodes with their lag */
    ProbeReport(String network, String chainId, List<Node> nodes) {
        this.network = network;
        this.chainId = chainId;
        this.nodes = List.copyOf(nodes);
    }

    /** Fact about a node, with its name in JSON and in the table. */
    enum Fact {
        CHAIN("chainId", "chain id"),
        CLIENT("client", "client"),
        HEAD("head", "head"),
        AGE("headAgeSeconds", "age of the head, s"),
        LAG("lag", "blocks behind"),
        OLDEST("oldestBlock", "oldest block"),
        STATE_NEAR("stateAtHeadMinus128", "state at head - 128"),
        STATE_FAR("stateAtHeadMinus10000", "state at head - 10000"),
        STATE_OLD("stateAtBlock1", "state at block 1"),
        RECEIPTS("blockReceipts", "receipts of a block"),
        PROOF("proof", "eth_getProof"),
        DEBUG_TRACE("debugTrace", "debug_traceBlock…"),
        TRACE_BLOCK("traceBlock", "trace_block"),
        CAPABILITIES("capabilities", "eth_capabilities"),
        BATCH("batch", "calls in a batch"),
        RANGE("logRange", "blocks of eth_getLogs"),
        MEDIAN("medianMillis", "median latency, ms"),
        WORST("worstMillis", "worst latency, ms"),
        WEB_SOCKET("webSocket", "WebSocket"),
        GZIP("gzip", "gzip"),
        UNITS_SECOND("unitsPerSecond", "units a second"),
        UNITS_DAY("unitsPerDay", "units a day"),
        UNITS_CALL("unitsOfCall", "units of eth_call"),
        UNITS_LOGS("unitsOfLogs", "units of eth_getLogs"),
        UNITS("units", "units of this probe"),
        REQUESTS("requests", "requests"),
        CALLS("calls", "calls in them"),
        LIMITED("rateLimited", "refused for the rate");

        private final String key;
        private final String label;

        Fact(String key, String label) {
            this.key = key;
            this.label = label;
        }
    }

    /** Facts about a node: numbers, texts, and whether something is there. Confined to one thread at a time. */
    static final class Node {

        private final String id;
        private final Map<Fact, Object> facts = new EnumMap<>(Fact.class);
        private final Map<Fact, String> notes = new EnumMap<>(Fact.class);
        private final List<String> problems = new ArrayList<>();

        Node(String id) {
            this.id = id;
        }

        void set(Fact fact, Object value) {
            facts.put(fact, value);
        }

        /** Adds words about a fact, or why it is not known. */
        void note(Fact fact, String words) {
            notes.put(fact, words);
        }

        void problem(String words) {
            problems.add(words);
        }

        /** Returns the number of its head; -1 if that is not known, or is the head of another chain. */
        long head() {
            return problems.isEmpty() && facts.get(Fact.HEAD) instanceof Long head ? head : -1;
        }

        private Map<String, @Nullable Object> json() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("id", id);
            for (Fact fact : Fact.values()) {
                if (facts.containsKey(fact) || notes.containsKey(fact)) {
                    json.put(fact.key, facts.get(fact));
                }
            }
            Map<String, String> words = new LinkedHashMap<>();
            notes.forEach((fact, note) -> words.put(fact.key, note));
            json.put("notes", words);
            json.put("problems", problems);
            return json;
        }

        private String cell(Fact fact) {
            Object value = facts.get(fact);
            if (value == null) {
                return notes.containsKey(fact) ? "?" : "-";
            }
            String text = value instanceof Boolean there ? there ? "yes" : "no" : String.valueOf(value);
            return text.length() <= MAX_CELL ? text : text.substring(0, MAX_CELL - 1) + "…";
        }
    }

    /** Sets how far each node is behind the highest one. */
    static void compare(List<Node> nodes, long maxLag) {
        long highest = nodes.stream().mapToLong(Node::head).max().orElse(-1);
        for (Node node : nodes) {
            long head = node.head();
            if (head >= 0) {
                long lag = highest - head;
                node.set(Fact.LAG, lag);
                if (lag > maxLag) {
                    node.problem(lag + " blocks behind (expected: at most " + maxLag + ", as health.max-lag)");
                }
            }
        }
    }

    boolean isGood() {
        return nodes.stream().allMatch(node -> node.problems.isEmpty());
    }

    void printTable(PrintWriter out) {
        out.println("network " + network + ": chain " + chainId);
        for (int i = 0; i < nodes.size(); i += COLUMNS) {
            printTable(nodes.subList(i, Math.min(nodes.size(), i + COLUMNS)), out);
        }
        for (Node node : nodes) {
            node.notes.forEach((fact, words) -> out.println("  " + node.id + ": " + fact.label + ": " + words));
        }
        for (Node node : nodes) {
            node.problems.forEach(problem -> out.println("problem: " + network + "." + node.id + ": " + problem));
        }
    }

    private static void printTable(List<Node> nodes, PrintWriter out) {
        List<List<String>> columns = new ArrayList<>();
        List<Fact> shown = List.of(Fact.values()).stream()
                .filter(fact -> nodes.stream().anyMatch(node -> !node.cell(fact).equals("-")))
                .toList();
        columns.add(column("", shown.stream().map(fact -> fact.label).toList()));
        nodes.forEach(node -> columns.add(column(node.id, shown.stream().map(node::cell).toList())));
        for (int row = 0; row <= shown.size(); row++) {
            int at = row;
            String line = columns.stream().map(column -> column.get(at)).collect(Collectors.joining("  "));
            out.println(("  " + line).stripTrailing());
        }
    }

    /** Returns cells of the same width below their head. */
    private static List<String> column(String head, List<String> cells) {
        List<String> all = new ArrayList<>(List.of(head));
        all.addAll(cells);
        int width = all.stream().mapToInt(String::length).max().orElse(0);
        return all.stream()
                .map(cell -> String.format(Locale.ROOT, "%-" + Math.max(1, width) + "s", cell))
                .toList();
    }

    static String json(List<ProbeReport> reports) {
        List<Map<String, Object>> networks = new ArrayList<>();
        for (ProbeReport report : reports) {
            Map<String, Object> network = new LinkedHashMap<>();
            network.put("name", report.network);
            network.put("chainId", report.chainId);
            network.put("nodes", report.nodes.stream().map(Node::json).toList());
            networks.add(network);
        }
        return JSON.writeValueAsString(Map.of("networks", networks));
    }
}
