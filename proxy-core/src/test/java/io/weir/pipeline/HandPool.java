package io.weir.pipeline;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.access.TestCaller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two nodes in a test's hands, of which the first in the list is chosen, and what calls at them need. */
public final class HandPool extends FixedPool {

    /** The first node. */
    public final HandNode a = new HandNode("a");
    /** The second node. */
    public final HandNode b = new HandNode("b");
    /** Everything counted. */
    public final MetricRegistry registry = new MetricRegistry();

    private final EmbeddedChannel channel = new EmbeddedChannel();

    public HandPool() {
        super(new FakeHead(0));
        nodes.addAll(List.of(a, b));
        head.finalBlocks = (loop, then) -> FinalCalls.ask(
                forwarding().over(this, true),
                new NetworkId("net"),
                loop,
                head.tracker().number(),
                head.finality,
                then);
    }

    /** The meters. */
    public Meters meters() {
        return new Meters(registry);
    }

    /** How stages send. */
    public Forwarding forwarding() {
        return TestForwarding.forwarding(this, registry);
    }

    /** Sends a call through a stage; the list gets its reply. */
    public List<RpcReply> send(Stage stage, String caller, String method, String params) {
        return send(stage, context(caller, method, params, 10_000));
    }

    /** Sends a call through a stage; the list gets its reply. */
    public List<RpcReply> send(Stage stage, CallContext context) {
        List<RpcReply> replies = new ArrayList<>();
        stage.handle(context, replies::add);
        return replies;
    }

    /** A call with so much time. */
    public CallContext context(String caller, String method, String params, long millis) {
        RpcCall call = new RpcCall(RawJson.of("7"), method, params == null ? null : RawJson.of(params));
        long now = System.nanoTime();
        long deadline = now + TimeUnit.MILLISECONDS.toNanos(millis);
        return new CallContext(call, named(caller), new NetworkId("net"), channel.eventLoop(), now, deadline);
    }

    /** Lets the event loop do what waits for it. */
    public void runLoop() {
        channel.runPendingTasks();
        channel.runScheduledPendingTasks();
    }

    /** A counter of the network by the end of its name. */
    public long counter(String id, String label) {
        return registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().contains(id) && entry.getKey().contains(label))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    @Override
    public Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
        return nodes.stream()
                .filter(node -> !tried.contains(node) && node.status().health() == Health.HEALTHY)
                .findFirst()
                .map(node -> new Choice(node, false))
                .orElse(null);
    }

    /** A caller of whom only the name matters. */
    private static Caller named(String name) {
        return TestCaller.of(name, null);
    }
}
