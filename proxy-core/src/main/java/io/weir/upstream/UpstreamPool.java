package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockIds;
import io.weir.method.params.kind.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one network, with their health and the choice among them. For each call {@code tried} are the nodes that received it already, and
 * {@code leastHead} is the block that it is about; 0 if that is unknown, and any node may answer it. Thread-safe.
 */
public interface UpstreamPool extends AutoCloseable {

    /**
     * Chooses a node for an attempt. Candidates are the healthy nodes of the lowest tier. Two of them are drawn at random by
     * weight, and the less loaded one is taken. Nodes whose head is high enough come first, whatever their tier. If none is
     * high enough, only those with the highest head are candidates. Nodes that lack the method, or refuse parameters of the form of
     * the call, come last. For lookups of transactions, nodes that lack old transactions come last in their tier, or after all tiers
     * while clients look up old ones. If the whole pool has no healthy node, the least bad one is chosen and marked as degraded. It
     * must be known to serve the right chain.
     *
     * @return null if no candidate is left
     */
    @Nullable
    Choice choose(RpcCall call, List<Upstream> tried, long leastHead);

    /**
     * Chooses a node to check null answers to the lookup of a transaction. The node must not be known to lack old
     * transactions. There is a choice if all nodes that answered are known to lack them, or if one of them is due for an
     * occasional check.
     *
     * @param empty the nodes that answered null, at least one
     * @return null if the null answers are to be trusted, or if no other node is a candidate
     */
    default @Nullable Choice chooseToCheck(RpcCall call, List<Upstream> empty, List<Upstream> tried) {
        return null;
    }

    /** Returns whether a healthy node is left that may answer a call. */
    default boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
        return tried.size() < size();
    }

    /** Returns whether each node that may ever answer a call said lately that it lacks the data of the call. */
    default boolean allLack(RpcCall call, long leastHead) {
        return false;
    }

    /**
     * Notes that a node found a transaction by its hash.
     *
     * @param transaction the transaction or its receipt
     */
    default void foundTransaction(Upstream upstream, RawJson transaction) {}

    /** Returns the head to which calls are held. */
    NetworkHead head();

    /**
     * Chooses a node that may know more than one that is behind: a healthy node with the best head of the pool.
     *
     * @param call found nothing at a node
     * @param behind that node
     * @return null if that node is not behind, or if no other node is a candidate
     */
    default @Nullable Choice chooseAhead(RpcCall call, Upstream behind) {
        return null;
    }

    /** Returns the time in which the nodes answer 95 % of such calls; {@link Long#MAX_VALUE} if it is not known. */
    default long usualNanos(LatencyClass latencyClass) {
        return Long.MAX_VALUE;
    }

    /** Returns whether a node is healthy. */
    boolean usable();

    /** Returns the seconds until the first rate-limited node may be asked again; 0 unless every healthy node is rate limited. */
    int retryAfterSeconds();

    /** Returns the nanoseconds until the first rate-limited node may be asked again that has not received the call; 0 if there is none. */
    default long throttledNanos(List<Upstream> tried) {
        return TimeUnit.SECONDS.toNanos(retryAfterSeconds());
    }

    /** Returns whether each node's first probe has ended, successfully or not. */
    boolean probed();

    /**
     * Runs an action on a loop once a node is healthy or each node's first probe has ended. It runs at the deadline at the
     * latest.
     *
     * @param deadlineNanos on the clock of {@link System#nanoTime}
     */
    void whenProbed(EventLoop loop, long deadlineNanos, Runnable action);

    /** Returns the facts about the methods that the nodes serve, apart from parameters. */
    default MethodCatalogue methods() {
        return MethodCatalogue.otherKind();
    }

    void start();

    default int size() {
        return upstreams().size();
    }

    /** Returns the nodes in the order of the configuration. */
    List<Upstream> upstreams();

    /** Notes that a check refuted an answer of a node, as {@link Upstream#refuted}. */
    default void refuted(String upstreamId, NodeOutcome.Flaw flaw, String detail, boolean costs) {
        for (Upstream upstream : upstreams()) {
            if (upstream.id().equals(upstreamId)) {
                upstream.refuted(flaw, detail, costs);
            }
        }
    }

    /**
     * Subscribes at a node, over a connection of its own.
     *
     * @param loop the event loop of the subscription, of the group that the pool was made with; called on it
     * @return null if the node has no address for subscriptions, or is not to be asked for them
     */
    default @Nullable NodeFeed subscribe(Upstream upstream, EventLoop loop, RpcCall call, NodeFeed.Listener listener) {
        return null;
    }

    /** Stops probing and closes every node's connections. */
    @Override
    void close();

    /**
     * Chosen node. Immutable.
     *
     * @param degraded whether the node is not healthy
     */
    record Choice(Upstream upstream, boolean degraded) {}

    /** Number of the block of a transaction or receipt, as an answer names it. Pure. */
    final class TransactionBlock {

        /** The answer names no block. */
        public static final long NONE = -1;

        private static final NameTable BLOCK_NUMBER = NameTable.of(Set.of("blockNumber"));

        private TransactionBlock() {}

        /**
         * Returns the number, or {@link #NONE}. A raw transaction names no block. A transaction without a block waits in a pool, and pools
         * differ.
         */
        public static long of(RawJson transaction) {
            if (transaction.first() != '{') {
                return NONE;
            }
            try {
                RawJson number = JsonObject.member(transaction, BLOCK_NUMBER);
                return number == null ? NONE : BlockIds.ETHEREUM.number(number);
            } catch (IllegalArgumentException e) {
                return NONE;
            }
        }
    }
}
