package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.ChainTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A network that names other first blocks than before and contradicts itself, or does not answer. */
class DisputedChainTest {
    private static final String BLOCK = "starknet_getBlockWithTxHashes";
    private static final String STATUS = "starknet_getTransactionStatus";

    @TempDir
    Path folder;

    private SendFixture wallet;
    private L2Network network;
    /** The blocks for which another hash is told. */
    private final Set<Long> others = new HashSet<>();
    /** The methods that fail. */
    private final Set<String> failing = new HashSet<>();

    private ChainRestarts watch;

    @BeforeEach
    void open() {
        wallet = new SendFixture(folder).deployed();
        network = wallet.account.network();
        watch = new ChainRestarts(
                new L2Client(new HookedChain(wallet.chain, this::answer), System::nanoTime),
                new ChainTable(wallet.database, () -> wallet.now),
                Duration.ofSeconds(5),
                wallet.clock::nanos);
        watch.check(network);
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    private @Nullable CompletionStage<JsonNode> answer(String method, JsonNode params) {
        if (failing.contains(method)) {
            int code = method.equals(STATUS) ? 29 : -32000;
            return CompletableFuture.failedStage(new RpcException(code, "no answer"));
        }
        long number = params.path("block_id").path("block_number").asLong(-1);
        if (!method.equals(BLOCK) || !others.contains(number)) {
            return null;
        }
        ObjectNode block = (ObjectNode) wallet.chain
                .call("sepolia", method, params)
                .toCompletableFuture()
                .join()
                .deepCopy();
        return CompletableFuture.completedStage(
                block.put("block_hash", Felt.of(4711 + number).toHex()));
    }

    private void check(Duration later) {
        wallet.pass(later);
        watch.check(network);
    }

    @Test
    void aNodeThatLiesAboutTheFirstBlockAloneMakesTheWalletForgetNothing() {
        Felt old = wallet.settled();
        others.add(0L);
        wallet.chain.forget(old);
        for (int look = 0; look < 5; look++) {
            check(Duration.ofMinutes(11));
        }
        assertThat(wallet.isStored(old)).as("a later block is still there").isTrue();
    }

    @Test
    void aTransactionThatWasInABlockOfTheOldChainAndIsKnownContradictsARestart() {
        Felt unknown = wallet.settled();
        Felt known = wallet.settled();
        check(Duration.ofSeconds(6));
        wallet.chain.forget(unknown);
        others.addAll(Set.of(0L, 1L, 7L));
        for (int look = 0; look < 5; look++) {
            check(Duration.ofMinutes(11));
        }
        assertThat(wallet.isStored(known)).isTrue();
        assertThat(wallet.isStored(unknown))
                .as("it is archived with a restart only")
                .isTrue();
    }

    @Test
    void aLongChainMustBeAnotherOneInSeveralLooks() {
        Felt old = wallet.settled();
        check(Duration.ofMinutes(11));
        wallet.chain.startAgain();
        wallet.chain.setNewestBlock(2_000_000);
        check(Duration.ofSeconds(6));
        assertThat(wallet.isStored(old)).as("the first look").isTrue();
        check(Duration.ofSeconds(6));
        assertThat(wallet.isStored(old)).as("the second look").isTrue();
        check(Duration.ofSeconds(6));
        assertThat(wallet.isStored(old)).as("the third look").isFalse();
    }

    @Test
    void aLongChainThatIsTheOldOneAgainInBetweenKeepsItsTransactions() {
        Felt old = wallet.settled();
        wallet.chain.setNewestBlock(2_000_000);
        check(Duration.ofMinutes(11));
        wallet.chain.forget(old);
        for (int look = 0; look < 6; look++) {
            others.addAll(Set.of(0L, 1L, 2_000_000L));
            check(Duration.ofSeconds(6));
            check(Duration.ofSeconds(6));
            others.clear();
            check(Duration.ofSeconds(6));
        }
        assertThat(wallet.isStored(old)).isTrue();
    }

    @Test
    void twoChainsBehindOneNameArchiveNothing() {
        Felt first = wallet.settled();
        Felt second = wallet.settled();
        check(Duration.ofSeconds(6));
        Random random = new Random(1);
        for (int look = 0; look < 100; look++) {
            others.clear();
            failing.clear();
            if (random.nextBoolean()) {
                others.addAll(Set.of(0L, 1L, 7L));
            } else {
                failing.add(STATUS);
            }
            check(Duration.ofSeconds(6));
        }
        assertThat(wallet.isStored(first) && wallet.isStored(second)).isTrue();
    }

    @Test
    void aFirstBlockThatIsAnotherOneEachTimeDelaysPaymentsForTenMinutesAtMost() {
        Felt open = wallet.send(wallet.quote(true)).join();
        wallet.chain.forget(open);
        wallet.now = wallet.now.plusSeconds(70);
        wallet.clock.pass(Duration.ofSeconds(70));
        wallet.restarts.check(network);
        wallet.chain.inventBlocks();
        for (int minute = 0; minute < 10; minute++) {
            assertThatThrownBy(() -> wallet.delivery.settle(network, wallet.stored(open)))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("names other first blocks than before");
            wallet.clock.pass(Duration.ofMinutes(1));
            wallet.now = wallet.now.plus(Duration.ofMinutes(1));
        }
        assertThatCode(() -> wallet.delivery.settle(network, wallet.stored(open)))
                .doesNotThrowAnyException();
        assertThat(wallet.chain.lastHash()).isEqualTo(open);
    }

    @Test
    void aRestartThatFollowsADisputeGivesNothingToTheNewChain() {
        Felt open = wallet.send(wallet.quote(true)).join();
        check(Duration.ofSeconds(6));
        others.add(0L);
        for (int minute = 0; minute < 12; minute++) {
            check(Duration.ofMinutes(1));
        }
        others.clear();
        wallet.chain.startAgain();

        assertThat(watch.isSame(network)).isFalse();
        assertThat(wallet.isStored(open)).isFalse();
    }

    @Test
    void aLookThatGetsNoBlockDoesNotCountAsHavingSeenTheOldChain() {
        wallet.chain.startAgain();
        wallet.deployed();
        wallet.now = wallet.now.plusSeconds(1);
        Felt onNewChain = wallet.settled();
        failing.add(BLOCK);
        check(Duration.ofSeconds(6));
        failing.clear();
        failing.add(STATUS);
        check(Duration.ofSeconds(6));

        assertThat(wallet.isStored(onNewChain))
                .as("it may be on the new chain, which denies it")
                .isTrue();
    }
}
