package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeSubscription;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubscribingNodeClientTest {

    private final List<String> used = new ArrayList<>();
    private final NodeClient client = new SubscribingNodeClient(recording("calls"), recording("subscriptions"));

    private NodeClient recording(String name) {
        return new NodeClient() {
            @Override
            public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
                used.add(name + " ask");
            }

            @Override
            public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
                used.add(name + " askAnew");
            }

            @Override
            public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
                used.add(name + " probe");
            }

            @Override
            public NodeSubscription subscribe(EventLoop loop, NodeSubscription.Listener listener) {
                used.add(name + " subscribe");
                return null;
            }

            @Override
            public void reset(boolean failWaiting) {
                used.add(name + " reset");
            }

            @Override
            public long connects() {
                used.add(name + " connects");
                return 0;
            }

            @Override
            public void close() {
                used.add(name + " close");
            }
        };
    }

    @Test
    void onlySubscriptionsGoToTheOtherClientAndBothAreClosed() {
        EventLoop loop = new EmbeddedChannel().eventLoop();
        RpcCall call = new RpcCall(RawJson.NULL, "eth_test", null);
        client.ask(loop, call, 0, outcome -> {});
        client.askAnew(loop, call, 0, outcome -> {});
        client.probe(loop, call, 0, outcome -> {});
        client.subscribe(loop, null);
        client.reset(true);
        client.connects();
        client.close();
        assertThat(used)
                .containsExactly(
                        "calls ask",
                        "calls askAnew",
                        "calls probe",
                        "subscriptions subscribe",
                        "calls reset",
                        "calls connects",
                        "calls close",
                        "subscriptions close");
    }
}
