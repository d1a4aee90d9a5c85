package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.catalogue.MethodCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * View of a pool for one call, with its own choice among the pool's nodes. The pool itself is started and closed by its
 * owner. As thread-safe as its choice.
 */
public abstract class PoolView implements UpstreamPool {

    protected final UpstreamPool pool;

    protected PoolView(UpstreamPool pool) {
        this.pool = pool;
    }

    @Override
    public boolean usable() {
        return pool.usable();
    }

    @Override
    public long usualNanos(LatencyClass latencyClass) {
        return pool.usualNanos(latencyClass);
    }

    @Override
    public void foundTransaction(Upstream upstream, RawJson transaction) {
        pool.foundTransaction(upstream, transaction);
    }

    @Override
    public NetworkHead head() {
        return pool.head();
    }

    @Override
    public boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
        return pool.hasAnother(call, tried, leastHead);
    }

    @Override
    public boolean allLack(RpcCall call, long leastHead) {
        return pool.allLack(call, leastHead);
    }

    @Override
    public int retryAfterSeconds() {
        return pool.retryAfterSeconds();
    }

    @Override
    public long throttledNanos(List<Upstream> tried) {
        return pool.throttledNanos(tried);
    }

    @Override
    public boolean probed() {
        return pool.probed();
    }

    @Override
    public void whenProbed(EventLoop loop, long deadlineNanos, Runnable action) {
        pool.whenProbed(loop, deadlineNanos, action);
    }

    @Override
    public MethodCatalogue methods() {
        return pool.methods();
    }

    @Override
    public void start() {
        throw new UnsupportedOperationException("start: of a view (expected: of the pool itself)");
    }

    @Override
    public List<Upstream> upstreams() {
        return pool.upstreams();
    }

    @Override
    public @Nullable NodeFeed subscribe(Upstream upstream, EventLoop loop, RpcCall call, NodeFeed.Listener listener) {
        return pool.subscribe(upstream, loop, call, listener);
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("close: of a view (expected: of the pool itself)");
    }

    /** Returns a view with all nodes except those with these ids. */
    public static UpstreamPool without(UpstreamPool pool, Set<String> upstreamIds) {
        return new PoolView(pool) {
            @Override
            public @Nullable Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
                return pool.choose(call, withOthers(tried), leastHead);
            }

            @Override
            public long throttledNanos(List<Upstream> tried) {
                return pool.throttledNanos(withOthers(tried));
            }

            @Override
            public boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
                return pool.hasAnother(call, withOthers(tried), leastHead);
            }

            private List<Upstream> withOthers(List<Upstream> tried) {
                List<Upstream> left = new ArrayList<>(tried);
                pool.upstreams().stream()
                        .filter(one -> upstreamIds.contains(one.id()) && !tried.contains(one))
                        .forEach(left::add);
                return left;
            }
        };
    }

    /** Returns a view of one node alone, whatever its health, for calls that no other node can answer. Thread-safe. */
    public static UpstreamPool only(UpstreamPool pool, Upstream node) {
        return new PoolView(pool) {
            @Override
            public @Nullable Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
                // No other node could have answered, so this choice degrades nothing.
                return tried.contains(node) ? null : new Choice(node, false);
            }

            @Override
            public long throttledNanos(List<Upstream> tried) {
                return 0;
            }

            @Override
            public boolean usable() {
                return true;
            }

            @Override
            public List<Upstream> upstreams() {
                return List.of(node);
            }
        };
    }
}
