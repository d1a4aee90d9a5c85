package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.upstream.pool.NodeData.HalfOpen;
import org.junit.jupiter.api.Test;

class DataRangeTest {

    private long now = Long.MAX_VALUE - 5;
    private final NodeData.DataRange range = NodeData.DataRange.learned(() -> now);

    @Test
    void withoutExperienceNothingIsMissing() {
        assertThat(range.lacks(0)).isFalse();
        assertThat(range.lacks(1_000_000)).isFalse();
    }

    @Test
    void oneMissingBlockStandsForAllThatAreOlderThanThoseGiven() {
        range.has(500);
        assertThat(range.lacked(10_000, 127)).isTrue();
        assertThat(range.lacks(10_000)).isTrue();
        assertThat(range.lacks(501)).isTrue();
        assertThat(range.lacks(500)).isFalse();
    }

    @Test
    void aNodeThatGaveNothingYetIsTakenToHaveTheUsualBlocks() {
        range.lacked(10_000, 127);
        assertThat(range.lacks(127)).isFalse();
        assertThat(range.lacks(128)).isTrue();
    }

    @Test
    void afterAWhileOneCallTriesAgain() {
        range.lacked(10_000, 127);
        now += HalfOpen.NANOS;
        assertThat(range.lacks(10_000)).isFalse();
        assertThat(range.lacks(10_000)).isTrue();
        range.has(10_000);
        assertThat(range.lacks(10_000)).isFalse();
        assertThat(range.lacks(1_000_000)).isFalse();
    }

    @Test
    void aTrialThatFailsBeginsTheTimeAnew() {
        range.lacked(10_000, 127);
        now += HalfOpen.NANOS;
        assertThat(range.lacks(10_000)).isFalse();
        assertThat(range.lacked(10_000, 127)).isFalse();
        now += HalfOpen.TRIAL_NANOS;
        assertThat(range.lacks(10_000)).isTrue();
    }

    @Test
    void aWindowThatShrankIsNoticed() {
        range.has(5_000);
        range.lacked(1_000, 127);
        assertThat(range.lacks(1_000)).isTrue();
        assertThat(range.lacks(5_000)).isTrue();
        assertThat(range.lacks(100)).isFalse();
    }

    @Test
    void aConfiguredRangeLearnsNothing() {
        NodeData.DataRange configured = NodeData.DataRange.upTo(128, () -> now);
        assertThat(configured.lacks(128)).isFalse();
        assertThat(configured.lacks(129)).isTrue();
        assertThat(configured.lacked(5, 127)).isFalse();
        assertThat(configured.lacks(5)).isFalse();
        now += 2 * HalfOpen.NANOS;
        assertThat(configured.lacks(129)).isTrue();
        assertThat(NodeData.DataRange.upTo(Long.MAX_VALUE, () -> now).lacks(Long.MAX_VALUE))
                .isFalse();
    }

    @Test
    void dataAsOldAsThatOfWhichItSaidSoIsNotAskedForUntilTheNextTrial() {
        range.lacked(10_000, 127);
        assertThat(range.saidToLack(10_000)).isTrue();
        assertThat(range.saidToLack(9_999)).as("it is only taken to lack this").isFalse();
        range.lacked(5_000, 127);
        assertThat(range.saidToLack(5_000)).isTrue();
        now += HalfOpen.NANOS;
        assertThat(range.saidToLack(10_000)).isFalse();
        assertThat(range.lacks(10_000)).as("one tries again").isFalse();
        assertThat(range.saidToLack(10_000)).isTrue();
        range.has(10_000);
        assertThat(range.saidToLack(10_000)).isFalse();
    }

    @Test
    void aNodeThatConfirmsItsSettingsIsNotAskedForAWhile() {
        NodeData.DataRange configured = NodeData.DataRange.upTo(128, () -> now);
        configured.lacked(128, 127);
        assertThat(configured.saidToLack(128)).isFalse();
        configured.lacked(500, 127);
        assertThat(configured.saidToLack(500)).isTrue();
        configured.has(500);
        assertThat(configured.saidToLack(500)).isFalse();
        configured.lacked(500, 127);
        now += HalfOpen.NANOS;
        assertThat(configured.saidToLack(500)).isFalse();
    }

    @Test
    void dataWithoutAnAgeIsRememberedApart() {
        assertThat(range.lackedUnnamed()).isTrue();
        assertThat(range.lacksUnnamed()).isTrue();
        assertThat(range.lacks(10_000)).isFalse();
        now += HalfOpen.NANOS;
        assertThat(range.lacksUnnamed()).as("one tries again").isFalse();
        assertThat(range.lacksUnnamed()).isTrue();
        range.hasUnnamed();
        assertThat(range.lacksUnnamed()).isFalse();
    }
}
