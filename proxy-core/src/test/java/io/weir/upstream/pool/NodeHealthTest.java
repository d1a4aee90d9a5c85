package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.UpstreamStatus.Health;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** How the state of one node changes, and which reports change nothing. */
class NodeHealthTest {

    private static final String REASON = "as laid down";

    private long now = TimeUnit.DAYS.toNanos(1);
    private final NodeHealth node = new NodeHealth(() -> now);

    private void probedWell() {
        assertThat(node.good(node.epoch(), 100, false, null)).isTrue();
    }

    /** Brings the node into a state in which it was on the right chain before. */
    private void bring(Health health) {
        probedWell();
        switch (health) {
            case LAGGING -> node.compared(REASON);
            case SYNCING -> node.good(node.epoch(), 100, true, null);
            case OUT_OF_LINE -> node.outOfLine(REASON);
            case DOWN -> node.down(node.epoch(), REASON);
            case EJECTED -> node.eject(node.epoch(), REASON, Long.MAX_VALUE);
            case WRONG_CHAIN -> node.wrongChain(node.epoch(), REASON);
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
        assertThat(node.eject(node.epoch(), REASON, 5)).isTrue();
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
        assertThat(node.eject(epoch, "another reason", 5)).isFalse();
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
        assertThat(node.down(early, REASON)).isFalse();
        assertThat(node.eject(early, REASON, 5)).isFalse();
        assertThat(node.wrongChain(early, REASON)).isFalse();
        assertThat(node.good(early, 200, true, null)).isFalse();
        assertHealth(Health.HEALTHY);
        assertThat(node.head()).isEqualTo(100);
    }

    @Test
    void aNodeThatGoesOutOfItsOwnAccordGoesOutOnce() {
        probedWell();
        assertThat(node.down(node.epoch(), REASON)).isTrue();
        int epoch = node.epoch();
        assertThat(node.down(epoch, "another reason")).isFalse();
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
        node.outOfLine(REASON);
        assertHealth(health);
        node.outOfLine(null);
        assertHealth(health);
        node.compared(REASON);
        node.compared(null);
        assertHealth(health);
    }

    @Test
    void aNodeOutOfLineComesBackLaggingIfItLags() {
        bring(Health.LAGGING);
        node.outOfLine("its head does not count");
        assertHealth(Health.OUT_OF_LINE);
        node.compared(REASON);
        assertHealth(Health.OUT_OF_LINE);
        assertThat(node.detail()).isEqualTo("its head does not count");
        node.outOfLine(null);
        assertHealth(Health.HEALTHY);
        node.compared(REASON);
        node.outOfLine(null);
        assertHealth(Health.LAGGING);
    }

    @Test
    void aNodeThatWasOutOfLineIsSoAfterAGoodProbeToo() {
        bring(Health.OUT_OF_LINE);
        node.down(node.epoch(), REASON);
        probedWell();
        assertHealth(Health.OUT_OF_LINE);
    }

    @Test
    void aWrongChainIsForgottenByAGoodProbeOnly() {
        bring(Health.WRONG_CHAIN);
        assertThat(node.chainKnown()).isFalse();
        node.down(node.epoch(), REASON);
        assertThat(node.chainKnown()).isFalse();
        probedWell();
        assertThat(node.chainKnown()).isTrue();
    }

    @Test
    void aDrainedOrRateLimitedNodeIsNotReady() {
        probedWell();
        assertThat(node.ready()).isTrue();
        node.drain(true);
        assertThat(node.ready()).isFalse();
        assertThat(node.isInPool()).isFalse();
        node.drain(false);
        node.throttle(5);
        assertThat(node.isInPool()).isTrue();
        assertThat(node.ready()).isFalse();
        now += TimeUnit.SECONDS.toNanos(5);
        assertThat(node.ready()).isTrue();
    }

    @Test
    void aBlockThatAnAnswerShowedRaisesTheHeadOnly() {
        probedWell();
        now++;
        node.seen(99);
        assertThat(node.head()).isEqualTo(100);
        assertThat(node.headNanos()).isEqualTo(now - 1);
        node.seen(101);
        assertThat(node.head()).isEqualTo(101);
        assertThat(node.headNanos()).isEqualTo(now);
    }

    @Test
    void whatOthersContradictIsShownWhileNothingElseIs() {
        probedWell();
        node.disputed("finalized: 7 (expected: 5)");
        assertThat(node.detail()).isEqualTo("finalized: 7 (expected: 5)");
        node.down(node.epoch(), REASON);
        assertThat(node.detail()).isEqualTo(REASON);
        probedWell();
        node.disputed(null);
        assertThat(node.detail()).isEmpty();
    }

    @Test
    void aNodeThatCameBackHasServedNothingYet() {
        probedWell();
        node.answered();
        assertThat(node.served()).isTrue();
        probedWell();
        assertThat(node.served()).isTrue();
        node.down(node.epoch(), REASON);
        probedWell();
        assertThat(node.served()).isFalse();
    }
}
