package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.UpstreamStatus.Health;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** How the state of one node changes, and which reports change nothing. */
class NodeStateTest {

    private static final String REASON = "as laid down";

    private long now = TimeUnit.DAYS.toNanos(1);
    private NodeState node = NodeState.unprobed(now);

    /** Applies a rule. Returns whether the report counted. */
    private boolean apply(UnaryOperator<NodeState> rule) {
        NodeState before = node;
        node = rule.apply(before);
        return node != before;
    }

    /** Applies a rule. Returns whether the node went out or came back. */
    private boolean turn(UnaryOperator<NodeState> rule) {
        int before = node.epoch();
        apply(rule);
        return node.epoch() != before;
    }

    private boolean takeDown(int epoch, String detail) {
        return turn(state -> state.takeDown(epoch, detail, now));
    }

    private boolean eject(int epoch, String detail, long slowest) {
        return turn(state -> state.eject(epoch, detail, slowest));
    }

    private boolean rejectChain(int epoch, String detail) {
        return turn(state -> state.rejectChain(epoch, detail));
    }

    private boolean probe(int epoch, long head, boolean syncing, String lag) {
        return apply(state -> state.applyGoodProbe(epoch, head, syncing, lag, now));
    }

    private void probedWell() {
        assertThat(probe(node.epoch(), 100, false, null)).isTrue();
    }

    /** Brings the node into a state in which it was on the right chain before. */
    private void bring(Health health) {
        probedWell();
        switch (health) {
            case LAGGING -> apply(state -> state.compare(REASON));
            case SYNCING -> probe(node.epoch(), 100, true, null);
            case OUT_OF_LINE -> apply(state -> state.withOutOfLine(REASON));
            case DOWN -> takeDown(node.epoch(), REASON);
            case EJECTED -> eject(node.epoch(), REASON, Long.MAX_VALUE);
            case WRONG_CHAIN -> rejectChain(node.epoch(), REASON);
            default -> {}
        }
        assertThat(node.health()).isEqualTo(health);
    }

    private void assertHealth(Health health) {
        assertThat(node.health()).isEqualTo(health);
    }

    @ParameterizedTest
    @EnumSource(
            value = Health.class,
            names = {"HEALTHY", "LAGGING", "SYNCING", "OUT_OF_LINE"})
    void aNodeThatAnswersProbesCanBeEjected(Health health) {
        bring(health);
        assertThat(eject(node.epoch(), REASON, 5)).isTrue();
        assertHealth(Health.EJECTED);
        assertThat(node.isTooSlow(5)).isFalse();
        assertThat(node.isTooSlow(6)).isTrue();
        probedWell();
        assertThat(node.isTooSlow(6)).as("since it came back").isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Health.class,
            names = {"DOWN", "EJECTED", "WRONG_CHAIN"})
    void aNodeThatIsOutIsNotEjected(Health health) {
        bring(health);
        int epoch = node.epoch();
        assertThat(eject(epoch, "another reason", 5)).isFalse();
        assertHealth(health);
        assertThat(node.detail()).isEqualTo(REASON);
        assertThat(node.epoch()).isEqualTo(epoch);
        assertThat(node.isInPool()).isFalse();
        assertThat(node.isOut()).isEqualTo(health != Health.WRONG_CHAIN);
    }

    @Test
    void aReportOfBeforeTheNodeCameBackChangesNothing() {
        bring(Health.DOWN);
        int early = node.epoch();
        probedWell();
        assertThat(takeDown(early, REASON)).isFalse();
        assertThat(eject(early, REASON, 5)).isFalse();
        assertThat(rejectChain(early, REASON)).isFalse();
        assertThat(probe(early, 200, true, null)).isFalse();
        assertHealth(Health.HEALTHY);
        assertThat(node.head()).isEqualTo(100);
    }

    @Test
    void aNodeThatGoesOutOfItsOwnAccordGoesOutOnce() {
        probedWell();
        assertThat(takeDown(node.epoch(), REASON)).isTrue();
        int epoch = node.epoch();
        assertThat(takeDown(epoch, "another reason")).isFalse();
        assertThat(node.epoch()).isEqualTo(epoch);
        assertThat(node.detail()).isEqualTo("another reason");
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
        apply(state -> state.withOutOfLine(REASON));
        assertHealth(health);
        apply(state -> state.withOutOfLine(null));
        assertHealth(health);
        apply(state -> state.compare(REASON));
        apply(state -> state.compare(null));
        assertHealth(health);
    }

    @Test
    void aNodeOutOfLineComesBackLaggingIfItLags() {
        bring(Health.LAGGING);
        apply(state -> state.withOutOfLine("its head does not count"));
        assertHealth(Health.OUT_OF_LINE);
        apply(state -> state.compare(REASON));
        assertHealth(Health.OUT_OF_LINE);
        assertThat(node.detail()).isEqualTo("its head does not count");
        apply(state -> state.withOutOfLine(null));
        assertHealth(Health.HEALTHY);
        apply(state -> state.compare(REASON));
        apply(state -> state.withOutOfLine(null));
        assertHealth(Health.LAGGING);
    }

    @Test
    void aNodeThatWasOutOfLineIsSoAfterAGoodProbeToo() {
        bring(Health.OUT_OF_LINE);
        takeDown(node.epoch(), REASON);
        probedWell();
        assertHealth(Health.OUT_OF_LINE);
    }

    @Test
    void aWrongChainIsForgottenByAGoodProbeOnly() {
        bring(Health.WRONG_CHAIN);
        assertThat(node.isChainKnown()).isFalse();
        takeDown(node.epoch(), REASON);
        assertThat(node.isChainKnown()).isFalse();
        probedWell();
        assertThat(node.isChainKnown()).isTrue();
    }

    @Test
    void aDrainedOrRateLimitedNodeIsNotReady() {
        probedWell();
        assertThat(node.isReady(now)).isTrue();
        apply(state -> state.withDrained(true));
        assertThat(node.isReady(now)).isFalse();
        assertThat(node.isInPool()).isFalse();
        apply(state -> state.withDrained(false));
        apply(state -> state.throttle(5, now));
        assertThat(node.isInPool()).isTrue();
        assertThat(node.isReady(now)).isFalse();
        now += TimeUnit.SECONDS.toNanos(5);
        assertThat(node.isReady(now)).isTrue();
    }

    @Test
    void aBlockThatAnAnswerShowedRaisesTheHeadOnly() {
        probedWell();
        now++;
        apply(state -> state.raiseHead(99, now));
        assertThat(node.head()).isEqualTo(100);
        assertThat(node.heads().namedNanos()).isEqualTo(now - 1);
        apply(state -> state.raiseHead(101, now));
        assertThat(node.head()).isEqualTo(101);
        assertThat(node.heads().namedNanos()).isEqualTo(now);
    }

    @Test
    void whatOthersContradictIsShownWhileNothingElseIs() {
        probedWell();
        apply(state -> state.withDispute("finalized: 7 (expected: 5)"));
        assertThat(node.detail()).isEqualTo("finalized: 7 (expected: 5)");
        takeDown(node.epoch(), REASON);
        assertThat(node.detail()).isEqualTo(REASON);
        probedWell();
        apply(state -> state.withDispute(null));
        assertThat(node.detail()).isEmpty();
    }

    @Test
    void aNodeThatCameBackHasServedNothingYet() {
        probedWell();
        apply(NodeState::withServed);
        assertThat(node.standing().hasServed()).isTrue();
        probedWell();
        assertThat(node.standing().hasServed()).isTrue();
        takeDown(node.epoch(), REASON);
        probedWell();
        assertThat(node.standing().hasServed()).isFalse();
    }

    @Test
    void theShareOfANodeThatCameBackGrows() {
        probedWell();
        assertThat(node.percent(now)).as("never out").isEqualTo(100);
        takeDown(node.epoch(), REASON);
        probedWell();
        assertThat(node.percent(now)).isEqualTo(10);
        assertThat(node.percent(now + TimeUnit.SECONDS.toNanos(5))).isEqualTo(50);
        assertThat(node.percent(now + TimeUnit.SECONDS.toNanos(10))).isEqualTo(100);
    }
}
