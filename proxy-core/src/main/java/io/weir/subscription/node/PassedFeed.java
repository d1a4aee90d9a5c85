package io.weir.subscription.node;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.subscription.chain.StreamTimer;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Subscription of a kind that the proxy does not know: passed to the first node that accepts it over a WebSocket. It ends when
 * that node goes. Confined to its event loop.
 */
public final class PassedFeed implements AutoCloseable {

    private static final long PROBED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final UpstreamPool pool;
    private final EventLoop loop;
    private final StreamTimer timer;
    private final RpcCall call;
    private final RpcReply.Failure unknown;
    private final Listener listener;
    private final Queue<Upstream> attempts = new ArrayDeque<>();
    private @Nullable Run current;
    private RpcReply.@Nullable Failure refusal;
    private boolean unreachable;
    private boolean closed;

    /** User of the subscription. Confined to its event loop. Exactly one of the first two methods is called first. */
    public interface Listener {

        /** Handles that a node accepted it. */
        void began();

        /** Handles that no node accepted it. Nothing else follows. */
        void refused(RpcReply.Failure failure);

        /** Handles the result of a notification; nobody modifies it. */
        void notified(byte[] result);

        /** Handles that the node ended it, or was lost. Nothing else follows. */
        void ended();
    }

    /**
     * Creates a subscription that no node has.
     *
     * @param params as the client wrote them
     * @param unknown the answer if no node has a WebSocket
     */
    public PassedFeed(
            UpstreamPool pool,
            EventLoop loop,
            StreamTimer timer,
            RawJson params,
            RpcReply.Failure unknown,
            Listener listener) {
        this.pool = pool;
        this.loop = loop;
        this.timer = timer;
        this.call = ChainCalls.subscribe(params.compact());
        this.unknown = unknown;
        this.listener = listener;
    }

    /** Begins to subscribe. */
    public void open(long deadlineNanos) {
        timer.after(deadlineNanos - timer.now(), this::late);
        long probed = Math.min(deadlineNanos - timer.now(), PROBED_NANOS) + timer.now();
        pool.whenProbed(loop, probed, () -> {
            attempts.addAll(NodeList.of(pool));
            unreachable = NodeList.lacksSome(pool);
            next();
        });
    }

    private void late() {
        Run run = current;
        if (!closed && (run == null || !run.begun)) {
            close();
            listener.refused(RpcReply.unavailable("no upstream accepted the subscription in time"));
        }
    }

    private void next() {
        while (!closed && current == null) {
            Upstream node = attempts.poll();
            if (node == null) {
                close();
                listener.refused(failure());
                return;
            }
            Run run = new Run();
            current = run;
            run.feed = pool.subscribe(node, loop, call, run);
            if (run.feed == null) {
                current = null;
            }
        }
    }

    private RpcReply.Failure failure() {
        if (refusal != null) {
            return refusal;
        }
        return unreachable ? RpcReply.unavailable("no upstream could be asked for the subscription") : unknown;
    }

    /** Ends the subscription. The listener hears nothing more. */
    @Override
    public void close() {
        closed = true;
        Run run = current;
        current = null;
        if (run != null && run.feed != null) {
            run.feed.close();
        }
    }

    /** One node's subscription. Confined to the event loop. */
    private final class Run implements NodeFeed.Listener {

        private @Nullable NodeFeed feed;
        private boolean begun;

        @Override
        public void began(long head) {
            if (this == current) {
                begun = true;
                listener.began();
            }
        }

        @Override
        public void notified(RawJson result) {
            if (this == current) {
                listener.notified(result.toBytes());
            }
        }

        @Override
        public void ended(NodeFeed.End end) {
            if (this != current) {
                return;
            }
            current = null;
            if (begun) {
                close();
                listener.ended();
                return;
            }
            RpcReply.Failure failure = end.failure();
            if (failure != null && refusal == null) {
                refusal = failure;
            }
            unreachable |= failure == null;
            next();
        }
    }
}
