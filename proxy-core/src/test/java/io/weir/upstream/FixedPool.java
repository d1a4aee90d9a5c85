package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import java.util.ArrayList;
import java.util.List;

/** A pool of the nodes that a test adds, chosen in their order. Confined to one thread. */
public class FixedPool implements UpstreamPool {

    /** The nodes, in the order of choice. */
    public final List<Upstream> nodes = new ArrayList<>();

    /** The head that calls are held to. */
    public final FakeHead head;

    /** Whether it has a usable node. */
    public boolean usable = true;

    /** Whether the first probe of each node has ended. */
    public boolean probed = true;

    /** When a node that is rate limited may be asked again. */
    public int retryAfterSeconds;

    public FixedPool(FakeHead head, Upstream... nodes) {
        this.head = head;
        this.nodes.addAll(List.of(nodes));
    }

    @Override
    public Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        return nodes.stream()
                .filter(node -> !tried.contains(node))
                .findFirst()
                .map(node -> new Choice(node, false))
                .orElse(null);
    }

    @Override
    public NetworkHead head() {
        return head;
    }

    @Override
    public boolean usable() {
        return usable;
    }

    @Override
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }

    @Override
    public boolean probed() {
        return probed;
    }

    @Override
    public void whenProbed(EventLoop loop, long deadlineNanos, Runnable action) {
        action.run();
    }

    @Override
    public void start() {}

    @Override
    public List<Upstream> upstreams() {
        return nodes;
    }

    @Override
    public void close() {}
}
