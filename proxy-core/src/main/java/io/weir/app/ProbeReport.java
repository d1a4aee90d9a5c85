package io.weir.app;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts about the nodes of one network, for a table or JSON. Immutable, but for its nodes.
 *
 * @param kind of the network; only nodes of Ethereum's are asked
 */
record ProbeReport(String name, String kind, String chainId, List<Node> nodes) {

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

        void note(String fact, String words) {
            facts.putIfAbsent(fact, null);
            notes.put(fact, words);
        }

        /** Returns the number of its newest block; -1 if it is not known or not of the chain. */
        private long head() {
            return problems.isEmpty() && facts.get("head") instanceof Long head ? head : -1;
        }

        private String line(String fact) {
            Object value = facts.get(fact);
            String text =
                    value == null ? "?" : value instanceof Boolean there ? there ? "yes" : "no" : value.toString();
            // The words of a name: headAgeSeconds is head age seconds.
            String label = fact.replaceAll("(?<=[a-z])(?=[A-Z0-9])", " ").toLowerCase(Locale.ROOT);
            String note = notes.containsKey(fact) ? "; " + notes.get(fact) : "";
            return String.format(Locale.ROOT, "    %-26s%s%s", label, text, note);
        }
    }

    /** Adds how far each node of the chain is behind the highest one. */
    void compare(long maxLag) {
        long highest = nodes.stream().mapToLong(Node::head).max().orElse(-1);
        for (Node node : nodes) {
            long lag = highest - node.head();
            if (node.head() >= 0) {
                node.facts.put("blocksBehind", lag);
                if (lag > maxLag) {
                    node.problems.add(lag + " blocks behind (expected: at most " + maxLag + ", as health.max-lag)");
                }
            }
        }
    }

    boolean isGood() {
        return nodes.stream().allMatch(node -> node.problems.isEmpty());
    }

    void print(PrintWriter out) {
        out.println("network " + name + ": chain " + chainId + (nodes.isEmpty() ? ", not probed: kind " + kind : ""));
        for (Node node : nodes) {
            out.println("  node " + node.id);
            node.facts.keySet().forEach(fact -> out.println(node.line(fact)));
            node.problems.forEach(problem -> out.println("problem: " + name + "." + node.id + ": " + problem));
        }
    }
}
