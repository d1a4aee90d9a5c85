package io.weir.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedNodeClientTest {

    private final AtomicInteger closed = new AtomicInteger();

    private final AtomicInteger ended = new AtomicInteger();
    private final NodeClient client = new NodeClient() {
        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
            throw new AssertionError("no call is made");
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    };
    private final SharedNodeClient shared = new SharedNodeClient(client, ended::incrementAndGet);

    @Test
    void theClientIsClosedOnceWithItsLastUse() {
        NodeClient first = Objects.requireNonNull(shared.use());
        NodeClient second = Objects.requireNonNull(shared.use());
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
        Objects.requireNonNull(shared.use()).close();
        assertThat(shared.use()).isNull();
        assertThat(shared.use()).isNull();
        assertThat(closed).hasValue(1);
    }
}
