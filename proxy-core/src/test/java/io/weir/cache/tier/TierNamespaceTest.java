package io.weir.cache.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Choice of the name space: never one with another chain's entries, or with purged ones. */
class TierNamespaceTest {

    private final HandTier tier = new HandTier();
    private final HandChain chain = new HandChain();
    private long nowNanos;

    private TierNamespace namespace() {
        return new TierNamespace(tier, "ethereum:1", chain, () -> nowNanos);
    }

    private static String open(TierNamespace namespace) {
        return open(namespace, -1);
    }

    private static String open(TierNamespace namespace, long least) {
        List<String> delivered = new ArrayList<>();
        namespace.whenOpen(least, delivered::add);
        assertThat(delivered).hasSize(1);
        return delivered.get(0);
    }

    private void pass(int seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void theFirstOneMakesANameSpaceAndTheNextOnesUseIt() {
        String space = open(namespace());
        assertThat(space).startsWith("2:ethereum:1:");
        assertThat(open(namespace())).isEqualTo(space);
    }

    @Test
    void aNameSpaceOfAnotherChainIsLeftAlone() {
        String space = open(namespace());
        chain.name = "other";
        TierNamespace other = namespace();
        assertThat(open(other)).isNotNull().isNotEqualTo(space);
    }

    @Test
    void itStaysClosedWhileNoNodeTellsOfTheAnchor() {
        open(namespace());
        chain.known = false;
        TierNamespace namespace = namespace();
        assertThat(open(namespace)).isNull();
        chain.known = true;
        assertThat(open(namespace)).as("too early").isNull();
        pass(6);
        assertThat(open(namespace)).isNotNull();
    }

    @Test
    void aPurgedEntryDoesNotComeBack() {
        TierNamespace namespace = namespace();
        String before = open(namespace);
        Map<String, byte[]> snapshot = new HashMap<>(tier.records);
        namespace.renew(done -> assertThat(done).isTrue());
        String after = open(namespace);
        assertThat(after).isNotNull().isNotEqualTo(before);
        assertThat(open(namespace())).as("the next start").isEqualTo(after);
        tier.records.clear();
        tier.records.putAll(snapshot);
        pass(11);
        open(namespace);
        assertThat(open(namespace)).as("the store was set back").isNotNull().isNotIn(before);
    }

    @Test
    void nothingOfAPurgedOneIsLeft() {
        TierNamespace namespace = namespace();
        for (int i = 0; i < 10; i++) {
            open(namespace);
            namespace.renew(done -> {});
        }
        assertThat(tier.records).isEmpty();
    }

    @Test
    void aPurgeThatTheTierDidNotHearOfIsMadeUpForBeforeItIsUsedAgain() {
        TierNamespace namespace = namespace();
        String before = open(namespace);
        tier.failing = true;
        namespace.renew(done -> assertThat(done).isFalse());
        assertThat(open(namespace)).isNull();
        tier.failing = false;
        pass(6);
        assertThat(open(namespace)).isNotNull().isNotEqualTo(before);
        assertThat(open(namespace())).isNotEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void othersPurgesAreNoticed(boolean shared) {
        tier.shared = shared;
        TierNamespace ours = namespace();
        TierNamespace theirs = namespace();
        String before = open(ours);
        assertThat(open(theirs)).isEqualTo(before);
        theirs.renew(done -> {});
        String after = open(theirs);
        pass(11);
        open(ours);
        assertThat(open(ours)).isEqualTo(after);
    }

    @Test
    void aResultAboveTheAnchorIsStoredOnlyOnceTheAnchorIsRaised() {
        TierNamespace namespace = namespace();
        open(namespace);
        assertThat(namespace.reach()).isEqualTo(100);
        assertThat(open(namespace, 120)).isNull();
        chain.height = 150;
        pass(6);
        assertThat(open(namespace, 120)).isNotNull();
        assertThat(namespace.reach()).isEqualTo(150);
        chain.forkedAbove = 130;
        assertThat(open(namespace())).as("a chain that is another above it").isNotEqualTo(open(namespace));
    }

    @Test
    void aPurgeWhileItOpensCounts() {
        TierNamespace namespace = namespace();
        open(namespace);
        List<String> delivered = new ArrayList<>();
        TierNamespace second = namespace();
        chain.held = true;
        second.whenOpen(-1, delivered::add);
        assertThat(delivered).isEmpty();
        second.renew(done -> {});
        chain.release();
        assertThat(delivered).containsExactly((String) null);
        assertThat(open(second)).isNotNull().isNotEqualTo(open(namespace));
    }
}
