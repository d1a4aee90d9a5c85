package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.nodes.LyingNetworks.Network;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** One node of two or three that lies about the head, finality or blocks, before a running proxy. */
@Execution(ExecutionMode.CONCURRENT)
final class LyingNodesIT {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final String ACCOUNT = "0x" + "0".repeat(36) + "beef";
    private static final int FINAL = 80;
    private static final int MANY = 6_000;
    private static final int MINED = 15;
    private static final int STEPS = 40;
    private static final List<String> HEADS = List.of("9", "1000000", "max", "-100", "shown");
    private static final List<String> FINALITY = List.of("head", "1000000", "0", "null", "error");

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);
    private final AtomicInteger madeUp = new AtomicInteger();

    LyingNodesIT() {
        chain.mine(150);
        chain.finalize(FINAL);
    }

    @Test
    void noClientSeesAFalseHeadOrFinalBlockAndTheLiarIsNamed() {
        List<Network> heads = new ArrayList<>();
        List<Network> finality = new ArrayList<>();
        try (LyingNetworks networks = new LyingNetworks(chain, 20)) {
            for (int size = 2; size <= 3; size++) {
                for (String claim : HEADS) {
                    heads.add(networks.add(size, claim, headLie(claim)));
                }
                for (String claim : FINALITY) {
                    finality.add(networks.add(size, claim, finalityLie(claim)));
                }
            }
            networks.start();
            // Honest nodes may differ for 30 s, which begin with the first answers.
            networks.each(finality, LyingNodesIT::assertFinal);
            networks.each(
                    heads,
                    network -> await(network.toString())
                            .until(() -> network.health().equals(health(network))));
            assertTruth(networks);
            networks.each(heads, network -> {
                assertThat(network.health()).as(network.toString()).isEqualTo(health(network));
                assertThat(network.detail()).as(network.toString()).isNotEmpty();
                assertThat(network.honestDetails()).as(network.toString()).isEmpty();
                network.endLie();
            });
            networks.each(finality, LyingNodesIT::awaitNamed);
            finality.forEach(Network::endLie);
            networks.each(networks.all(), network -> awaitHealthy(network, "finalized"));
        }
    }

    /** The first call that finds the head missing gets it from another node, and has the node show what it names. */
    @Test
    void aHeadWithinTheToleratedLagThatNobodyHasIsNotTheNewestBlockOfAnyCall() {
        try (LyingNetworks networks = new LyingNetworks(chain, 20)) {
            for (int size = 2; size <= 3; size++) {
                for (String claim : List.of("1", "2", "4")) {
                    networks.add(size, claim, headLie(claim));
                }
            }
            networks.start();
            for (int i = 0; i < MINED; i++) {
                String step = ", seed " + seed + ", step " + i;
                networks.each(networks.all(), network -> {
                    JsonNode newest = network.block("latest");
                    assertThat(newest.isNull()).as(network + step).isFalse();
                    assertThat(number(newest)).as(network + step).isLessThanOrEqualTo(chain.head());
                    network.balance(ACCOUNT);
                });
                if (i % 3 == 0) {
                    chain.mine(1);
                }
            }
            networks.each(networks.all(), network -> {
                await(network.toString())
                        .until(() -> number(network.block("latest")) == chain.head()
                                && network.blockNumber() == chain.head()
                                && network.health().equals("out-of-line"));
                assertThat(network.honestDetails()).as(network.toString()).isEmpty();
                network.endLie();
            });
            chain.mine(1);
            networks.each(networks.all(), network -> awaitHealthy(network, "latest"));
        }
    }

    private static void awaitHealthy(Network network, String asked) {
        await(network.toString()).until(() -> {
            network.block(asked);
            return network.health().equals("healthy") && network.detail().isEmpty();
        });
    }

    private static String health(Network network) {
        return network.claim().startsWith("-") ? "lagging" : "out-of-line";
    }

    /** Asks while the chain grows: no answer is ahead of the chain, none goes back, and the end is found. */
    private void assertTruth(LyingNetworks networks) {
        Map<Network, Long> before = new ConcurrentHashMap<>();
        for (int i = 0; i < MINED; i++) {
            String step = ", seed " + seed + ", step " + i;
            networks.each(networks.all(), network -> {
                String where = network + step;
                long number = network.blockNumber();
                long block = number(network.block("latest"));
                network.balance(ACCOUNT);
                assertThat(number).as(where).isBetween(before.getOrDefault(network, 0L), chain.head());
                assertThat(block).as(where).isBetween(number, chain.head());
                assertThat(number(network.block("finalized"))).as(where).isLessThanOrEqualTo(FINAL);
                before.put(network, block);
            });
            chain.mine(1);
        }
        networks.each(
                networks.all(),
                network -> await(network.toString()).until(() -> network.blockNumber() == chain.head()));
    }

    private static void assertFinal(Network network) {
        assertThat(number(network.block("finalized"))).as(network.toString()).isLessThanOrEqualTo(FINAL);
    }

    /** With three nodes the two others agree at once, or after the liar's turn. */
    private static void awaitNamed(Network network) {
        String detail = switch (network.claim()) {
            case "null", "error" -> "names no block as finalized";
            case "1000000" -> "names block 1000000 as finalized, which is above the head";
            case "0" -> "names block 0 as finalized";
            default -> "names block ";
        };
        await(network.toString()).until(() -> {
            assertFinal(network);
            return network.detail().startsWith(detail);
        });
        assertThat(network.health()).as("its calls are right").isEqualTo("healthy");
        if (network.size() == 3) {
            assertThat(network.honestDetails()).as(network.toString()).isEmpty();
            assertThat(number(network.block("finalized"))).isEqualTo(FINAL);
        }
    }

    @Test
    void noLieIsSeenWhileTheChainIsReorganised() {
        Random random = new Random(seed);
        AtomicBoolean blocksToo = new AtomicBoolean();
        try (LyingNetworks networks = new LyingNetworks(chain, 0)) {
            for (int size = 2; size <= 3; size++) {
                Random lies = new Random(seed + size);
                ChainServer.Lie lie =
                        (method, params, truth) -> randomLie(lies, blocksToo.get(), method, params, truth);
                networks.add(size, "random", lie, "verify = before-serving");
            }
            networks.start();
            Map<Network, Long> heads = new HashMap<>();
            int unanswered = 0;
            for (int i = 0; i < STEPS; i++) {
                blocksToo.set(i >= STEPS / 2);
                for (Network network : networks.all()) {
                    String where = network + ", seed " + seed + ", step " + i;
                    unanswered += assertNoLie(network, where, heads) ? 0 : 1;
                }
                if (random.nextInt(3) == 0) {
                    chain.fork(1 + random.nextInt(3), 1 + random.nextInt(2));
                } else {
                    chain.mine(random.nextInt(2));
                }
                chain.finalize(chain.head() - 70);
            }
            assertThat(unanswered).isLessThan(STEPS / 4);
            for (Network network : networks.all()) {
                network.endLie();
                await().until(() ->
                        network.health().equals("healthy") || network.detail().startsWith("false answers"));
            }
        }
    }

    /** Returns whether the network answered. Of two nodes that differ nobody can say which one is right; three must answer. */
    private boolean assertNoLie(Network network, String where, Map<Network, Long> heads) {
        ChainState before = chain.state();
        JsonNode newest = network.answer("latest");
        JsonNode last = network.answer("finalized");
        if (newest.has("error") || last.has("error")) {
            assertThat(network.size()).as("%s: %s, %s", where, newest, last).isEqualTo(2);
            return false;
        }
        long number = number(newest.path("result"));
        assertThat(hashesSince(before, number))
                .as(where)
                .contains(newest.at("/result/hash").asString());
        assertToldOnce(network, where, number >= heads.getOrDefault(network, 0L), number);
        assertThat(number(last.path("result")))
                .as(where)
                .isLessThanOrEqualTo(chain.state().finalized());
        long head = network.blockNumber();
        assertToldOnce(network, where, head >= number && head <= chain.head(), head);
        heads.put(network, Math.min(number, head));
        return true;
    }

    /** One made-up head may be told, above the chain or below it, while the other one of two nodes does not count. */
    private void assertToldOnce(Network network, String where, boolean isTrue, long head) {
        assertThat(isTrue || (network.size() == 2 && madeUp.incrementAndGet() == 1))
                .as("%s: head %d of %d", where, head, chain.head())
                .isTrue();
    }

    /** Returns the hashes of the blocks that were canonical at a height since then. */
    private List<String> hashesSince(ChainState before, long number) {
        return chain.since(before).stream()
                .map(state -> state.at(number))
                .filter(Objects::nonNull)
                .map(TestBlock::hash)
                .toList();
    }

    @Test
    void noClientSeesAFalseBlockAndItsNodeIsNotAskedAnyMore() {
        chain.mine(MANY);
        chain.finalize(MANY);
        try (LyingNetworks networks = new LyingNetworks(chain, 20)) {
            for (int size = 2; size <= 3; size++) {
                for (String verify : List.of("before-caching", "before-serving")) {
                    networks.add(size, "number, " + verify, blockLie(true), "verify = " + verify);
                    networks.add(size, "hash, " + verify, blockLie(false), "verify = " + verify);
                }
            }
            networks.start();
            networks.each(networks.all(), network -> {
                // A block that was asked for is a hit: only others reach a node that is chosen rarely.
                AtomicInteger next = new AtomicInteger(10);
                await(network.toString()).until(() -> {
                    assertThat(next.get())
                            .as(network + " is " + network.detail())
                            .isLessThan(MANY);
                    assertTrueBlocks(network, next.get(), next.addAndGet(30));
                    // A probe that is late on a busy machine takes the node out too, but not for long.
                    return network.health().equals("down") && network.detail().startsWith("false answers");
                });
                assertThat(network.falseAnswers()).as(network.toString()).isGreaterThanOrEqualTo(3);
                assertTrueBlocks(network, 10, 70);
            });
        }
    }

    private void assertTrueBlocks(Network network, int from, int end) {
        for (int i = from; i < end; i++) {
            JsonNode block = network.block("0x" + Integer.toHexString(i));
            assertThat(block.path("hash").asString())
                    .as(network + ", block " + i)
                    .isEqualTo(chain.state().at(i).hash());
            assertThat(number(block)).as(network.toString()).isEqualTo(i);
        }
    }

    private ChainServer.Lie headLie(String claim) {
        boolean shown = claim.equals("shown");
        return (method, params, truth) -> {
            String asked = params.path(0).asString("");
            boolean isHead = method.equals("eth_blockNumber") || isLatest(method, asked);
            if (isHead) {
                long step = shown ? 9 : claim.equals("max") ? 0 : Long.parseLong(claim);
                return named(method, claim.equals("max") ? Long.MAX_VALUE : chain.head() + step);
            }
            boolean isAhead = method.equals("eth_getBlockByNumber") && truth.equals(ChainAnswer.NULL);
            return shown && isAhead ? named(method, Long.decode(asked)) : truth;
        };
    }

    private static ChainServer.Lie blockLie(boolean byNumber) {
        return (method, params, truth) -> method.equals("eth_getBlockByNumber")
                        && params.path(0).asString("").startsWith("0x")
                ? ChainAnswer.result(
                        byNumber
                                ? renumbered(truth.text(), 7)
                                : truth.text().replaceFirst("\"hash\":\"0x[0-9a-f]{8}", "\"hash\":\"0x00000000"))
                : truth;
    }

    private ChainServer.Lie finalityLie(String claim) {
        return (method, params, truth) -> isFinality(params) ? falseFinality(claim, truth) : truth;
    }

    private ChainAnswer randomLie(Random random, boolean blocksToo, String method, JsonNode params, ChainAnswer truth) {
        synchronized (random) {
            if (random.nextBoolean()) {
                return truth;
            }
            String asked = params.path(0).asString("");
            if (method.equals("eth_blockNumber") || isLatest(method, asked)) {
                return named(method, Math.max(0, chain.head() + randomStep(random)));
            }
            if (isFinality(params)) {
                return falseFinality(FINALITY.get(random.nextInt(FINALITY.size())), truth);
            }
            boolean isBlock = blocksToo && method.equals("eth_getBlockByNumber") && !truth.equals(ChainAnswer.NULL);
            return isBlock ? blockLie(random.nextBoolean()).to(method, params, truth) : truth;
        }
    }

    /** Returns by how much a head is false. One within the tolerated lag counts until it is missing. */
    private static long randomStep(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> 9 + (random.nextLong() >>> (2 + random.nextInt(60)));
            case 1 -> -9 - random.nextInt(100);
            default -> 9 + random.nextInt(20);
        };
    }

    private static boolean isLatest(String method, String asked) {
        return method.equals("eth_getBlockByNumber") && asked.equals("latest");
    }

    private static boolean isFinality(JsonNode params) {
        return params.path(0).asString("").equals("finalized");
    }

    private ChainAnswer falseFinality(String claim, ChainAnswer truth) {
        return switch (claim) {
            case "null" -> ChainAnswer.NULL;
            case "error" -> ChainAnswer.error(-32000, "finalized block not found");
            case "head" -> ChainAnswer.result(chain.state().at(chain.head()).text(false));
            case "0" -> ChainAnswer.result(chain.state().at(0).text(false));
            default -> ChainAnswer.result(renumbered(truth.text(), Long.parseLong(claim)));
        };
    }

    /** Returns a head as the answer to a call for its number or for its block. A block ahead of the chain is made up. */
    private ChainAnswer named(String method, long number) {
        if (method.equals("eth_blockNumber")) {
            return ChainAnswer.result("\"0x" + Long.toHexString(number) + '"');
        }
        ChainState now = chain.state();
        return ChainAnswer.result(
                number <= now.head()
                        ? now.at(number).text(false)
                        : renumbered(now.at(now.head()).text(false), number));
    }

    /** Returns a block with another number. */
    private static String renumbered(String block, long number) {
        return block.replaceFirst("\"number\":\"0x[0-9a-f]+\"", "\"number\":\"0x" + Long.toHexString(number) + '"');
    }

    private static long number(JsonNode block) {
        return Long.decode(block.path("number").asString());
    }
}
