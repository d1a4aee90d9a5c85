package io.weir.subscription.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainStreamTest {

    private static final int MAX_GAP = 200;

    private final SimulatedNodes nodes = new SimulatedNodes(new Random(1));
    private final ClientView client = new ClientView();

    private ChainStream begin() {
        nodes.show();
        return new ChainStream(nodes.head(), nodes, nodes, nodes, client, MAX_GAP, TimeUnit.SECONDS.toNanos(30));
    }

    private void advance(ChainStream stream) {
        nodes.show();
        stream.advance();
    }

    @Test
    void nothingIsToldOfTheFirstHeadAndEachLaterOneCostsOneRequest() {
        nodes.mine(10);
        ChainStream stream = begin();
        advance(stream);
        nodes.pass(1_000);
        assertThat(client.events()).isEmpty();
        for (int i = 0; i < 3; i++) {
            nodes.mine(1);
            advance(stream);
            advance(stream);
            nodes.pass(1_000);
        }
        assertThat(client.events()).containsExactly("+11", "+12", "+13");
        assertThat(nodes.fetches()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"2, false", "17, false", "150, false", "2, true", "17, true", "150, true"})
    void blocksBetweenHeadsAreToldWithOneRequestEach(int gap, boolean skips) {
        nodes.skip(skips);
        ChainStream stream = begin();
        nodes.mine(gap);
        advance(stream);
        nodes.pass(10_000);
        assertThat(client.events()).hasSize(gap).startsWith("+1", "+2");
        assertThat(nodes.fetches()).isEqualTo(gap);
        assertThat(nodes.filled()).isEqualTo(skips ? gap - 2 : 0);
    }

    @Test
    void longGapsNeedNoStackIfAnswersComeAtOnce() {
        nodes.answerAtOnce();
        nodes.skip(true);
        ChainStream stream =
                new ChainStream(nodes.head(), nodes, nodes, nodes, client, 5_000, TimeUnit.SECONDS.toNanos(30));
        nodes.mine(4_000);
        advance(stream);
        assertThat(client.events()).hasSize(4_000);
    }

    @Test
    void aReorganisationTakesBlocksBackNewestFirst() {
        ChainStream stream = begin();
        nodes.mine(5);
        advance(stream);
        nodes.pass(1_000);
        client.events();
        nodes.fork(3, 4);
        advance(stream);
        nodes.pass(1_000);
        assertThat(client.events()).containsExactly("-5", "-4", "-3", "+3", "+4", "+5", "+6");
    }

    @Test
    void noBlockOfALongBranchIsRequestedTwice() {
        ChainStream stream = begin();
        nodes.mine(40);
        advance(stream);
        nodes.pass(1_000);
        nodes.requested().clear();
        nodes.fork(20, 21);
        advance(stream);
        nodes.pass(1_000);
        assertThat(client.events()).endsWith("+40", "+41");
        assertThat(nodes.requested()).doesNotHaveDuplicates();
    }

    @Test
    void aBlockOfTheSameHeightReplacesTheHead() {
        ChainStream stream = begin();
        nodes.mine(2);
        advance(stream);
        nodes.pass(1_000);
        nodes.fork(1, 1);
        advance(stream);
        nodes.pass(1_000);
        assertThat(client.events()).containsExactly("+1", "+2", "-2", "+2");
    }

    @Test
    void anAncestorOfTheHeadTellsNothingUntilAnotherBranchGrows() {
        ChainStream stream = begin();
        nodes.mine(5);
        advance(stream);
        nodes.pass(1_000);
        client.events();
        nodes.show(nodes.at(3));
        stream.advance();
        nodes.pass(1_000);
        assertThat(client.events()).isEmpty();
        nodes.mine(1);
        advance(stream);
        nodes.pass(1_000);
        assertThat(client.events()).containsExactly("+6");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBranchFromBelowTheFirstHeadIsToldFromTheForkOn(boolean forgets) {
        nodes.mine(20);
        ChainStream stream = begin();
        nodes.mine(1);
        advance(stream);
        nodes.pass(1_000);
        client.events();
        nodes.forget(forgets);
        nodes.fork(4, 5);
        advance(stream);
        nodes.pass(10_000);
        assertThat(client.events()).startsWith("-21", "-20").endsWith("+20", "+21", "+22");
        assertThat(client.losses()).isEmpty();
    }

    @Test
    void nodesThatForgetABranchAreAskedForTheBlocksBeforeTheFirstHeadInTime() {
        nodes.mine(50);
        nodes.forget(true);
        nodes.skip(true);
        ChainStream stream = begin();
        stream.readBelow();
        nodes.pass(5_000);
        assertThat(nodes.filled()).isEqualTo(31);
        nodes.mine(1);
        advance(stream);
        nodes.pass(1_000);
        client.events();
        nodes.fork(4, 5);
        advance(stream);
        nodes.pass(10_000);
        assertThat(client.events()).containsExactly("-51", "-50", "-49", "-48", "+48", "+49", "+50", "+51", "+52");
    }

    @Test
    void theBlocksBeforeTheFirstHeadAreReadBeforeNodesForgetThem() {
        nodes.mine(50);
        nodes.forget(true);
        ChainStream stream = begin();
        stream.readBelow();
        nodes.mine(1);
        advance(stream);
        // An answer takes up to 50 ms.
        nodes.pass(300);
        client.events();
        nodes.fork(21, 22);
        advance(stream);
        nodes.pass(10_000);
        assertThat(client.events())
                .startsWith("-51")
                .contains("-32", "+31")
                .doesNotContain("+30")
                .endsWith("+52");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 60, 600})
    void readingTheBlocksBeforeTheFirstHeadDisturbsNoReorganisation(int millis) {
        nodes.mine(50);
        nodes.forget(true);
        ChainStream stream = begin();
        stream.readBelow();
        nodes.mine(2);
        advance(stream);
        nodes.pass(millis);
        nodes.fork(6, 7);
        advance(stream);
        nodes.pass(10_000);
        assertThat(client.events()).endsWith("+51", "+52", "+53");
        assertThat(client.losses()).isEmpty();
    }

    @Test
    void aHeadBelowTheFirstOneThatIsItsAncestorIsNotTold() {
        nodes.mine(20);
        ChainStream stream = begin();
        stream.readBelow();
        nodes.pass(1_000);
        nodes.show(nodes.at(12));
        stream.advance();
        nodes.pass(10_000);
        nodes.mine(1);
        advance(stream);
        nodes.pass(10_000);
        assertThat(client.events()).containsExactly("+21");
    }

    @Test
    void aMissingBlockIsWaitedForAndThenTheStreamBeginsAnew() {
        ChainStream stream = begin();
        nodes.fail(100);
        nodes.mine(3);
        advance(stream);
        nodes.pass(29_000);
        assertThat(client.losses()).isEmpty();
        nodes.pass(5_000);
        assertThat(client.losses()).hasSize(1);
        assertThat(client.events()).isEmpty();
        nodes.fail(0);
        nodes.mine(1);
        advance(stream);
        nodes.pass(1_000);
        assertThat(client.events()).containsExactly("+4");
    }

    @Test
    void aGapThatIsTooLongEndsTheStreamWithoutRequests() {
        ChainStream stream = begin();
        nodes.mine(MAX_GAP + 1);
        advance(stream);
        nodes.pass(1_000);
        assertThat(client.losses()).containsExactly("too many blocks were missed");
        assertThat(nodes.fetches()).isZero();
    }

    @Test
    void aStreamFromBeforeTheFirstBlockTellsAllBlocks() {
        nodes.mine(20);
        nodes.show();
        BlockLink before = new BlockLink(-1, nodes.at(0).parentHash(), "");
        ChainStream stream =
                new ChainStream(before, nodes, nodes, nodes, client, MAX_GAP, TimeUnit.SECONDS.toNanos(30));
        stream.advance();
        nodes.pass(10_000);
        assertThat(client.events()).startsWith("--1", "+0", "+1").endsWith("+20");
    }

    @Test
    void aHeaderThatNoNodeGivesEndsTheStreamAlthoughLaterOnesCome() {
        ChainStream stream = begin();
        nodes.lose(1);
        for (int i = 0; i < 40; i++) {
            nodes.mine(1);
            advance(stream);
            nodes.pass(1_000);
        }
        assertThat(client.losses()).containsExactly("no node gave a missing block in time");
    }

    @Test
    void aHeadOfADroppedBranchDoesNotDelayTheNextOne() {
        ChainStream stream = begin();
        nodes.forget(true);
        nodes.mine(3);
        BlockLink dropped = nodes.head();
        nodes.fork(2, 3);
        nodes.show(dropped);
        stream.advance();
        nodes.pass(100);
        advance(stream);
        nodes.pass(3_000);
        assertThat(client.events()).containsExactly("+1", "+2", "+3", "+4");
    }

    /** Heads come late, repeated, out of order or not at all, and requests fail; at the end all is told in order. */
    @Test
    void whateverTheSourceDoesEachBranchIsToldOnceAndInOrder() {
        long first = Long.getLong("weir.seed", new Random().nextLong());
        for (int run = 0; run < 300; run++) {
            long seed = first + run;
            try {
                simulate(new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("-Dweir.seed=" + seed, e);
            }
        }
    }

    private static void simulate(Random random) {
        SimulatedNodes nodes = new SimulatedNodes(random);
        nodes.mine(40);
        nodes.show();
        nodes.skip(random.nextBoolean());
        ClientView client = new ClientView();
        ChainStream stream =
                new ChainStream(nodes.head(), nodes, nodes, nodes, client, MAX_GAP, TimeUnit.SECONDS.toNanos(3_000));
        nodes.forget(random.nextBoolean());
        List<BlockLink> heads = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            int depth = random.nextInt(4) == 0 ? random.nextInt(32) : 0;
            if (random.nextInt(3) > 0) {
                nodes.fork(depth, depth + random.nextInt(3));
            }
            heads.add(nodes.head());
            nodes.fail(random.nextInt(4) == 0 ? 60 : 0);
            if (random.nextInt(3) > 0) {
                boolean old = random.nextInt(4) == 0;
                nodes.show(old ? heads.get(random.nextInt(heads.size())) : nodes.head());
                stream.advance();
            }
            nodes.pass(random.nextInt(400));
        }
        nodes.fail(0);
        nodes.mine(1);
        nodes.show();
        stream.advance();
        nodes.pass(60_000);
        assertThat(client.top()).isEqualTo(nodes.head());
        assertThat(client.losses()).isEmpty();
    }
}
