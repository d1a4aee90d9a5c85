package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.testing.traffic.FrameConnection;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets over which no message goes for longer than {@code server.idle}. */
@Execution(ExecutionMode.CONCURRENT)
final class IdleSubscriptionsIT {

    private static final int TIMES = 2;

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWebSocketWhoseClientAnswersPingsStaysAndOthersAreClosed(boolean subscribes) throws IOException {
        chain.mine(5);
        ConfigurationText text = Testnet.text().setting("server.idle = 4 s");
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir =
                        LocalProxy.start(text.upstream("node", node.url()).text());
                Subscriber client = new Subscriber(weir.socketUrl());
                JsonRpcSocket plain = JsonRpcSocket.connect(weir.socketUrl())) {
            String heads = client.subscribe("newHeads");
            for (int i = 0; i < TIMES; i++) {
                // The time in which it is closed is the time in which the other two are idle.
                try (FrameConnection silent = new FrameConnection(weir.port())) {
                    if (subscribes) {
                        silent.send(JsonRpcClient.call("eth_subscribe", "newHeads"));
                    }
                    assertThat(silent.awaitClose().code()).isEqualTo(1008);
                }
            }
            chain.mine(1);
            client.next(heads);
            plain.send(JsonRpcClient.call("eth_chainId"));
            assertThat(plain.await()).contains("result");
        }
    }
}
