package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AddressBlock;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

@NoLeaks
class CallerAddressIT {
    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"address\"}";

    private static TestProxy proxy(ServerBounds bounds) throws IOException {
        TestProxy proxy = new TestProxy(bounds);
        proxy.runner.on("address", (context, sink) -> {
            InetAddress address = context.clientAddress();
            String text = address == null ? "none" : address.getHostAddress();
            sink.accept(new RpcReply.Result(RawJson.of("\"" + text + "\"")));
        });
        return proxy;
    }

    @Test
    void aCallHasTheAddressOfItsConnectionWithoutAnAccessLog() throws Exception {
        try (TestProxy proxy = proxy(new ServerBounds());
                RawConnection connection = new RawConnection(proxy);
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            connection.send(RawConnection.post(PATH, CALL, "X-Forwarded-For: 192.0.2.1"));
            assertThat(connection.read().body()).contains("\"127.0.0.1\"");
            assertThat(socket.text(CALL).read().text()).contains("\"127.0.0.1\"");
        }
    }

    @Test
    void aCallThroughATrustedProxyHasTheAddressThatItNames() throws Exception {
        ServerBounds bounds = new ServerBounds();
        bounds.trustedProxies = List.of(AddressBlock.parse("127.0.0.0/8"));
        try (TestProxy proxy = proxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, CALL, "X-Forwarded-For: 192.0.2.1, 198.51.100.2"));
            assertThat(connection.read().body()).contains("\"198.51.100.2\"");
            connection.send(RawConnection.post(PATH, CALL, "X-Forwarded-For: 198.51.100.3"));
            assertThat(connection.read().body()).contains("\"198.51.100.3\"");
        }
    }
}
