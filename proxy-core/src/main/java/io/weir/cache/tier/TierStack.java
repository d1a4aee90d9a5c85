package io.weir.cache.tier;

import io.weir.cache.tier.Tier.Status;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tiers behind the memory, nearest first. Thread-safe. */
public final class TierStack implements AutoCloseable {

    /** No tiers. */
    public static final TierStack NONE = new TierStack(List.of());

    private final List<Tier> tiers;

    public TierStack(List<Tier> tiers) {
        this.tiers = List.copyOf(tiers);
    }

    /**
     * Returns the tiers from the view of a network.
     *
     * @param network its name, which distinguishes its unproven results from those of other networks of the chain
     * @param chain distinguishes the network's chain from all others; letters, digits, dots, colons and hyphens
     */
    public List<NetworkTier> of(String network, String chain, ChainAnchors anchors, LongSupplier clock) {
        return tiers.stream()
                .map(tier -> new NetworkTier(tier, network, chain, anchors, clock))
                .toList();
    }

    /** Returns the records of the nearest tier that other proxies share; null if there is none. */
    public @Nullable RecordStore shared() {
        return tiers.stream()
                .map(Tier::bytes)
                .filter(ByteTier::shared)
                .findFirst()
                .orElse(null);
    }

    /** Returns their states. */
    public List<Status> status() {
        return tiers.stream().map(Tier::status).toList();
    }

    @Override
    public void close() {
        tiers.forEach(Tier::close);
    }
}
