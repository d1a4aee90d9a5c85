package io.weir.subscription.node;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import io.weir.subscription.chain.StreamTimer;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Subscription of a kind that the proxy does not know: passed to the first node that accepts it over a WebSocket. When that node
 * goes, another one goes on if the results have hashes; else it ends. Confined to its event loop.
 */
public final class PassedFeed implements AutoCloseable {

    private static final long PROBED_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time between two rounds over all nodes, once the first node is lost. */
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final UpstreamPool pool;
    private final EventLoop loop;
    private final StreamTimer timer;
    private final PassedCall passed;
    private final long lostNanos;
    private final Listener listener;
    /** What was told, which another node does not tell again; null if no other node goes on. */
    private final @Nullable ToldResults told;

    private final Queue<Upstream> attempts = new ArrayDeque<>();
    private @Nullable Run current;
    private RpcReply.@Nullable Failure refusal;
    private boolean unreachable;
    private boolean accepted;
    private boolean closed;
    private long roundNanos;
    private long sinceNanos;

    /** User of the subscription. Confined to its event loop. Exactly one of the first two methods is called first. */
    public interface Listener {

        /** Handles that a node accepted it. */
        void began();

        /** Handles that no node accepted it. Nothing else follows. */
        void refused(RpcReply.Failure failure);

        /** Handles the result of a notification; nobody modifies it. */
        void notified(byte[] result);

        /** Handles that the node named blocks that are no longer canonical; nobody modifies the result. */
        void reorganised(byte[] result);

        /** Handles that the node ended it, or was lost, and no other one goes on. Nothing else follows. */
        void ended();
    }

    /**
     * Creates a subscription that no node has.
     *
     * @param lostNanos time without a node after which it ends, if another node may go on
     */
    public PassedFeed(
            UpstreamPool pool,
            EventLoop loop,
            StreamTimer timer,
            PassedCall passed,
            long lostNanos,
            Listener listener) {
        this.pool = pool;
        this.loop = loop;
        this.timer = timer;
        this.passed = passed;
        this.lostNanos = lostNanos;
        this.listener = listener;
        String hash = passed.hash();
        this.told = hash == null ? null : new ToldResults(hash);
    }

    /** Begins to subscribe. */
    public void open(long deadlineNanos) {
        timer.after(deadlineNanos - timer.now(), this::late);
        long probed = Math.min(deadlineNanos - timer.now(), PROBED_NANOS) + timer.now();
        pool.whenProbed(loop, probed, this::round);
    }

    private void round() {
        roundNanos = timer.now();
        attempts.addAll(NodeList.of(pool));
        unreachable = NodeList.lacksSome(pool);
        next();
    }

    private void late() {
        if (!closed && !accepted) {
            close();
            listener.refused(RpcReply.unavailable("no upstream accepted the subscription in time"));
        }
    }

    private void next() {
        while (!closed && current == null) {
            Upstream node = attempts.poll();
            if (node == null) {
                noneLeft();
                return;
            }
            Run run = new Run();
            current = run;
            run.feed = pool.subscribe(node, loop, passed.call(), run);
            if (run.feed == null) {
                current = null;
            }
        }
    }

    private void noneLeft() {
        if (!accepted) {
            close();
            listener.refused(failure());
        } else if (timer.now() - sinceNanos < lostNanos) {
            timer.after(ROUND_NANOS, this::round);
        } else {
            end();
        }
    }

    private void lost() {
        if (told == null) {
            end();
            return;
        }
        sinceNanos = timer.now();
        attempts.clear();
        // Nodes that accept it and go at once are not asked without a pause.
        timer.after(Math.max(0, roundNanos + ROUND_NANOS - timer.now()), this::round);
    }

    private void end() {
        close();
        listener.ended();
    }

    private RpcReply.Failure failure() {
        if (refusal != null) {
            return refusal;
        }
        return unreachable ? RpcReply.unavailable("no upstream could be asked for the subscription") : passed.unknown();
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
                if (!accepted) {
                    accepted = true;
                    listener.began();
                }
            }
        }

        @Override
        public void notified(RawJson result) {
            if (this == current && (told == null || told.add(result))) {
                listener.notified(result.toBytes());
            }
        }

        @Override
        public void reorganised(RawJson result) {
            if (this == current) {
                listener.reorganised(result.toBytes());
            }
        }

        @Override
        public void ended(NodeFeed.End end) {
            if (this != current) {
                return;
            }
            current = null;
            if (begun) {
                lost();
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

    /** Memory of the newest results of one subscription, by the hash in each. Confined to one thread. */
    private static final class ToldResults {

        /** Hashes that are not told again. Each takes about 70 bytes, so together up to 280 KB for a subscription. */
        private static final int RECENT = 4096;

        private final NameTable hash;
        private final RecentHashes recent = new RecentHashes(RECENT);

        /** @param hash the member with the hash of a result that is not a hash itself */
        ToldResults(String hash) {
            this.hash = NameTable.of(Set.of(hash));
        }

        /** Adds a result. Returns whether it is new; one without a hash always is. */
        boolean add(RawJson result) {
            HexText read = read(result);
            return read == null || read.digits() == 0 || recent.add(read);
        }

        private @Nullable HexText read(RawJson result) {
            RawJson value = result.first() == '{' ? JsonObject.member(result, hash) : result;
            return value == null ? null : HexText.read(value);
        }
    }
}
