package io.weir.subscription.log;

import io.weir.jsonrpc.RawJson;
import java.util.HashMap;
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
 * apart from the matches. Criteria with many alternatives end at an earlier level, and the rest is compared.
 *
 * @param <T> the type of the owners of criteria; each owns one
 */
public final class LogIndex<T> {

    /** Maximum number of nodes that one entry adds on one level, beyond those of its addresses. */
    private static final int MAX_BRANCHES = 64;

    private final Node<T> root = new Node<>();
    private int size;

    /** Criteria at the end of their path. Immutable. */
    private record Entry(LogCriteria criteria, int compareFrom) {}

    /** Node of the tree. Confined to one thread. */
    private static final class Node<T> {

        private final Map<RawJson, Node<T>> children = new HashMap<>(2);
        private @Nullable Node<T> any;
        private final Map<T, Entry> entries = new LinkedHashMap<>(2);

        Node<T> any() {
            if (any == null) {
                any = new Node<>();
            }
            return any;
        }

        boolean isEmpty() {
            return children.isEmpty() && any == null && entries.isEmpty();
        }
    }

    /** Adds criteria. */
    public void add(LogCriteria criteria, T owner) {
        size++;
        if (criteria.addresses().isEmpty()) {
            insert(root.any(), criteria, 0, 1, owner);
        } else {
            for (RawJson address : criteria.addresses()) {
                Node<T> child = root.children.computeIfAbsent(address, key -> new Node<>());
                insert(child, criteria, 0, criteria.addresses().size(), owner);
            }
        }
    }

    private void insert(Node<T> node, LogCriteria criteria, int level, int branches, T owner) {
        if (ends(criteria, level, branches)) {
            node.entries.put(owner, new Entry(criteria, level));
            return;
        }
        Set<RawJson> alternatives = criteria.topics().get(level);
        if (alternatives.isEmpty()) {
            insert(node.any(), criteria, level + 1, branches, owner);
        }
        for (RawJson topic : alternatives) {
            Node<T> child = node.children.computeIfAbsent(topic, key -> new Node<>());
            insert(child, criteria, level + 1, branches * alternatives.size(), owner);
        }
    }

    private static boolean ends(LogCriteria criteria, int level, int branches) {
        if (level == criteria.topics().size()) {
            return true;
        }
        int alternatives = criteria.topics().get(level).size();
        return alternatives > 1 && (long) branches * alternatives > MAX_BRANCHES;
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
                parent.children.remove(value);
            }
        }
    }

    private void remove(Node<T> node, LogCriteria criteria, int level, int branches, T owner) {
        if (ends(criteria, level, branches)) {
            node.entries.remove(owner);
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

    /** Returns the number of criteria. */
    public int size() {
        return size;
    }

    /** Passes on the owner of each of the criteria that match a log of a block. */
    public void match(BlockLogs logs, int index, Consumer<T> sink) {
        BlockLog log = logs.at(index);
        long number = logs.block().number();
        Node<T> child = root.children.get(log.address());
        if (child != null) {
            match(child, log, number, 0, sink);
        }
        if (root.any != null) {
            match(root.any, log, number, 0, sink);
        }
    }

    private static <T> void match(Node<T> node, BlockLog log, long number, int level, Consumer<T> sink) {
        node.entries.forEach((owner, entry) -> {
            if (entry.criteria().matches(log, number, entry.compareFrom())) {
                sink.accept(owner);
            }
        });
        if (level == log.topics().size()) {
            return;
        }
        Node<T> child = node.children.get(log.topics().get(level));
        if (child != null) {
            match(child, log, number, level + 1, sink);
        }
        if (node.any != null) {
            match(node.any, log, number, level + 1, sink);
        }
    }
}
