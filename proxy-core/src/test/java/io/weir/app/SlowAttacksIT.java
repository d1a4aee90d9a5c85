package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ChildProcess;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Machine;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.KeepAliveConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Attacks with requests that are sent, and answers that are read, as slowly as can be; from this machine to this machine. */
final class SlowAttacksIT {

    private static final String PROGRAM = "slowhttptest";
    private static final int ATTACKERS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The attackers' own connection that looks whether the service is available, and the other client's. */
    private static final int OTHERS = 2;

    /** Of every kind at most one in a second; there are a few kinds, and the attacks take some seconds. */
    private static final int MAX_WARNINGS = 30;

    @Test
    void slowAttackersAreDisconnectedAndOtherClientsAreServedMeanwhile() throws Exception {
        Machine.assumeProgram(PROGRAM, "apt-get install slowhttptest");
        ExecutorService threads = Executors.newSingleThreadExecutor();
        AtomicBoolean ended = new AtomicBoolean();
        try (EchoNode node = EchoNode.start("a", 1);
                WeirProcess weir = WeirProcess.start(configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            CompletableFuture<Integer> calls =
                    CompletableFuture.supplyAsync(() -> callUntil(weir.port(), ended), threads);
            slowHeaders(weir);
            slowBodies(weir);
            slowReaders(weir);
            ended.set(true);
            assertThat(calls.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isGreaterThan(100);
            assertThat(weir.process().out())
                    .filteredOn(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                    .hasSizeLessThan(MAX_WARNINGS);
        } finally {
            ended.set(true);
            threads.shutdownNow();
        }
    }

    private static void slowHeaders(WeirProcess weir) {
        try (ChildProcess attack = attack(weir, "-H", "-l", "60")) {
            awaitCut(attack);
        }
        assertThat(slowRefusals(weir)).isGreaterThan(ATTACKERS / 2.0);
    }

    private static void slowBodies(WeirProcess weir) {
        double before = slowRefusals(weir);
        try (ChildProcess attack = attack(weir, "-B", "-s", "8192", "-l", "60")) {
            awaitCut(attack);
        }
        assertThat(slowRefusals(weir)).isGreaterThan(before + ATTACKERS / 2.0);
    }

    private static void slowReaders(WeirProcess weir) {
        // Ten requests on each connection, to be read at five bytes a second through a window of a few bytes.
        try (ChildProcess attack =
                attack(weir, "-X", "-w", "1", "-y", "20", "-n", "1", "-z", "5", "-k", "10", "-l", "60")) {
            await().atMost(PATIENCE).until(() -> weir.admin().metric("weir_connections") > ATTACKERS / 2.0);
            await().atMost(PATIENCE).until(() -> weir.admin().metric("weir_connections") <= OTHERS);
            assertThat(attack.alive())
                    .as("the attack goes on after its connections are gone" + attack.told())
                    .isTrue();
        }
    }

    /** The program ends before its time where every connection is gone. */
    private static void awaitCut(ChildProcess attack) {
        attack.awaitExit(PATIENCE);
        assertThat(attack.told()).contains("No open connections left").doesNotContain("service available:   NO");
    }

    private static double slowRefusals(WeirProcess weir) {
        return weir.admin().metric("weir_requests_refused_total", "reason=\"slow\"");
    }

    private static ChildProcess attack(WeirProcess weir, String... options) {
        List<String> command = new ArrayList<>(List.of(PROGRAM));
        command.addAll(List.of(options));
        String count = Integer.toString(ATTACKERS);
        command.addAll(List.of("-c", count, "-r", count, "-i", "1", "-p", "5", "-t", "POST", "-f", "application/json"));
        command.addAll(List.of("-u", weir.url()));
        return ChildProcess.start(PROGRAM, Path.of("").toAbsolutePath(), Map.of(), command);
    }

    private static int callUntil(int port, AtomicBoolean ended) {
        int calls = 0;
        try (KeepAliveConnection client = new KeepAliveConnection(port)) {
            while (!ended.get()) {
                assertThat(client.post(JsonRpcClient.call("trace_get", calls))).contains("\"params\":[" + calls + "]");
                calls++;
            }
        } catch (IOException e) {
            throw new AssertionError("call " + calls + " of the other client failed", e);
        }
        return calls;
    }

    private static String configuration(EchoNode node) {
        return ConfigurationText.of("main", "1")
                .upstream("a", node.url())
                // The other client may be idle for seconds if the machine is busy.
                .setting("server { request-timeout = 1500 ms, write-timeout = 1 s, idle = 5 s }")
                .text();
    }
}
