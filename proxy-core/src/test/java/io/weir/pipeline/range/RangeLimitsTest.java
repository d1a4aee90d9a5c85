package io.weir.pipeline.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.pipeline.range.RangeRefusal.Reason;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is remembered of nodes' limits, and which of them counts. */
class RangeLimitsTest {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final List<UpstreamStatus> nodes = new ArrayList<>();
    private long nowNanos;
    private final RangeLimits limits = new RangeLimits(() -> nodes, () -> nowNanos);

    private void node(String id, int tier, Health health) {
        nodes.add(new UpstreamStatus(id, tier, 1, false, health, 1, 0, 0, ""));
    }

    private void refused(String id, long next) {
        limits.refused(id, new RangeRefusal(Reason.BLOCKS, next));
    }

    @Test
    void theLargestLimitOfTheLowestUsableTierCounts() {
        node("a", 1, Health.HEALTHY);
        node("b", 1, Health.HEALTHY);
        node("c", 1, Health.DOWN);
        node("d", 2, Health.HEALTHY);
        node("e", 0, Health.DOWN);
        assertThat(limits.longest()).isEqualTo(RangeLimits.NONE);
        refused("a", 1_000);
        assertThat(limits.longest()).as("b may take anything").isEqualTo(RangeLimits.NONE);
        assertThat(limits.refusing(1_001)).isEqualTo(Set.of("a"));
        assertThat(limits.refusing(1_000)).isEmpty();
        refused("b", 2_000);
        assertThat(limits.longest()).as("neither c nor d counts").isEqualTo(2_000);
        assertThat(limits.refusing(5_000)).isEqualTo(Set.of("a", "b"));
        assertThat(limits.longestOf(Set.of("a", "b"))).isEqualTo(2_000);
    }

    @Test
    void ifAllUsableNodesRefuseALengthAllAreAsked() {
        node("a", 0, Health.HEALTHY);
        node("b", 0, Health.DOWN);
        refused("a", 10);
        assertThat(limits.refusing(11)).isEmpty();
    }

    @Test
    void aDrainedNodeIsNoneThatIsLeft() {
        node("a", 0, Health.HEALTHY);
        nodes.add(new UpstreamStatus("b", 0, 1, true, Health.HEALTHY, 1, 0, 0, ""));
        refused("a", 10);
        assertThat(limits.longest()).isEqualTo(10);
        assertThat(limits.refusing(11)).isEmpty();
    }

    @Test
    void aLimitIsForgottenAfterATimeAndOnceTheNodeTakesMore() {
        node("a", 0, Health.HEALTHY);
        refused("a", 1_000);
        nowNanos += HOUR - 1;
        refused("a", 2_000);
        assertThat(limits.of("a")).as("a longer one does not replace it").isEqualTo(1_000);
        nowNanos += 1;
        assertThat(limits.of("a")).isEqualTo(RangeLimits.NONE);
        refused("a", 2_000);
        limits.took("a", 2_000);
        assertThat(limits.of("a")).isEqualTo(2_000);
        limits.took("a", 2_001);
        assertThat(limits.of("a")).isEqualTo(RangeLimits.NONE);
    }
}
