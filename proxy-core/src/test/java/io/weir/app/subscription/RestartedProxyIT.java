package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.NodeScript;
import io.weir.testing.PythonScript;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Real clients that watch blocks while the proxy is drained and started again. */
final class RestartedProxyIT {

    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.REMEMBERS);
    private ChainServer node;
    private LocalProxy weir;
    private HttpServer control;

    @BeforeEach
    void start() throws IOException {
        chain.mine(3);
        node = new ChainServer(chain);
        weir = LocalProxy.start(text(0));
        control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        serve("restart", this::restart);
        serve("mine", this::mine);
        control.start();
    }

    @AfterEach
    void stop() {
        control.stop(0);
        weir.close();
        node.close();
    }

    private String text(int port) {
        return ConfigurationText.of("testnet", Long.toString(SignedTransactions.CHAIN_ID))
                .setting("server.port = " + port)
                .upstream("node", node.url())
                .text();
    }

    private void serve(String path, LongSupplier action) {
        control.createContext("/" + path, exchange -> {
            byte[] answer = Long.toString(action.getAsLong()).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        });
    }

    private long restart() {
        int port = weir.port();
        weir.close();
        weir = LocalProxy.start(text(port));
        JsonRpcClient client = new JsonRpcClient(weir.url());
        await().until(() -> client.answer("eth_blockNumber").has("result"));
        return chain.head();
    }

    private long mine() {
        chain.mine(1);
        return chain.head();
    }

    @Test
    void web3JsGoesOnAfterADrain() {
        assertGoesOn(NodeScript.run("restarted-web3.mjs", weir.socketUrl(), controlUrl()));
    }

    @Test
    void web3PyGoesOnAfterADrain() {
        assertGoesOn(
                PythonScript.run("proxy-core/src/test/python", "web3", "restarted.py", weir.socketUrl(), controlUrl()));
    }

    private static void assertGoesOn(NodeScript client) {
        assertThat(client.saw("reconnected").asBoolean()).isTrue();
        assertThat(client.saw("blocks").valueStream().map(JsonNode::asLong))
                .contains(client.saw("head").asLong());
    }

    private String controlUrl() {
        return "http://127.0.0.1:" + control.getAddress().getPort();
    }
}
