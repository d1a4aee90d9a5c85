package io.weir.cache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Choice of the name space: never one with another chain's entries, or with purged ones. */
class TierNamespaceTest {

    private final HandTier tier = new HandTier();
    private final HandChain chain = new HandChain();
    private long nowNanos;

    private TierNamespace door() {
        return new TierNamespace(tier, "ethereum:1", chain, () -> nowNanos);
    }

    private static String open(TierNamespace door) {
        return open(door, -1);
    }

    private static String open(TierNamespace door, long least) {
        List<String> told = new ArrayList<>();
        door.whenOpen(least, told::add);
        assertThat(told).hasSize(1);
        return told.get(0);
    }

    private void pass(int seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void theFirstOneMakesANameSpaceAndTheNextOnesUseIt() {
        String space = open(door());
        assertThat(space).startsWith("1:ethereum:1:");
        assertThat(open(door())).isEqualTo(space);
    }

    @Test
    void aNameSpaceOfAnotherChainIsLeftAlone() {
        String space = open(door());
        chain.name = "other";
        TierNamespace other = door();
        assertThat(open(other)).isNotNull().isNotEqualTo(space);
    }

    @Test
    void itStaysClosedWhileNoNodeTellsOfTheAnchor() {
        open(door());
        chain.known = false;
        TierNamespace door = door();
        assertThat(open(door)).isNull();
        chain.known = true;
        assertThat(open(door)).as("too early").isNull();
        pass(6);
        assertThat(open(door)).isNotNull();
    }

    @Test
    void whatIsPurgedDoesNotComeBack() {
        TierNamespace door = door();
        String before = open(door);
        Map<String, byte[]> snapshot = new HashMap<>(tier.records);
        door.renew(done -> assertThat(done).isTrue());
        String after = open(door);
        assertThat(after).isNotNull().isNotEqualTo(before);
        assertThat(open(door())).as("the next start").isEqualTo(after);
        tier.records.clear();
        tier.records.putAll(snapshot);
        pass(11);
        open(door);
        assertThat(open(door)).as("the store was set back").isNotNull().isNotIn(before);
    }

    @Test
    void aPurgeThatTheTierDidNotHearOfIsMadeUpForBeforeItIsUsedAgain() {
        TierNamespace door = door();
        String before = open(door);
        tier.failing = true;
        door.renew(done -> assertThat(done).isFalse());
        assertThat(open(door)).isNull();
        tier.failing = false;
        pass(6);
        assertThat(open(door)).isNotNull().isNotEqualTo(before);
        assertThat(open(door())).isNotEqualTo(before);
    }

    @Test
    void othersPurgesAreNoticed() {
        TierNamespace ours = door();
        TierNamespace theirs = door();
        String before = open(ours);
        assertThat(open(theirs)).isEqualTo(before);
        theirs.renew(done -> {});
        String after = open(theirs);
        pass(11);
        open(ours);
        assertThat(open(ours)).isEqualTo(after);
    }

    @Test
    void whatIsAboveTheAnchorIsStoredOnlyOnceThatIsRaised() {
        TierNamespace door = door();
        open(door);
        assertThat(door.reach()).isEqualTo(100);
        assertThat(open(door, 120)).isNull();
        chain.height = 150;
        pass(6);
        assertThat(open(door, 120)).isNotNull();
        assertThat(door.reach()).isEqualTo(150);
        chain.forkedAbove = 130;
        assertThat(open(door())).as("a chain that is another above it").isNotEqualTo(open(door));
    }

    @Test
    void aPurgeWhileItOpensCounts() {
        TierNamespace door = door();
        open(door);
        List<String> told = new ArrayList<>();
        TierNamespace second = door();
        chain.held = true;
        second.whenOpen(-1, told::add);
        assertThat(told).isEmpty();
        second.renew(done -> {});
        chain.release();
        assertThat(told).containsExactly((String) null);
        assertThat(open(second)).isNotNull().isNotEqualTo(open(door));
    }
}
