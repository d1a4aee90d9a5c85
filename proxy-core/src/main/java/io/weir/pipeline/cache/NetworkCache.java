package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.KeepRule;
import io.weir.cache.KeepRules;
import io.weir.cache.ResultMemory;
import io.weir.cache.ResultStore;
import io.weir.chain.ChainView;
import io.weir.chain.FinalizedHeight;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.chain.Reorg;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Shortcut;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.NodeBlocks;
import io.weir.upstream.NetworkHead;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The results in memory of one network, and what is known of its chain to keep them right. Thread-safe. */
public final class NetworkCache implements Shortcut {

    private final String network;
    private final ResultMemory memory;
    private final CacheMeters meters;
    private final HeadTracker head;
    private final NetworkChain chain;
    private final Keeper keeper;
    private final Flights flights;
    private final LongSupplier clock;

    /**
     * Begins without results.
     *
     * @param nodes sends calls to the network's nodes
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public NetworkCache(
            NetworkConfig config,
            NetworkHead head,
            Stage nodes,
            ResultMemory memory,
            Meters meters,
            LongSupplier clock) {
        this.network = config.name();
        this.memory = memory;
        this.clock = clock;
        this.head = head.tracker();
        this.meters = new CacheMeters(meters, network);
        this.flights = new Flights(this.head, this.meters);
        boolean verifies = config.verify() != Verify.OFF && config.hashing() != Hashing.NONE;
        BlockSource blocks = new NodeBlocks(new NetworkId(network), nodes, verifies);
        ChainView view = new ChainView();
        FinalizedHeight finalized = new FinalizedHeight();
        long maxAge = TimeUnit.MILLISECONDS.toNanos(config.headMaxAgeMillis());
        this.chain = new NetworkChain(
                view,
                finalized,
                new ChainWatch(head, view, blocks, maxAge, clock),
                new FinalityWatch(finalized, head, blocks, config.finalityDepth(), clock));
        this.keeper = new Keeper(
                chain,
                new ProvenShelf(memory, this.meters, view, verifies),
                config.upstreams().size() > 1);
        view.listen(this::reorganised);
        this.head.listen(new Heads());
    }

    @Override
    public Stage before(MethodFacts facts, Stage next) {
        if (!facts.repeatable()) {
            return next;
        }
        Stage joined = new CoalesceStage(network, flights, memory::hasRoom, next);
        KeepRule rule = facts.params() == null || !memory.store().isOn() ? null : KeepRules.of(facts.name());
        return rule == null ? joined : new CacheStage(rule, this, joined);
    }

    @Override
    public Stage beforeUnknown(Stage next) {
        return new ReplacedStateStage(this::replaced, next);
    }

    /** What its calls and answers came to. */
    public CacheMeters meters() {
        return meters;
    }

    /**
     * Takes results away, on a thread of its own.
     *
     * @param done hears how many, on that thread
     * @return whether it will be done; not, where that thread has too much to do
     */
    public boolean purge(Predicate<CachedResult> which, LongConsumer done) {
        return memory.executor().tryRun(0, () -> done.accept(memory.store().purge(network, which)));
    }

    String network() {
        return network;
    }

    boolean hasRoom(RpcReply reply) {
        return memory.hasRoom(reply);
    }

    ResultStore store() {
        return memory.store();
    }

    NetworkChain chain() {
        return chain;
    }

    Keeper keeper() {
        return keeper;
    }

    Question question(CallKey key, KeepRule rule, CallContext context, CheckedParams params) {
        return new Question(
                key,
                rule,
                context,
                params,
                head.begin(),
                clock.getAsLong(),
                keeper.slotOf(context, rule, params.block()),
                memory.store().purges());
    }

    /** What is not given out any more need not take room either. */
    private void reorganised(Reorg reorg) {
        meters.countReorg();
        if (reorg.ancestor() < chain.finalized().number()) {
            replaced();
        } else {
            memory.executor()
                    .tryRun(
                            0,
                            () -> memory.store()
                                    .removeIf(
                                            network,
                                            result -> !result.lasting()
                                                    && result.block().number() > reorg.ancestor()));
        }
    }

    /** What was final is not: a development chain that was set back, or changed. Nothing that is known can be relied on. */
    private void replaced() {
        chain.finalized().forget();
        memory.store().purge(network, result -> true);
    }

    private final class Heads implements HeadListener {

        @Override
        public void rose(long number) {
            // The next call that needs to know looks at the chain.
        }

        @Override
        public void wentBack(long from, long to) {
            if (to < chain.finalized().number()) {
                replaced();
            }
        }
    }
}
