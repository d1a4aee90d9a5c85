package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.HeldNode;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls and connections at a shutdown by SIGTERM. */
final class SigtermIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SLOW_CALL =
            JsonRpcClient.call("eth_getBalance", "0x00000000000000000000000000000000deadbeef", "latest");

    @Test
    void aCallInFlightIsAnsweredAndNewConnectionsAreRejectedAfterSigterm() throws Exception {
        try (HeldNode node = HeldNode.start();
                WeirProcess weir = WeirProcess.start(configuration(node, "20 s"))) {
            CompletableFuture<HttpResponse<String>> slow = new JsonRpcClient(weir.url()).postLater(SLOW_CALL);
            assertThat(node.awaitCall()).as("the call reached the node").isTrue();

            weir.process().terminate();
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThatThrownBy(() -> connect(weir.port())).isInstanceOf(ConnectException.class));
            assertThat(slow).isNotDone();
            assertThat(weir.process().alive()).isTrue();

            node.release();
            HttpResponse<String> answer = slow.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"result\":\"" + HeldNode.BALANCE + "\"");
            assertThat(weir.process().awaitExit(PATIENCE)).isZero();
        }
    }

    @Test
    void aCallInFlightOnAWebSocketIsAnsweredAfterSigterm() throws Exception {
        try (HeldNode node = HeldNode.start();
                WeirProcess weir = WeirProcess.start(configuration(node, "20 s"));
                JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            socket.send(SLOW_CALL);
            assertThat(node.awaitCall()).as("the call reached the node").isTrue();

            weir.process().terminate();
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThatThrownBy(() -> connect(weir.port())).isInstanceOf(ConnectException.class));
            node.release();
            assertThat(socket.await()).contains("\"result\":\"" + HeldNode.BALANCE + "\"");
            assertThat(weir.process().awaitExit(PATIENCE)).isZero();
        }
    }

    @Test
    void drainingEndsAtItsBoundAlthoughANodeNeverAnswers() throws Exception {
        try (HeldNode node = HeldNode.start();
                WeirProcess weir = WeirProcess.start(configuration(node, "500 ms"))) {
            CompletableFuture<HttpResponse<String>> slow = new JsonRpcClient(weir.url()).postLater(SLOW_CALL);
            assertThat(node.awaitCall()).as("the call reached the node").isTrue();

            long start = System.nanoTime();
            weir.process().terminate();
            assertThat(weir.process().awaitExit(PATIENCE)).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            await().atMost(PATIENCE).until(slow::isDone);
        }
    }

    private static String configuration(HeldNode node, String drain) {
        return ConfigurationText.of("held", "1")
                .upstream("node", node.url())
                .setting("server.drain = " + drain)
                .text();
    }

    private static void connect(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(socket.isConnected()).isTrue();
        }
    }
}
