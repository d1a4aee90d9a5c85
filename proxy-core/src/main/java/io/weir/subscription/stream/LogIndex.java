package io.weir.subscription.stream;

import io.weir.jsonrpc.RawJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Index over criteria. Confined to one thread.
 *
 * <p>It is a tree: the first level is the address, the others are the topics. Each node has a child for each value, and one for
 * all values. A log leads to at most two children on each level, so a lookup takes the same time for any number of criteria,
 * apart from the matches. The first level with many alternatives has a child for each. Criteria with many on several levels end at
 * an earlier one, and the rest is compared.
 *
 * @param <T> the type of the owners of criteria; each owns one
 */
public final class LogIndex<T> {

    /** Number of nodes that criteria may always add on one level. */
    private static final int MIN_BRANCHES = 64;

    /** Number of nodes on one level for each of their addresses and topics, beyond that number. */
    private static final int MAX_BRANCHES_OF_EACH = 4;

    /** Heap of one node with its place in the parent and its entry, about. */
    private static final int NODE_BYTES = 128;

    private final Node<T> root = new Node<>();
    private int size;

    /** Criteria at the end of their path. Immutable. */
    private record Entry(LogCriteria criteria, int compareFrom) {}

    /** Node of the tree. Most have one child or entry, for which an immutable map is the smallest. Confined to one thread. */
    private static final class Node<T> {

        private Map<RawJson, Node<T>> children = Map.of();
        private @Nullable Node<T> any;
        private Map<T, Entry> entries = Map.of();

        Node<T> any() {
            if (any == null) {
                any = new Node<>();
            }
            return any;
        }

        Node<T> child(RawJson value) {
            Node<T> child = children.get(value);
            if (child == null) {
                child = new Node<>();
                children = with(children, value, child);
            }
            return child;
        }

        private static <K, V> Map<K, V> with(Map<K, V> map, K key, V value) {
            if (map.isEmpty()) {
                return Map.of(key, value);
            }
            Map<K, V> more = map.size() == 1 ? new LinkedHashMap<>(map) : map;
            more.put(key, value);
            return more;
        }

        private static <K, V> Map<K, V> without(Map<K, V> map, K key) {
            if (!map.containsKey(key)) {
                return map;
            }
            if (map.size() == 1) {
                return Map.of();
            }
            map.remove(key);
            return map.size() == 1 ? Map.copyOf(map) : map;
        }

        boolean isEmpty() {
            return children.isEmpty() && any == null && entries.isEmpty();
        }
    }

    public void add(LogCriteria criteria, T owner) {
        size++;
        if (criteria.addresses().isEmpty()) {
            insert(root.any(), criteria, 0, 1, owner);
        } else {
            for (RawJson address : criteria.addresses()) {
                insert(root.child(address), criteria, 0, criteria.addresses().size(), owner);
            }
        }
    }

    private void insert(Node<T> node, LogCriteria criteria, int level, int branches, T owner) {
        if (ends(criteria, level, branches)) {
            node.entries = Node.with(node.entries, owner, new Entry(criteria, level));
            return;
        }
        Set<RawJson> alternatives = criteria.topics().get(level);
        if (alternatives.isEmpty()) {
            insert(node.any(), criteria, level + 1, branches, owner);
        }
        for (RawJson topic : alternatives) {
            insert(node.child(topic), criteria, level + 1, branches * alternatives.size(), owner);
        }
    }

    private static boolean ends(LogCriteria criteria, int level, int branches) {
        if (level == criteria.topics().size()) {
            return true;
        }
        int alternatives = criteria.topics().get(level).size();
        int max = Math.max(MIN_BRANCHES, MAX_BRANCHES_OF_EACH * LogCriteria.count(criteria));
        return alternatives > 1 && (long) branches * alternatives > max;
    }

    /** Returns the heap that criteria take here, about. */
    static long bytes(LogCriteria criteria) {
        int branches = Math.max(1, criteria.addresses().size());
        long nodes = branches;
        for (int level = 0; !ends(criteria, level, branches); level++) {
            branches *= Math.max(1, criteria.topics().get(level).size());
            nodes += branches;
        }
        return nodes * NODE_BYTES;
    }

    /** Removes criteria that were added with this owner. */
    public void remove(LogCriteria criteria, T owner) {
        size--;
        if (criteria.addresses().isEmpty()) {
            removeAny(root, criteria, 0, 1, owner);
        } else {
            for (RawJson address : criteria.addresses()) {
                removeChild(root, address, criteria, 0, criteria.addresses().size(), owner);
            }
        }
    }

    private void removeAny(Node<T> parent, LogCriteria criteria, int level, int branches, T owner) {
        Node<T> child = parent.any;
        if (child != null) {
            remove(child, criteria, level, branches, owner);
            parent.any = child.isEmpty() ? null : child;
        }
    }

    private void removeChild(Node<T> parent, RawJson value, LogCriteria criteria, int level, int branches, T owner) {
        Node<T> child = parent.children.get(value);
        if (child != null) {
            remove(child, criteria, level, branches, owner);
            if (child.isEmpty()) {
                parent.children = Node.without(parent.children, value);
            }
        }
    }

    private void remove(Node<T> node, LogCriteria criteria, int level, int branches, T owner) {
        if (ends(criteria, level, branches)) {
            node.entries = Node.without(node.entries, owner);
            return;
        }
        Set<RawJson> alternatives = criteria.topics().get(level);
        if (alternatives.isEmpty()) {
            removeAny(node, criteria, level + 1, branches, owner);
        }
        for (RawJson topic : alternatives) {
            removeChild(node, topic, criteria, level + 1, branches * alternatives.size(), owner);
        }
    }

    public int size() {
        return size;
    }

    /**
     * Passes on the owner of each of the criteria that match a log of a block.
     *
     * @return the number of criteria with which the log was compared
     */
    public int match(BlockLogs logs, int index, Consumer<T> sink) {
        BlockLogs.BlockLog log = logs.at(index);
        long number = logs.block().number();
        return match(root.children.get(log.address()), log, number, 0, sink) + match(root.any, log, number, 0, sink);
    }

    private static <T> int match(
            @Nullable Node<T> node, BlockLogs.BlockLog log, long number, int level, Consumer<T> sink) {
        if (node == null) {
            return 0;
        }
        node.entries.forEach((owner, entry) -> {
            if (entry.criteria().matches(log, number, entry.compareFrom())) {
                sink.accept(owner);
            }
        });
        int compared = node.entries.size();
        if (level == log.topics().size()) {
            return compared;
        }
        Node<T> child = node.children.get(log.topics().get(level));
        return compared + match(child, log, number, level + 1, sink) + match(node.any, log, number, level + 1, sink);
    }
}
