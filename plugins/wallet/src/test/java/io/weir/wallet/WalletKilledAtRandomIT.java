package io.weir.wallet;

import static io.weir.wallet.WalletFixture.QUICK;
import static io.weir.wallet.WalletFixture.felt;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ChildProcess;
import io.weir.testing.Runs;
import io.weir.wallet.testing.HttpChain;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a wallet with SIGKILL at random moments, again and again. Its caller repeats the requests whose end it did not hear. */
class WalletKilledAtRandomIT {
    private static final int KILLS = Runs.number("weir.wallet.kills", 5, 100);
    private static final int MAX_REQUESTS_BEFORE = 6;
    private static final int MAX_MICROS = 60_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void everyRequestIsPaidOnceAndNoNonceIsLeftOut() {
        long seed = Long.getLong("weir.wallet.seed", System.nanoTime());
        Random random = new Random(seed);
        try (ScriptedNode node = new ScriptedNode()) {
            node.advanceByItself();
            String address = account(node);
            int open = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                if (random.nextInt(3) == 0) {
                    node.expect(random.nextBoolean() ? Mishap.LOST_BEFORE : Mishap.ANSWER_LOST);
                }
                open = killed(node, address, open, random);
            }
            try (WalletFixture wallet = WalletFixture.start(folder, node, QUICK)) {
                for (int number = 0; number <= open; number++) {
                    Map<String, Object> request = BusyWallet.transfer(address, number);
                    await().atMost(60, SECONDS)
                            .until(() -> catchThrowable(() -> wallet.call("l2Net_sendTransaction", request)) == null);
                }
            }
            assertThat(node.nonces(felt(address)))
                    .as("nonces of %d requests, seed %d", open + 1, seed)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(0, open).boxed().toList());
        }
    }

    /** Runs a wallet from a request on, and kills it. Returns the first request whose end nobody heard. */
    private int killed(ScriptedNode node, String address, int first, Random random) {
        int last = first + random.nextInt(MAX_REQUESTS_BEFORE);
        Executor later = CompletableFuture.delayedExecutor(random.nextInt(MAX_MICROS), MICROSECONDS);
        try (ChildProcess child = ChildProcess.startJava(
                "busy", folder, BusyWallet.class, folder.toString(), node.url(), address, String.valueOf(first))) {
            child.awaitLine(Pattern.compile("began " + last + "$"), PATIENCE);
            CompletableFuture.runAsync(child::kill, later).join();
            return first
                    + (int) child.out().stream()
                            .filter(line -> line.startsWith("sent "))
                            .count();
        }
    }

    private String account(ScriptedNode node) {
        try (WalletFixture wallet = WalletFixture.start(folder, new HttpChain(node.url()), QUICK)) {
            return wallet.deployedAccount(node::addContract);
        }
    }
}
