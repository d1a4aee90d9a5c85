package io.weir.pipeline.tier;

import io.netty.channel.EventLoop;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.entry.TierEntry;
import io.weir.cache.tier.entry.TierEntry.Source;
import io.weir.config.NetworkConfig;
import io.weir.method.CacheClass;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.admission.CacheRequests;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.ChainRules;
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

    private NetworkTiers(List<NetworkTier> tiers, NodeAnchors anchors, ResultMemory memory, TierCheck check) {
        this.tiers = tiers;
        this.anchors = anchors;
        this.memory = memory;
        this.check = check;
        this.chain = check.chain();
        this.trust = check.trust();
    }

    /**
     * Returns a network's tiers.
     *
     * @param marks of the network's nodes
     */
    public static NetworkTiers of(
            NetworkConfig config,
            ResultMemory memory,
            NetworkChain chain,
            BlockSource blocks,
            SourceMarks marks,
            LongSupplier clock) {
        NodeAnchors anchors = new NodeAnchors(chain, blocks, clock);
        boolean verifies = config.verifies();
        TierCheck check =
                new TierCheck(chain, new TierTrust(verifies, chain.view()), verifies, ChainRules.of(config), marks);
        return new NetworkTiers(memory.tiers().of(chainName(config), anchors, clock), anchors, memory, check);
    }

    /** Passes on to the tiers every final result that memory stores from now on under a name of the network's results. */
    public void follow(String space) {
        if (size() > 0) {
            memory.store().listen(space, this);
        }
    }

    /** Returns the stage that asks the tiers first; the given one if there are no tiers. */
    public Stage before(CacheClass rule, CacheRequests requests, Stage next) {
        return tiers.isEmpty() ? next : new TierStage(rule, this, requests, next);
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

    /** The name includes the kind: chains of two kinds may have the same id. */
    private static String chainName(NetworkConfig config) {
        return (config.kind() + ':' + config.chainId()).replaceAll("[^A-Za-z0-9.:-]", "_");
    }

    int size() {
        return tiers.size();
    }

    /** Returns one of the tiers; the first is the nearest. */
    NetworkTier get(int index) {
        return tiers.get(index);
    }

    /** Returns whether a tier may have an answer to a call that would be used. */
    boolean mayAsk(CacheRequest request, NetworkTier tier) {
        return tier.isUp() && trust.believes(request, tier);
    }

    /** Notes the event loop of a call that may need the tiers. */
    void seen(EventLoop loop) {
        anchors.seen(loop);
    }

    @Override
    public void kept(CallKey key, CachedResult result, long purgesBefore) {
        offer(key, result, purgesBefore, tiers.size());
    }

    /** Returns whether unproven results of a tier may be stored in others. */
    boolean mayPassOn(NetworkTier tier) {
        return trust.passesOn(tier);
    }

    /** Offers a result from one tier to the nearer ones. */
    void offerNearer(CallKey key, CachedResult result, long purgesBefore, int index) {
        offer(key, result, purgesBefore, index);
    }

    private void offer(CallKey key, CachedResult result, long purgesBefore, int count) {
        CacheClass rule = MethodCatalogue.ofName(key.method()).cacheClass();
        if (rule == null) {
            return;
        }
        SourceMarks marks = check.marks();
        BooleanSupplier holds = () -> memory.store().purges() == purgesBefore && marks.isValid(result.source());
        TierEntry entry = null;
        for (int i = 0; i < count; i++) {
            NetworkTier tier = tiers.get(i);
            if (tier.isUp() && trust.stores(rule, tier)) {
                entry = entry == null ? entry(key, result) : entry;
                tier.offer(entry, marks.fingerprint(result.source()), holds);
            }
        }
    }

    private static TierEntry entry(CallKey key, CachedResult result) {
        CachedResult.BlockRef block = result.block();
        return new TierEntry(
                key.method(), key.params().compact(), result.value(), block.number(), block.hash(), Source.NONE);
    }

    /**
     * Prepares the tiers for results of blocks up to a height.
     *
     * @param done runs once, on any thread, also if a tier cannot take such results now
     */
    public void whenReaching(long number, Runnable done) {
        whenReaching(number, 0, done);
    }

    private void whenReaching(long number, int index, Runnable done) {
        if (index == tiers.size()) {
            done.run();
        } else if (tiers.get(index).isUp()) {
            tiers.get(index).whenReaching(number, () -> whenReaching(number, index + 1, done));
        } else {
            whenReaching(number, index + 1, done);
        }
    }

    /** Returns how many results may be offered now, so that half of what the fullest tier can take is left for other results. */
    public TierCapacity capacity() {
        long results = Long.MAX_VALUE;
        long bytes = Long.MAX_VALUE;
        for (NetworkTier tier : tiers) {
            if (tier.isUp()) {
                results = Math.min(results, (tier.freeResults() + 1L) / 2);
                bytes = Math.min(bytes, (tier.freeBytes() + 1) / 2);
            }
        }
        return new TierCapacity(results, bytes);
    }

    /** Runs a task after a pause; returns false if no call has needed the tiers yet. */
    public boolean tryLater(Runnable task, long nanos) {
        return anchors.tryLater(task, nanos);
    }

    /** Refuses all unproven results that a node has given until now, in every tier that has such results. */
    public void revoke(String upstreamId) {
        for (NetworkTier tier : tiers) {
            if (trust.isTrusted(tier)) {
                tier.revoke(SourceMarks.fingerprint(upstreamId));
            }
        }
    }

    /**
     * Abandons all results of the network in all tiers.
     *
     * @param done gets once, on any thread, whether that outlasts a restart in every tier
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
