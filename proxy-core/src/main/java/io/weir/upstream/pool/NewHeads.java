package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeSubscription;
import io.weir.upstream.head.HeadSubscription;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Subscription to the new blocks of a node, over a connection of its own. Another node may be behind the address than for
 * calls, so the chain is checked over this connection first. Confined to the monitor's event loop.
 */
final class NewHeads implements HeadSubscription, NodeSubscription.Listener {

    /** The longest announcement, in bytes. A header has about 2 KB. */
    private static final int MAX_BYTES = 1 << 16;

    private static final JsonMapper MAPPER = new JsonMapper();

    private final PooledUpstream node;
    private final HealthProbe probe;
    private final EventLoop loop;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final Listener listener;
    private @Nullable NodeSubscription connection;
    /** The node's name of the subscription; null if there is none. */
    private @Nullable JsonNode name;

    /**
     * Creates an object without a connection.
     *
     * @param timeoutNanos for the check of the chain, and for the subscription
     */
    NewHeads(
            PooledUpstream node,
            HealthProbe probe,
            EventLoop loop,
            LongSupplier clock,
            long timeoutNanos,
            Listener listener) {
        this.node = node;
        this.probe = probe;
        this.loop = loop;
        this.clock = clock;
        this.timeoutNanos = timeoutNanos;
        this.listener = listener;
    }

    /** Begins to subscribe. Returns false if the node has no address for that. */
    boolean open() {
        connection = node.client().subscribe(loop, this);
        if (connection != null) {
            loop.execute(this::check);
        }
        return connection != null;
    }

    private void check() {
        probe.run(
                (on, call, deadlineNanos, sink) -> ask(call, deadlineNanos, sink),
                loop,
                new HealthProbe.Questions(true, false),
                clock.getAsLong() + timeoutNanos,
                this::checked);
    }

    private void checked(HealthProbe.Result result) {
        if (result instanceof HealthProbe.Result.Good good) {
            ask(ChainCalls.subscribeToHeads(), clock.getAsLong() + timeoutNanos, outcome -> took(outcome, good.head()));
        } else {
            end(result instanceof HealthProbe.Result.WrongChain);
        }
    }

    /** Sends a call, unless the subscription has ended. */
    private void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        NodeSubscription open = connection;
        if (open != null) {
            open.ask(call, deadlineNanos, node.judged(call, outcome -> {
                if (connection != null) {
                    sink.accept(outcome);
                }
            }));
        }
    }

    private void took(NodeOutcome outcome, long head) {
        if (outcome instanceof Answered answered && answered.reply() instanceof RpcReply.Result result) {
            name = read(result.value());
            listener.began(head);
        } else {
            end(outcome instanceof Answered);
        }
    }

    @Override
    public void notified(RawJson message) {
        if (message.length() > MAX_BYTES) {
            end(true);
            return;
        }
        JsonNode params = read(message).path("params");
        if (name != null && name.equals(params.path("subscription"))) {
            listener.announced(BlockProbe.block(params.path("result")));
        } else if (name != null) {
            // Nothing else was subscribed to.
            end(true);
        }
    }

    /** Returns the value as a tree; the missing node if it is no JSON. */
    private static JsonNode read(RawJson json) {
        try {
            return MAPPER.readTree(json.array(), json.offset(), json.length());
        } catch (RuntimeException e) {
            return MAPPER.missingNode();
        }
    }

    @Override
    public void ended() {
        end(false);
    }

    private void end(boolean refused) {
        if (connection != null) {
            close();
            listener.ended(refused);
        }
    }

    @Override
    public void close() {
        NodeSubscription open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}
