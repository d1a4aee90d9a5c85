package io.weir.upstream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.NodeSubscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedNodeClientTest {

    private final List<String> used = new ArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();

    private final AtomicInteger ended = new AtomicInteger();
    private final NodeClient client = new NodeClient() {
        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            throw new AssertionError("no call is made");
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    };
    private final SharedNodeClient shared = new SharedNodeClient(client, null, ended::incrementAndGet);

    @Test
    void theClientIsClosedOnceWithItsLastUse() {
        NodeClient first = requireNonNull(shared.use());
        NodeClient second = requireNonNull(shared.use());
        first.close();
        first.close();
        assertThat(closed).hasValue(0);
        assertThat(ended).hasValue(0);
        second.close();
        second.close();
        assertThat(closed).hasValue(1);
        assertThat(ended).hasValue(1);
        assertThat(shared.isClosed()).isTrue();
    }

    @Test
    void aClosedClientIsNotUsedAgain() {
        requireNonNull(shared.use()).close();
        assertThat(shared.use()).isNull();
        assertThat(shared.use()).isNull();
        assertThat(closed).hasValue(1);
    }

    private NodeClient recording(String name) {
        return new NodeClient() {
            @Override
            public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
                used.add(name + " ask");
            }

            @Override
            public void askAnew(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
                used.add(name + " askAnew");
            }

            @Override
            public void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
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
        NodeClient both =
                requireNonNull(new SharedNodeClient(recording("calls"), recording("subscriptions"), () -> {}).use());
        EventLoop loop = new EmbeddedChannel().eventLoop();
        RpcCall call = new RpcCall(RawJson.NULL, "eth_test", null);
        both.ask(loop, call, 0, Attempt.of(outcome -> {}));
        both.askAnew(loop, call, 0, Attempt.of(outcome -> {}));
        both.probe(loop, call, 0, Attempt.of(outcome -> {}));
        both.subscribe(loop, null);
        both.reset(true);
        both.connects();
        both.close();
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
