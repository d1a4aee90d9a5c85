package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.NoLeaks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that say that they send no more and still read: everything they sent is answered. */
@NoLeaks
class HalfCloseIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final int PIPELINED = 4;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requestsSentBeforeTheEndAreAnsweredEvenIfReadingPaused(boolean nio) throws Exception {
        ServerBounds bounds = new ServerBounds();
        bounds.transport = nio ? SocketTransport.nio() : SocketTransport.best();
        bounds.maxPipelined = PIPELINED;
        Held held = new Held();
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            proxy.runner.on("held", held);
            int requests = 2 * PIPELINED;
            StringBuilder all = new StringBuilder();
            for (int id = 1; id <= requests; id++) {
                all.append(RawConnection.post(PATH, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}"));
            }
            connection.send(all.toString());
            connection.closeOutput();
            for (int id = 1; id <= requests; id++) {
                int waiting = Math.min(PIPELINED, requests - id + 1);
                await().until(() -> held.count() == waiting);
                held.release(Integer.toString(id));
                assertThat(connection.read().body()).endsWith("\"result\":" + id + "}");
            }
            assertThat(connection.isEnded()).isTrue();
        }
    }
}
