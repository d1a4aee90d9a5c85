package io.weir.pipeline.plan;

import io.weir.pipeline.CallContext;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes of one call: those that got it, and the choice of the next one. Confined to the call's event loop. */
final class CallNodes {

    private final UpstreamPool pool;
    private final CallContext context;
    private final List<Upstream> tried = new ArrayList<>(2);
    /** Nodes that got the call a second time. */
    private List<Upstream> askedAnew = List.of();

    private int attempts;
    private boolean askedAhead;

    CallNodes(UpstreamPool pool, CallContext context) {
        this.pool = pool;
        this.context = context;
    }

    /** Notes that a node gets the call. */
    void ask(Upstream node) {
        tried.add(node);
        attempts++;
    }

    /** Notes that a node gets the call a second time, over a fresh connection. */
    void askAnew(Upstream node) {
        List<Upstream> more = new ArrayList<>(askedAnew);
        more.add(node);
        askedAnew = more;
        attempts++;
    }

    /** Lets nodes get the call once more. */
    void release(Collection<Upstream> nodes) {
        tried.removeAll(nodes);
    }

    /** Returns the number of attempts. */
    int attempts() {
        return attempts;
    }

    /** Returns the number of attempts, apart from those over a fresh connection to the same node. */
    int asked() {
        return attempts - askedAnew.size();
    }

    /** Returns the node that got the call first. */
    Upstream first() {
        return tried.get(0);
    }

    boolean has(Upstream node) {
        return tried.contains(node);
    }

    /** Returns whether a node may get the call a second time. */
    boolean mayAskAnew(Upstream node) {
        // A node that has gone out meanwhile is asked only if there is no other.
        UpstreamStatus status = node.status();
        return !askedAnew.contains(node) && !status.isOut() && !status.drained();
    }

    /** Chooses a node that did not get the call; null if there is none. */
    @Nullable
    Choice another() {
        return pool.choose(context.call(), tried, context.route().block());
    }

    /** Chooses a node for a second time, unless one got the call so before. */
    @Nullable
    Choice anew() {
        return askedAnew.isEmpty()
                ? pool.choose(context.call(), List.of(), context.route().block())
                : null;
    }

    /** Chooses a node with a higher head than one that may be behind, once. */
    @Nullable
    Choice ahead(Upstream behind) {
        Choice ahead = askedAhead ? null : pool.chooseAhead(context.call(), behind);
        askedAhead = true;
        return ahead == null || has(ahead.upstream()) ? null : ahead;
    }

    /** Chooses a node that may know better than those that found nothing. */
    @Nullable
    Choice toCheck(List<Upstream> foundNothing) {
        return foundNothing.isEmpty() ? null : pool.chooseToCheck(context.call(), foundNothing, tried);
    }

    /** Returns whether a node is left that did not get the call. */
    boolean hasAnother() {
        return pool.hasAnother(context.call(), tried, context.route().block());
    }

    /** Returns the nanoseconds until a node that limits its rate may be asked; 0 if none does. */
    long throttledNanos() {
        return pool.throttledNanos(tried);
    }
}
