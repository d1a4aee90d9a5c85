package io.weir.subscription.stream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.Upstream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pending transactions of a node without a WebSocket: a filter at the node, which is polled. Confined to its event loop.
 */
final class FilterFeed implements NodeFeed {

    private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time between two polls: what a client hardly notices, and a provider bills little for. */
    private static final long POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Upstream node;
    private final EventLoop loop;
    private final StreamTimer timer;
    private final Runnable polled;
    private final Listener listener;
    /** The node's id of the filter; null if there is none. */
    private @Nullable RawJson filter;

    private boolean closed;

    /** @param polled runs for each poll */
    FilterFeed(Upstream node, EventLoop loop, StreamTimer timer, Runnable polled, Listener listener) {
        this.node = node;
        this.loop = loop;
        this.timer = timer;
        this.polled = polled;
        this.listener = listener;
    }

    void open() {
        timer.after(0, () -> {
            if (!closed) {
                node.ask(
                        loop,
                        ChainCalls.newPendingFilter(),
                        timer.now() + CALL_NANOS,
                        Attempt.of(CallCause.FOLLOWER, this::created));
            }
        });
    }

    private void created(NodeOutcome outcome) {
        RawJson id = result(outcome);
        if (id != null && (id.first() == '"' || Character.isDigit(id.first()))) {
            filter = id.compact();
            if (closed) {
                uninstall();
                return;
            }
            listener.began(-1);
            pollLater();
        } else if (!closed) {
            RpcReply reply = outcome instanceof Answered answered ? answered.reply() : null;
            end(new End(reply != null, reply instanceof RpcReply.Failure failure ? failure : null));
        }
    }

    private void pollLater() {
        timer.after(POLL_NANOS, this::poll);
    }

    private void poll() {
        RawJson id = filter;
        if (!closed && id != null) {
            polled.run();
            node.ask(
                    loop,
                    ChainCalls.filterChanges(id),
                    timer.now() + CALL_NANOS,
                    Attempt.of(CallCause.FOLLOWER, this::answered));
        }
    }

    private void answered(NodeOutcome outcome) {
        if (closed) {
            return;
        }
        RawJson changes = result(outcome);
        if (changes == null) {
            // A filter that was lost can be created again.
            filter = null;
            end(new End(false, null));
        } else if (!tell(changes)) {
            end(new End(true, null));
        } else if (!closed) {
            pollLater();
        }
    }

    private boolean tell(RawJson changes) {
        if (changes.first() != '[') {
            return false;
        }
        try {
            List<RawJson> hashes = JsonArray.elements(changes, Integer.MAX_VALUE);
            for (int i = 0; i < hashes.size() && !closed; i++) {
                listener.notified(hashes.get(i));
            }
            return true;
        } catch (InvalidParamsException e) {
            return false;
        }
    }

    private static @Nullable RawJson result(NodeOutcome outcome) {
        return outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Result result
                ? result.value()
                : null;
    }

    private void end(End end) {
        close();
        listener.ended(end);
    }

    @Override
    public void close() {
        closed = true;
        if (filter != null) {
            uninstall();
        }
    }

    private void uninstall() {
        RawJson id = filter;
        filter = null;
        if (id != null && !loop.isShuttingDown()) {
            node.ask(
                    loop,
                    ChainCalls.uninstallFilter(id),
                    timer.now() + CALL_NANOS,
                    Attempt.of(CallCause.FOLLOWER, outcome -> {}));
        }
    }
}
