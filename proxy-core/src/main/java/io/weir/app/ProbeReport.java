package io.weir.app;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Facts about the nodes of one network, for a table or JSON. Immutable, but for its nodes.
 *
 * @param kind of the network; only nodes of Ethereum's are asked
 */
record ProbeReport(String name, String kind, String chainId, List<Node> nodes) {

    /** Nodes next to each other. More of them follow in a further table. */
    private static final int COLUMNS = 4;

    private static final int MAX_CELL = 32;

    /**
     * Facts about a node. Confined to one thread at a time.
     *
     * @param facts numbers, texts, and whether something is there, by name; null if it is not known
     * @param notes words about a fact, or why it is not known
     * @param problems that calls would meet
     */
    record Node(String id, Map<String, @Nullable Object> facts, Map<String, String> notes, List<String> problems) {

        Node(String id) {
            this(id, new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
        }

        void unknown(String fact, String words) {
            facts.putIfAbsent(fact, null);
            notes.put(fact, words);
        }

        /** Returns the number of its newest block; -1 if it is not known. */
        private long head() {
            return facts.get("head") instanceof Long head ? head : -1;
        }

        private String cell(String fact) {
            Object value = facts.get(fact);
            String text = value == null
                    ? notes.containsKey(fact) ? "?" : "-"
                    : value instanceof Boolean there ? there ? "yes" : "no" : value.toString();
            return text.length() <= MAX_CELL ? text : text.substring(0, MAX_CELL - 1) + "…";
        }
    }

    /** Adds how far each node of the chain is behind the highest one. */
    void compare(long maxLag) {
        List<Node> ofChain = nodes.stream()
                .filter(node -> node.problems.isEmpty() && node.head() >= 0)
                .toList();
        long highest = ofChain.stream().mapToLong(Node::head).max().orElse(0);
        for (Node node : ofChain) {
            long lag = highest - node.head();
            node.facts.put("blocksBehind", lag);
            if (lag > maxLag) {
                node.problems.add(lag + " blocks behind (expected: at most " + maxLag + ", as health.max-lag)");
            }
        }
    }

    boolean isGood() {
        return nodes.stream().allMatch(node -> node.problems.isEmpty());
    }

    void print(PrintWriter out) {
        String skipped = nodes.isEmpty() ? ", not probed: kind " + kind : "";
        out.println("network " + name + ": chain " + chainId + skipped);
        for (int i = 0; i < nodes.size(); i += COLUMNS) {
            print(nodes.subList(i, Math.min(nodes.size(), i + COLUMNS)), out);
        }
        nodes.forEach(node ->
                node.notes.forEach((fact, words) -> out.println("  " + node.id + ": " + label(fact) + ": " + words)));
        nodes.forEach(node ->
                node.problems.forEach(problem -> out.println("problem: " + name + "." + node.id + ": " + problem)));
    }

    private static void print(List<Node> nodes, PrintWriter out) {
        Set<String> facts = new LinkedHashSet<>();
        // The one with the most facts has them in the order of the questions.
        nodes.stream()
                .sorted(Comparator.comparing(node -> -node.facts.size()))
                .forEach(node -> facts.addAll(node.facts.keySet()));
        List<List<String>> columns = new ArrayList<>();
        columns.add(column("", facts.stream().map(ProbeReport::label).toList()));
        nodes.forEach(node ->
                columns.add(column(node.id, facts.stream().map(node::cell).toList())));
        for (int row = 0; row <= facts.size(); row++) {
            int at = row;
            String line = columns.stream().map(column -> column.get(at)).collect(Collectors.joining("  "));
            out.println(("  " + line).stripTrailing());
        }
    }

    /** Returns the words of a name: {@code headAgeSeconds} is {@code head age seconds}. */
    private static String label(String fact) {
        return fact.replaceAll("(?<=[a-z])(?=[A-Z0-9])", " ").toLowerCase(Locale.ROOT);
    }

    private static List<String> column(String head, List<String> cells) {
        List<String> all = new ArrayList<>(List.of(head));
        all.addAll(cells);
        int width = all.stream().mapToInt(String::length).max().orElse(0);
        return all.stream()
                .map(cell -> cell + " ".repeat(width - cell.length()))
                .toList();
    }
}
