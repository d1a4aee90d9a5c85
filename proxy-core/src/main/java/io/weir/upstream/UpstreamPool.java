package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes of one network: their health, and the choice among them. Thread-safe. */
public interface UpstreamPool extends AutoCloseable {

    /**
     * Chooses a node for an attempt: of the healthy ones of the lowest tier, of two drawn at random by weight the less
     * loaded one. Where the whole pool has no healthy one, the least bad one that is known to serve the right chain,
     * marked as degraded. Those whose head is high enough come first, whatever their tier; where none is, only those with the
     * highest head count. Of all these, those that lack the method come last.
     *
     * @param method of the call
     * @param tried those that this call was sent to already
     * @param leastHead the block that the call is about; 0 where any node may answer it
     * @return null where none is left
     */
    @Nullable
    Choice choose(String method, List<Upstream> tried, long leastHead);

    /**
     * The same for a whole call: nodes that do not take parameters of its form come last too. Of each tier, those that lack old
     * transactions come last for lookups of transactions.
     */
    default @Nullable Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        return choose(call.method(), tried, leastHead);
    }

    /**
     * Chooses a node to check null answers to the lookup of a transaction: one that is not known to lack old transactions, where
     * all of those that answered are known to; or where one of them answered that is now and then to be checked.
     *
     * @param empty those that answered null, one at least
     * @param tried those that this call was sent to already
     * @return null where null is to be believed, or no other node is to be asked
     */
    default @Nullable Choice chooseToCheck(RpcCall call, List<Upstream> empty, List<Upstream> tried) {
        return null;
    }

    /** The head that calls are held to. */
    NetworkHead head();

    /**
     * Chooses a node to ask whether it knows more than one that is behind: a healthy one whose head is the best that the pool
     * knows of.
     *
     * @param behind the one that found nothing
     * @return null where that one is not behind, or no other one is to be asked
     */
    default @Nullable Choice chooseAhead(Upstream behind) {
        return null;
    }

    /** Whether a healthy node is there. */
    boolean usable();

    /** When the first of the nodes that are rate limited may be asked again; 0 where not every healthy one is. */
    int retryAfterSeconds();

    /** Whether each node's first probe has ended, well or not. */
    boolean probed();

    /**
     * Runs an action on a loop once a healthy node is there or each node's first probe has ended, or at the deadline.
     *
     * @param deadlineNanos on the clock of {@link System#nanoTime}
     */
    void whenProbed(EventLoop loop, long deadlineNanos, Runnable action);

    /** Begins probing. */
    void start();

    /** The nodes, in the order of the configuration. */
    List<Upstream> upstreams();

    /**
     * Takes in what an answer of a node was found to be, as {@link Upstream#refuted}.
     *
     * @param upstreamId the node's id in the configuration
     */
    default void refuted(String upstreamId, NodeOutcome.Flaw flaw, String detail, boolean costs) {
        for (Upstream upstream : upstreams()) {
            if (upstream.id().equals(upstreamId)) {
                upstream.refuted(flaw, detail, costs);
            }
        }
    }

    /** Ends probing and closes every node's connections. */
    @Override
    void close();

    /**
     * A node to ask.
     *
     * @param degraded whether it was chosen although it is not healthy
     */
    record Choice(Upstream upstream, boolean degraded) {}
}
