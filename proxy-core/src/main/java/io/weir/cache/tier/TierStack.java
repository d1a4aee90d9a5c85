package io.weir.cache.tier;

import java.util.List;
import java.util.function.LongSupplier;

/** The tiers behind memory, nearest first. Thread-safe. */
public final class TierStack implements AutoCloseable {

    /** There are none. */
    public static final TierStack NONE = new TierStack(List.of());

    private final List<Tier> tiers;

    public TierStack(List<Tier> tiers) {
        this.tiers = List.copyOf(tiers);
    }

    /**
     * The tiers as a network sees them.
     *
     * @param chain tells the network's chain apart from all others, by letters, digits, dots, colons and hyphens
     */
    public List<NetworkTier> of(String chain, ChainAnchors anchors, LongSupplier clock) {
        return tiers.stream()
                .map(tier -> new NetworkTier(tier, chain, anchors, clock))
                .toList();
    }

    /** How they are. */
    public List<TierStatus> status() {
        return tiers.stream().map(Tier::status).toList();
    }

    @Override
    public void close() {
        tiers.forEach(Tier::close);
    }
}
