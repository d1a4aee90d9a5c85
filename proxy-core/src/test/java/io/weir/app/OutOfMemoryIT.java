package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.PluginBuilder;
import io.weir.testing.Runs;
import io.weir.testing.TestAuthority;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.FrameConnection;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process whose memory is attacked, or runs out. */
final class OutOfMemoryIT {

    private static final String POST = "POST /v3/demo HTTP/1.1\r\nHost: localhost\r\n";
    private static final int CONNECTIONS = 300;

    /** With two bytes and a line end each, within the 16 KiB of headers. */
    private static final int LINES = 8_000;

    private static final String DROPPING =
            "List<byte[]> all = new ArrayList<>(); while (true) { all.add(new byte[1 << 20]); }";

    private static final String KEEPING = """
            for (int bytes = 1 << 20; bytes >= 16; bytes /= 2) {
                try {
                    while (true) {
                        kept = new Object[] {kept, new byte[bytes]};
                    }
                } catch (OutOfMemoryError e) {
                    // Smaller ones may fit.
                }
            }
            while (true) {
                kept = new Object[] {kept};
            }
            """;

    @Test
    void manySmallHeaderLinesOfManyConnectionsDoNotExhaustTheHeap() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (EchoNode node = EchoNode.start("a", 1);
                WeirProcess weir = WeirProcess.start(
                        List.of("-Xmx96m"), configuration(node).text())) {
            await().until(() -> weir.admin().readyStatus() == 200);
            byte[] head = (POST + "a:\r\n".repeat(LINES)).getBytes(US_ASCII);
            for (int i = 0; i < CONNECTIONS; i++) {
                sockets.add(open(weir, head));
            }
            assertThat(new JsonRpcClient(weir.url())
                            .post(JsonRpcClient.call("trace_get", 7))
                            .statusCode())
                    .isEqualTo(200);
            await().until(() -> weir.admin().metric("weir_requests_refused_total", "reason=\"headers\"") > 0);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anEventLoopThatRunsOutOfMemoryEndsTheProcessWithExitCodeThree(Protocol protocol, @TempDir Path folder)
            throws Exception {
        TestAuthority authority = new TestAuthority("Listener Authority");
        authority.issue("localhost").write(folder.resolve("chain.pem"), folder.resolve("key.pem"));
        String tls = "server.tls.certificates.a { chain = \"%1$s/chain.pem\", key = \"%1$s/key.pem\" }";
        try (EchoNode node = EchoNode.start("a", 1)) {
            ConfigurationText text =
                    configuration(node).setting("server { bytes-in-flight = 100 GiB, max-body = 100 MiB }");
            String configuration = (protocol == Protocol.TLS ? text.setting(String.format(tls, folder)) : text).text();
            SSLContext trust = authority.trust();
            for (int run = Runs.number("weir.memory.runs", 1, 10); run > 0; run--) {
                assertEndsBy(protocol, trust, WeirProcess.start(List.of("-Xmx48m"), configuration));
            }
        }
    }

    private static void assertEndsBy(Protocol protocol, SSLContext trust, WeirProcess weir) throws IOException {
        List<AutoCloseable> open = new ArrayList<>();
        try {
            for (int i = 0; i < 40 && weir.process().alive(); i++) {
                try {
                    protocol.upload(weir.port(), trust, open);
                } catch (IOException e) {
                    // The process may be gone.
                }
            }
            assertEndedWithoutMemory(weir);
        } finally {
            for (AutoCloseable one : open) {
                close(one);
            }
        }
    }

    private static void close(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception e) {
            // It broke off with the process.
        }
    }

    /** The protocols by which a client can send 8 MiB that the proxy keeps, because more is to follow. */
    private enum Protocol {
        HTTP_1 {
            @Override
            void upload(int port, SSLContext trust, List<AutoCloseable> open) throws IOException {
                send(new Socket(InetAddress.getLoopbackAddress(), port), open);
            }
        },
        TLS {
            @Override
            void upload(int port, SSLContext trust, List<AutoCloseable> open) throws IOException {
                send(trust.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port), open);
            }
        },
        WEB_SOCKET {
            @Override
            void upload(int port, SSLContext trust, List<AutoCloseable> open) throws IOException {
                FrameConnection connection = new FrameConnection(port);
                open.add(connection);
                for (int i = 0; i < BODY_BYTES / PIECE_BYTES; i++) {
                    connection.sendFragment(i == 0, " ".repeat(PIECE_BYTES));
                }
            }
        },
        HTTP_2 {
            @Override
            void upload(int port, SSLContext trust, List<AutoCloseable> open) throws IOException {
                Http2Connection connection = new Http2Connection(port, null);
                open.add(connection);
                connection.send(Http2Frame.headers(1, false, Http2Connection.request("POST", "/v3/demo")));
                int[] windows = {65_535, 65_535};
                for (int sent = 0; sent < BODY_BYTES; ) {
                    int bytes = Math.min(PIECE_BYTES, Math.min(windows[0], windows[1]));
                    if (bytes > 0) {
                        connection.send(Http2Frame.data(1, false, new byte[bytes]));
                        windows[0] -= bytes;
                        windows[1] -= bytes;
                        sent += bytes;
                    } else {
                        Http2Frame more = connection.awaitFrame(Http2Frame.WINDOW_UPDATE);
                        windows[more.stream()] +=
                                ByteBuffer.wrap(more.content()).getInt();
                    }
                }
            }
        };

        private static final int BODY_BYTES = 8 << 20;
        private static final int PIECE_BYTES = 1 << 14;

        /** @param open gets the connection, which stays open */
        abstract void upload(int port, SSLContext trust, List<AutoCloseable> open) throws IOException;

        private static void send(Socket socket, List<AutoCloseable> open) throws IOException {
            open.add(socket);
            socket.getOutputStream()
                    .write((POST + "Content-Length: 99999999\r\n\r\n" + " ".repeat(BODY_BYTES)).getBytes(US_ASCII));
        }
    }

    /** A plugin that drops what it has taken leaves memory for the end of the process. The other one leaves none. */
    @ParameterizedTest
    @ValueSource(strings = {DROPPING, KEEPING})
    void aPluginThatRunsOutOfMemoryEndsTheProcessWithExitCodeThree(String taking, @TempDir Path folder)
            throws Exception {
        PluginBuilder.plugin("greedy")
                .source("org.example.greedy.Greedy", """
                package org.example.greedy;
                import io.weir.api.*;
                import java.util.*;
                @org.pf4j.Extension
                public final class Greedy implements WeirPlugin {
                    static Object kept;
                    @Override
                    public void provision(PluginContext context) {}
                    @Override
                    public List<MethodHandler> methodHandlers() {
                        return List.of(MethodHandler.of("greedy_take", call -> {
                            %s
                        }));
                    }
                }
                """.formatted(taking))
                .jar(folder);
        try (EchoNode node = EchoNode.start("a", 1)) {
            String plugins = "plugins { path = [\"" + folder + "\"] }";
            WeirProcess weir = WeirProcess.start(
                    List.of("-Xmx64m"), configuration(node).setting(plugins).text());
            // No answer comes: the process ends.
            new JsonRpcClient(weir.url()).postLater(JsonRpcClient.call("greedy_take"));
            assertEndedWithoutMemory(weir);
        }
    }

    private static void assertEndedWithoutMemory(WeirProcess weir) {
        assertThat(weir.awaitEnd()).as("exit code" + weir.process().told()).isEqualTo(3);
        assertThat(weir.process().err()).anyMatch(line -> line.startsWith("weir: out of memory"));
    }

    /** Sends as much as is taken: the listener may refuse it, and the process may be gone. */
    private static Socket open(WeirProcess weir, byte[] bytes) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), weir.port()));
            socket.getOutputStream().write(bytes);
        } catch (SocketException e) {
            // Its answer, or the process's end, is looked at elsewhere.
        }
        return socket;
    }

    private static ConfigurationText configuration(EchoNode node) {
        return ConfigurationText.of("main", "1").upstream("a", node.url()).setting("cache.memory = 1 MiB");
    }
}
