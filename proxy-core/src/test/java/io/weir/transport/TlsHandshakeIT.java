package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.config.TlsConfig;
import io.weir.metrics.Meter;
import io.weir.testing.TestAuthority;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes that fail, each closed in time and counted. */
class TlsHandshakeIT extends TlsTest {

    @Test
    void anOlderVersionThanConfiguredIsRefused() throws Exception {
        protocols = TlsConfig.protocols(true);
        start();
        try (SSLSocket socket = connect(null, "TLSv1.2")) {
            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
        }
        await().until(() -> handshakes("failed") == 1);
    }

    @Test
    void plainHttpIsToldThatThePortSpeaksTls() throws Exception {
        start();
        try (Socket plain = new Socket("127.0.0.1", proxy.port())) {
            plain.getOutputStream().write(RawConnection.post(PATH, CALL).getBytes(ISO_8859_1));
            String answer = new String(plain.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(answer)
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .endsWith("\r\n\r\nTLS: missing (expected: https:// or wss:// on this port)\n");
        }
        assertThat(handshakes("plain")).isEqualTo(1);
        assertThat(proxy.runner.calls()).isZero();
        await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\u0000garbage", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000", "\u0016garbage that is no hello"})
    void garbageIsClosedAndCountedOnce(String bytes) throws Exception {
        start();
        try (Socket socket = new Socket("127.0.0.1", proxy.port())) {
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
            socket.getInputStream().readAllBytes();
        }
        await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
        long outcomes = 0;
        for (String outcome : List.of("plain", "failed", "timeout", "closed", "host", "ok")) {
            outcomes += handshakes(outcome);
        }
        assertThat(outcomes).isEqualTo(1);
        assertThat(handshakes("ok")).isZero();
    }

    @Test
    void aHelloLargerThanTheBoundIsNotCollected() throws Exception {
        start();
        byte[] record = new byte[5 + 16_000];
        System.arraycopy(new byte[] {22, 3, 1, (byte) (16_000 >> 8), (byte) 16_000, 1, 1, 0, 0}, 0, record, 0, 9);
        try (Socket socket = new Socket("127.0.0.1", proxy.port())) {
            socket.getOutputStream().write(record);
            socket.getInputStream().readAllBytes();
        }
        await().until(() -> handshakes("failed") == 1);
    }

    @Test
    void aSilentClientIsClosedInTime() throws Exception {
        start();
        try (Socket socket = new Socket("127.0.0.1", proxy.port())) {
            assertThat(socket.getInputStream().read()).isNegative();
        }
        assertThat(handshakes("timeout")).isEqualTo(1);
    }

    @Test
    void aClientThatLeavesBeforeTheEndIsCounted() throws Exception {
        start();
        new Socket("127.0.0.1", proxy.port()).close();
        await().until(() -> handshakes("closed") == 1);
        await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
    }

    @Test
    void aConnectionWithoutARequestIsClosedAfterTheTimeForHeaders() throws Exception {
        bounds.headerTimeoutMillis = 200;
        start();
        try (SSLSocket socket = connect(null)) {
            socket.startHandshake();
            assertThat(socket.getInputStream().read()).isNegative();
        }
        assertThat(handshakes("ok")).isEqualTo(1);
    }

    @Test
    void aDrainClosesHandshakesAndIdleConnections() throws Exception {
        start();
        try (Socket silent = new Socket("127.0.0.1", proxy.port());
                SSLSocket idle = connect(null)) {
            idle.getOutputStream().write(RawConnection.post(PATH, CALL).getBytes(ISO_8859_1));
            assertThat(text(idle, ANSWER.length())).endsWith(ANSWER);
            CompletableFuture<Void> drained = proxy.listener.drain(60_000);
            assertThat(idle.getInputStream().read()).isNegative();
            assertThat(silent.getInputStream().read()).isNegative();
            drained.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void clientsNeedACertificateWhereAnAuthorityIsConfigured() throws Exception {
        TestAuthority clients = new TestAuthority("Clients");
        clientCa = java.nio.file.Files.writeString(folder.resolve("clients.pem"), clients.pem());
        start();
        assertThatThrownBy(() -> post(client())).isInstanceOf(IOException.class);
        await().until(() -> handshakes("failed") == 1);
        assertThat(post(client(authority.trustWith(clients.issue("caller")))).body())
                .isEqualTo(ANSWER);
        SSLContext foreign = authority.trustWith(new TestAuthority("Foreign").issue("caller"));
        assertThatThrownBy(() -> post(client(foreign))).isInstanceOf(IOException.class);
        assertThat(proxy.runner.calls()).isEqualTo(1);
    }
}
