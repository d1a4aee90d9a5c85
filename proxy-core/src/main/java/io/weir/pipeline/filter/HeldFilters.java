package io.weir.pipeline.filter;

import io.weir.access.Caller;
import io.weir.jsonrpc.RawJson;
import io.weir.upstream.Upstream;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Filters that nodes hold for one network's clients, by the nodes' ids. Thread-safe. */
final class HeldFilters {

    /** The proxy's ids by the node's own ids. */
    private final ConcurrentMap<AtNode, String> byNode = new ConcurrentHashMap<>();

    private final FilterTable table;
    private final Consumer<HeldFilter> idle;

    private record AtNode(Upstream upstream, RawJson nodeId) {
        static AtNode of(HeldFilter filter) {
            return new AtNode(filter.upstream(), filter.nodeId());
        }
    }

    /** @param idle receives filters that were unused for too long, on the thread that finds them */
    HeldFilters(FilterTable table, Consumer<HeldFilter> idle) {
        this.table = table;
        this.idle = idle;
    }

    /** Adds a filter to the table at its caller's reserved position, and returns its id. */
    String add(HeldFilter filter) {
        String id = table.add(filter);
        String before = byNode.put(AtNode.of(filter), id);
        OpenFilter forgotten = before == null ? null : table.at(before);
        if (before != null && forgotten != null) {
            // A restarted node assigns the same ids again. The former owner would see the changes of another filter.
            table.end(before, forgotten, FilterEnding.REPLACED);
        }
        return id;
    }

    /** Returns the filter with this id if it belongs to this caller and a node holds it. */
    @Nullable
    HeldFilter find(String id, Caller caller) {
        return table.find(id, caller) instanceof HeldFilter filter ? filter : null;
    }

    /** Removes a filter. Returns false if it had ended already. */
    boolean end(String id, HeldFilter filter, FilterEnding ending) {
        return table.end(id, filter, ending);
    }

    /** Handles the end of a filter. */
    void ended(String id, HeldFilter filter, boolean wasIdle) {
        byNode.remove(AtNode.of(filter), id);
        if (wasIdle) {
            idle.accept(filter);
        }
    }
}
