package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.config.TlsConfig.KeyFiles;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.testing.TestAuthority.Issued;
import java.io.IOException;
import java.net.http.WebSocket;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over TLS, certificates by name, and their renewal while calls run. */
@NoLeaks
class TlsListenerIT extends TlsTest {

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aCallIsAnsweredInBothVersions(String version) throws Exception {
        start();
        try (SSLSocket socket = connect(null, version)) {
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo(version);
            assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
            socket.getOutputStream().write(RawConnection.post(PATH, CALL).getBytes(ISO_8859_1));
            assertThat(text(socket, ANSWER.length())).endsWith(ANSWER);
        }
        await().until(() -> handshakes("ok") == 1);
    }

    @Test
    void theClientOfTheJdkCallsOverHttpsAndWss() throws Exception {
        start();
        assertThat(post(client()).body()).isEqualTo(ANSWER);
        CompletableFuture<String> received = new CompletableFuture<>();
        WebSocket socket = client().newWebSocketBuilder()
                .buildAsync(proxy.webSocketUri("/ws/v3/" + TestProxy.KEY), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                        received.complete(data.toString());
                        return null;
                    }
                })
                .join();
        socket.sendText(CALL, true);
        assertThat(received.get(60, TimeUnit.SECONDS)).isEqualTo(ANSWER);
        socket.abort();
    }

    @Test
    void aClientThatExpectsAnotherHostRefusesTheCertificate() throws Exception {
        files.clear();
        add("main", authority.issue("elsewhere.test"));
        start();
        assertThatThrownBy(() -> post(client())).isInstanceOf(SSLException.class);
        await().until(() -> handshakes("failed") + handshakes("closed") + handshakes("ok") == 1);
    }

    @Test
    void aLargeAnswerArrivesWholeAndNoEncryptedCopyOfItWaits() throws Exception {
        String large = "\"" + "x".repeat(8 << 20) + "\"";
        start();
        proxy.runner.on("network", call -> RawJson.of(large));
        try (SSLSocket socket = connect(null)) {
            socket.getOutputStream().write(RawConnection.post(PATH, CALL).getBytes(ISO_8859_1));
            await().until(() -> proxy.runner.calls() == 1);
            // The client reads nothing yet: the answer waits as it is.
            assertThat(io.netty.buffer.PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
                    .isLessThan(48L << 20);
            byte[] head = socket.getInputStream().readNBytes(15);
            assertThat(new String(head, ISO_8859_1)).isEqualTo("HTTP/1.1 200 OK");
            long length = 15;
            byte[] buffer = new byte[1 << 16];
            while (length < large.length()) {
                int read = socket.getInputStream().read(buffer);
                assertThat(read).isPositive();
                length += read;
            }
        }
        await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
    }

    @Test
    void aClientThatLeavesInALargeAnswerLeavesNothingBehind() throws Exception {
        String large = "\"" + "x".repeat(8 << 20) + "\"";
        start();
        proxy.runner.on("network", call -> RawJson.of(large));
        try (SSLSocket socket = connect(null)) {
            socket.getOutputStream().write(RawConnection.post(PATH, CALL).getBytes(ISO_8859_1));
            assertThat(socket.getInputStream().readNBytes(15)).hasSize(15);
        }
        await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0 && proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
    }

    @Test
    void eachHostGetsItsOwnCertificate() throws Exception {
        add("side", authority.issue("side.test", "*.side.test"));
        start();
        assertThat(names("side.test")).containsExactly("side.test", "*.side.test");
        assertThat(names("a.side.test")).containsExactly("side.test", "*.side.test");
        assertThat(names("localhost")).contains("localhost");
        assertThat(names("unknown.test")).contains("localhost");
    }

    @Test
    void renewedCertificatesUnderLoadDropNoConnectionAndNewOnesGetThem() throws Exception {
        start();
        AtomicBoolean running = new AtomicBoolean(true);
        AtomicInteger calls = new AtomicInteger();
        List<CompletableFuture<Void>> load = new ArrayList<>();
        try (SSLSocket old = connect(null)) {
            old.startHandshake();
            X509Certificate first = shown(old);
            for (int i = 0; i < 8; i++) {
                load.add(CompletableFuture.runAsync(() -> callUntil(running, calls)));
            }
            for (int renewal = 1; renewal <= 10; renewal++) {
                Issued next = authority.issue("localhost", "127.0.0.1");
                KeyFiles own = files.get("main");
                next.write(own.chain(), own.key());
                assertThat(proxy.certificates.reread().renewed()).hasSize(1);
                try (SSLSocket fresh = connect(null)) {
                    fresh.startHandshake();
                    assertThat(shown(fresh)).isEqualTo(next.certificate()).isNotEqualTo(first);
                }
                int before = calls.get();
                await().until(() -> calls.get() > before + 50 || load.stream().anyMatch(CompletableFuture::isDone));
            }
            running.set(false);
            for (CompletableFuture<Void> one : load) {
                one.get(60, TimeUnit.SECONDS);
            }
            old.getOutputStream().write(RawConnection.post(PATH, CALL).getBytes(ISO_8859_1));
            assertThat(text(old, ANSWER.length())).endsWith(ANSWER);
        }
        assertThat(handshakes("failed") + handshakes("closed")).isZero();
    }

    /** Calls on one connection for ever, and on a new one every tenth time. */
    private void callUntil(AtomicBoolean running, AtomicInteger calls) {
        try (RawConnection lasting = new RawConnection(proxy)) {
            while (running.get()) {
                assertThat(lasting.send(RawConnection.post(PATH, CALL)).read().body())
                        .isEqualTo(ANSWER);
                if (calls.incrementAndGet() % 10 == 0) {
                    try (RawConnection fresh = new RawConnection(proxy)) {
                        assertThat(fresh.send(RawConnection.post(PATH, CALL))
                                        .read()
                                        .body())
                                .isEqualTo(ANSWER);
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
