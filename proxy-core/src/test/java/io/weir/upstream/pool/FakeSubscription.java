package io.weir.upstream.pool;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import java.util.function.Consumer;

/** Connection to a fake node for announcements, which the test makes. */
final class FakeSubscription implements NodeSubscription {

    private final FakeNode node;
    private final Listener listener;
    boolean open;
    boolean closed;

    FakeSubscription(FakeNode node, Listener listener) {
        this.node = node;
        this.listener = listener;
    }

    @Override
    public void ask(RpcCall call, long deadlineNanos, Consumer<NodeOutcome> taker) {
        node.probed.add(call.method());
        if (call.method().equals("eth_subscribe")) {
            open = true;
            taker.accept(node.subscribed);
        } else if (call.method().equals("chain")) {
            taker.accept(FakeNode.answer('"' + node.socketChain + '"'));
        } else {
            taker.accept(node.outcomeOf(call));
        }
    }

    /** Announces a block to the subscriber, if there still is one. */
    void announce(String block) {
        tell("{\"subscription\":\"0x5\",\"result\":" + block + "}");
    }

    /** Sends a notification with these parameters to the subscriber, if there still is one. */
    void tell(String params) {
        if (open && !closed) {
            listener.notified(
                    RawJson.of("{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":" + params + "}"));
        }
    }

    /** Breaks the connection. */
    void end() {
        closed = true;
        listener.ended();
    }

    @Override
    public void close() {
        closed = true;
    }
}
