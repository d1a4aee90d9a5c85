package io.weir.pipeline.tier;

import io.netty.channel.EventLoop;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.entry.TierEntry;
import io.weir.config.NetworkConfig;
import io.weir.method.CacheClass;
import io.weir.method.MethodCatalogue;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.MemberNames;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The tiers behind one network's results in memory, nearest first. Thread-safe. */
public final class NetworkTiers implements ResultStore.LastingListener {

    private final List<NetworkTier> tiers;
    private final NodeAnchors anchors;
    private final NetworkChain chain;
    private final ResultMemory memory;
    private final TierTrust trust;
    private final TierCheck check;

    /**
     * Begins; asks nobody anything yet.
     *
     * @param verifies whether the network proves what can be proven
     */
    public NetworkTiers(
            NetworkConfig config,
            ResultMemory memory,
            NetworkChain chain,
            BlockSource blocks,
            boolean verifies,
            LongSupplier clock) {
        this.chain = chain;
        this.memory = memory;
        this.anchors = new NodeAnchors(chain, blocks, clock);
        this.tiers = memory.tiers().of(chainName(config), anchors, clock);
        this.trust = new TierTrust(verifies, chain.view());
        MemberNames names = MemberNames.of(config.chainId(), config.verifyMembers());
        this.check = new TierCheck(chain, trust, verifies, names);
        if (!tiers.isEmpty()) {
            memory.store().listen(config.name(), this);
        }
    }

    /** Has the tiers asked before what is behind them; the same where there are none. */
    public Stage before(CacheClass rule, Asked.Reading reading, Stage next) {
        return tiers.isEmpty() ? next : new TierStage(rule, this, reading, next);
    }

    NetworkChain chain() {
        return chain;
    }

    ResultMemory memory() {
        return memory;
    }

    TierCheck check() {
        return check;
    }

    /** The kind is part of it: two kinds may count their chains alike. */
    private static String chainName(NetworkConfig config) {
        return (config.kind() + ':' + config.chainId()).replaceAll("[^A-Za-z0-9.:-]", "_");
    }

    int size() {
        return tiers.size();
    }

    /** One of them; the first is the nearest. */
    NetworkTier get(int index) {
        return tiers.get(index);
    }

    /** Whether it is of any use to ask a tier for the answer to a call. */
    boolean mayAsk(Asked question, NetworkTier tier) {
        return tier.isUp() && trust.believes(question, tier);
    }

    /** Notes a call that may need them. */
    void seen(EventLoop loop) {
        anchors.seen(loop);
    }

    @Override
    public void kept(CallKey key, CachedResult result, long purgesBefore) {
        offer(key, result, purgesBefore, tiers.size());
    }

    /** Offers a result that one of them had to those that are nearer. */
    void offerNearer(CallKey key, CachedResult result, long purgesBefore, int index) {
        offer(key, result, purgesBefore, index);
    }

    private void offer(CallKey key, CachedResult result, long purgesBefore, int count) {
        CacheClass rule = MethodCatalogue.ofName(key.method()).cacheClass();
        if (rule == null) {
            return;
        }
        BooleanSupplier holds = () -> memory.store().purges() == purgesBefore;
        TierEntry entry = null;
        for (int i = 0; i < count; i++) {
            NetworkTier tier = tiers.get(i);
            if (tier.isUp() && trust.stores(rule, tier)) {
                entry = entry == null ? entry(key, result) : entry;
                tier.offer(entry, holds);
            }
        }
    }

    private static TierEntry entry(CallKey key, CachedResult result) {
        CachedResult.BlockRef block = result.block();
        return new TierEntry(key.method(), key.params().compact(), result.value(), block.number(), block.hash());
    }

    /**
     * Leaves all that they have of the network behind.
     *
     * @param done hears once, on any thread, whether that holds in all of them after a restart too
     */
    public void renew(Consumer<Boolean> done) {
        if (tiers.isEmpty()) {
            done.accept(true);
            return;
        }
        AtomicInteger open = new AtomicInteger(tiers.size());
        AtomicBoolean all = new AtomicBoolean(true);
        tiers.forEach(tier -> tier.renew(gone -> {
            if (!gone) {
                all.set(false);
            }
            if (open.decrementAndGet() == 0) {
                done.accept(all.get());
            }
        }));
    }
}
