package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.PluginBuilder;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose memory is attacked, or runs out. */
final class OutOfMemoryIT {

    private static final String POST = "POST /v3/demo HTTP/1.1\r\nHost: localhost\r\n";
    private static final int CONNECTIONS = 300;

    /** With two bytes and a line end each, within the default of server.max-header. */
    private static final int LINES = 8_000;

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

    @Test
    void anEventLoopThatRunsOutOfMemoryEndsTheProcessWithExitCodeThree() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (EchoNode node = EchoNode.start("a", 1)) {
            String unbounded = "server { bytes-in-flight = 100 GiB, max-body = 100 MiB }";
            WeirProcess weir = WeirProcess.start(
                    List.of("-Xmx48m"), configuration(node).setting(unbounded).text());
            byte[] body = (POST + "Content-Length: 99999999\r\n\r\n" + " ".repeat(8 << 20)).getBytes(US_ASCII);
            for (int i = 0; i < 40 && weir.process().alive(); i++) {
                sockets.add(open(weir, body));
            }
            assertEndedWithoutMemory(weir);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aPluginThatRunsOutOfMemoryEndsTheProcessWithExitCodeThree(@TempDir Path folder) throws Exception {
        PluginBuilder.plugin("greedy").source("org.example.greedy.Greedy", """
                package org.example.greedy;
                import io.weir.api.*;
                import java.util.*;
                @org.pf4j.Extension
                public final class Greedy implements WeirPlugin {
                    @Override
                    public void provision(PluginContext context) {}
                    @Override
                    public List<MethodHandler> methodHandlers() {
                        return List.of(MethodHandler.of("greedy_take", call -> {
                            List<byte[]> all = new ArrayList<>();
                            while (true) {
                                all.add(new byte[1 << 20]);
                            }
                        }));
                    }
                }
                """).jar(folder);
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
