package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.UpstreamStatus.Health;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** How the state of one node changes, and which reports change nothing. */
class NodeStateTest {

    private static final String REASON = "as laid down";

    private long now = TimeUnit.DAYS.toNanos(1);
    private final NodeState.Current node = new NodeState.Current(now);

    private boolean takeDown(int epoch, String detail) {
        return node.turn(state -> state.takeDown(epoch, detail, now));
    }

    private boolean eject(int epoch, String detail, long slowest) {
        return node.turn(state -> state.eject(epoch, detail, slowest));
    }

    private boolean rejectChain(int epoch, String detail) {
        return node.turn(state -> state.rejectChain(epoch, detail));
    }

    private boolean probe(int epoch, long head, boolean syncing, String lag) {
        return node.apply(state -> state.applyGoodProbe(epoch, head, syncing, lag, now));
    }

    private void probedWell() {
        assertThat(probe(node.get().epoch(), 100, false, null)).isTrue();
    }

    /** Brings the node into a state in which it was on the right chain before. */
    private void bring(Health health) {
        probedWell();
        switch (health) {
            case LAGGING -> node.apply(state -> state.compare(REASON));
            case SYNCING -> probe(node.get().epoch(), 100, true, null);
            case OUT_OF_LINE -> node.apply(state -> state.withOutOfLine(REASON));
            case DOWN -> takeDown(node.get().epoch(), REASON);
            case EJECTED -> eject(node.get().epoch(), REASON, Long.MAX_VALUE);
            case WRONG_CHAIN -> rejectChain(node.get().epoch(), REASON);
            default -> {}
        }
        assertThat(node.get().health()).isEqualTo(health);
    }

    private void assertHealth(Health health) {
        assertThat(node.get().health()).isEqualTo(health);
    }

    @ParameterizedTest
    @EnumSource(
            value = Health.class,
            names = {"HEALTHY", "LAGGING", "SYNCING", "OUT_OF_LINE"})
    void aNodeThatAnswersProbesCanBeEjected(Health health) {
        bring(health);
        assertThat(eject(node.get().epoch(), REASON, 5)).isTrue();
        assertHealth(Health.EJECTED);
        assertThat(node.get().isTooSlow(5)).isFalse();
        assertThat(node.get().isTooSlow(6)).isTrue();
        probedWell();
        assertThat(node.get().isTooSlow(6)).as("since it came back").isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Health.class,
            names = {"DOWN", "EJECTED", "WRONG_CHAIN"})
    void aNodeThatIsOutIsNotEjected(Health health) {
        bring(health);
        int epoch = node.get().epoch();
        assertThat(eject(epoch, "another reason", 5)).isFalse();
        assertHealth(health);
        assertThat(node.get().detail()).isEqualTo(REASON);
        assertThat(node.get().epoch()).isEqualTo(epoch);
        assertThat(node.get().isInPool()).isFalse();
        assertThat(node.get().isOut()).isEqualTo(health != Health.WRONG_CHAIN);
    }

    @Test
    void aReportOfBeforeTheNodeCameBackChangesNothing() {
        bring(Health.DOWN);
        int early = node.get().epoch();
        probedWell();
        assertThat(takeDown(early, REASON)).isFalse();
        assertThat(eject(early, REASON, 5)).isFalse();
        assertThat(rejectChain(early, REASON)).isFalse();
        assertThat(probe(early, 200, true, null)).isFalse();
        assertHealth(Health.HEALTHY);
        assertThat(node.get().head()).isEqualTo(100);
    }

    @Test
    void aNodeThatGoesOutOfItsOwnAccordGoesOutOnce() {
        probedWell();
        assertThat(takeDown(node.get().epoch(), REASON)).isTrue();
        int epoch = node.get().epoch();
        assertThat(takeDown(epoch, "another reason")).isFalse();
        assertThat(node.get().epoch()).isEqualTo(epoch);
        assertThat(node.get().detail()).isEqualTo("another reason");
    }

    @ParameterizedTest
    @EnumSource(
            value = Health.class,
            names = {"HEALTHY", "LAGGING", "OUT_OF_LINE"},
            mode = Mode.EXCLUDE)
    void whatIsSaidOfItsHeadChangesNoNodeThatIsNotCompared(Health health) {
        if (health != Health.UNKNOWN) {
            bring(health);
        }
        node.apply(state -> state.withOutOfLine(REASON));
        assertHealth(health);
        node.apply(state -> state.withOutOfLine(null));
        assertHealth(health);
        node.apply(state -> state.compare(REASON));
        node.apply(state -> state.compare(null));
        assertHealth(health);
    }

    @Test
    void aNodeOutOfLineComesBackLaggingIfItLags() {
        bring(Health.LAGGING);
        node.apply(state -> state.withOutOfLine("its head does not count"));
        assertHealth(Health.OUT_OF_LINE);
        node.apply(state -> state.compare(REASON));
        assertHealth(Health.OUT_OF_LINE);
        assertThat(node.get().detail()).isEqualTo("its head does not count");
        node.apply(state -> state.withOutOfLine(null));
        assertHealth(Health.HEALTHY);
        node.apply(state -> state.compare(REASON));
        node.apply(state -> state.withOutOfLine(null));
        assertHealth(Health.LAGGING);
    }

    @Test
    void aNodeThatWasOutOfLineIsSoAfterAGoodProbeToo() {
        bring(Health.OUT_OF_LINE);
        takeDown(node.get().epoch(), REASON);
        probedWell();
        assertHealth(Health.OUT_OF_LINE);
    }

    @Test
    void aWrongChainIsForgottenByAGoodProbeOnly() {
        bring(Health.WRONG_CHAIN);
        assertThat(node.get().isChainKnown()).isFalse();
        takeDown(node.get().epoch(), REASON);
        assertThat(node.get().isChainKnown()).isFalse();
        probedWell();
        assertThat(node.get().isChainKnown()).isTrue();
    }

    @Test
    void aDrainedOrRateLimitedNodeIsNotReady() {
        probedWell();
        assertThat(node.get().isReady(now)).isTrue();
        node.apply(state -> state.withDrained(true));
        assertThat(node.get().isReady(now)).isFalse();
        assertThat(node.get().isInPool()).isFalse();
        node.apply(state -> state.withDrained(false));
        node.apply(state -> state.throttle(5, now));
        assertThat(node.get().isInPool()).isTrue();
        assertThat(node.get().isReady(now)).isFalse();
        now += TimeUnit.SECONDS.toNanos(5);
        assertThat(node.get().isReady(now)).isTrue();
    }

    @Test
    void aBlockThatAnAnswerShowedRaisesTheHeadOnly() {
        probedWell();
        now++;
        node.apply(state -> state.raiseHead(99, now));
        assertThat(node.get().head()).isEqualTo(100);
        assertThat(node.get().heads().namedNanos()).isEqualTo(now - 1);
        node.apply(state -> state.raiseHead(101, now));
        assertThat(node.get().head()).isEqualTo(101);
        assertThat(node.get().heads().namedNanos()).isEqualTo(now);
    }

    @Test
    void whatOthersContradictIsShownWhileNothingElseIs() {
        probedWell();
        node.apply(state -> state.withDispute("finalized: 7 (expected: 5)"));
        assertThat(node.get().detail()).isEqualTo("finalized: 7 (expected: 5)");
        takeDown(node.get().epoch(), REASON);
        assertThat(node.get().detail()).isEqualTo(REASON);
        probedWell();
        node.apply(state -> state.withDispute(null));
        assertThat(node.get().detail()).isEmpty();
    }

    @Test
    void aNodeThatCameBackHasServedNothingYet() {
        probedWell();
        node.apply(NodeState::withServed);
        assertThat(node.get().standing().hasServed()).isTrue();
        probedWell();
        assertThat(node.get().standing().hasServed()).isTrue();
        takeDown(node.get().epoch(), REASON);
        probedWell();
        assertThat(node.get().standing().hasServed()).isFalse();
    }

    @Test
    void theShareOfANodeThatCameBackGrows() {
        probedWell();
        assertThat(node.get().percent(now)).as("never out").isEqualTo(100);
        takeDown(node.get().epoch(), REASON);
        probedWell();
        assertThat(node.get().percent(now)).isEqualTo(10);
        assertThat(node.get().percent(now + TimeUnit.SECONDS.toNanos(5))).isEqualTo(50);
        assertThat(node.get().percent(now + TimeUnit.SECONDS.toNanos(10))).isEqualTo(100);
    }
}
