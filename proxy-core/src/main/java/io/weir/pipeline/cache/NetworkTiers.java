package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.cache.BlockKeys;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.NetworkTier.Parcel;
import io.weir.cache.tier.NetworkTier.Wanted;
import io.weir.cache.tier.Tier.TierMeters.Lookup;
import io.weir.cache.tier.TierEntry;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.admission.CacheRequest.CacheRequests;
import io.weir.pipeline.cache.TierCheck.Checked;
import io.weir.pipeline.range.HeaderStore;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.LoopWaiter;
import io.weir.verify.ChainRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The tiers behind one network's results in memory, nearest first. Thread-safe. */
final class NetworkTiers implements ResultStore.LastingListener, HeaderStore {

    /** Time for which no unproven result of a node that was caught goes to the tiers. */
    private static final long CAUGHT_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Under which runs of headers are stored. It is no method of nodes. */
    private static final String HEADERS = "headers";

    /** Time that a call for evidence waits for the proxy's own files. */
    private static final long EVIDENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LongSupplier clock;
    /** When each node was caught last. */
    private final Map<String, Long> caught = new ConcurrentHashMap<>();

    private final List<NetworkTier> tiers;
    private final NodeAnchors anchors;
    private final NetworkChain chain;
    private final ResultMemory memory;
    private final TierCheck check;
    /** Set once, before the first result. */
    private volatile String space = "";

    private NetworkTiers(
            List<NetworkTier> tiers, NodeAnchors anchors, ResultMemory memory, TierCheck check, LongSupplier clock) {
        this.clock = clock;
        this.tiers = tiers;
        this.anchors = anchors;
        this.memory = memory;
        this.check = check;
        this.chain = check.chain();
    }

    /**
     * Returns a network's tiers.
     *
     * @param marks of the network's nodes
     */
    static NetworkTiers of(
            NetworkConfig config,
            ResultMemory memory,
            NetworkChain chain,
            BlockSource blocks,
            SourceMarks marks,
            LongSupplier clock) {
        NodeAnchors anchors = new NodeAnchors(chain, blocks, clock);
        TierCheck check = new TierCheck(chain, config.verifies(), ChainRules.of(config), marks);
        List<NetworkTier> tiers = memory.tiers().of(name(config.name()), chainName(config), anchors, clock).stream()
                .filter(tier -> !tier.shared() || check.provesBlocks())
                .toList();
        return new NetworkTiers(tiers, anchors, memory, check, clock);
    }

    /** Passes on to the tiers every final result that memory stores from now on under a name of the network's results. */
    void follow(String name) {
        space = name;
        if (!tiers.isEmpty()) {
            memory.store().listen(name, this);
        }
    }

    /**
     * Returns the stage that asks the tiers first; the given one if there are no tiers.
     *
     * @param field the part of a block that the method asks for; null if it asks for none
     */
    Stage before(CacheClass rule, @Nullable BlockField field, CacheRequests requests, Stage next) {
        return tiers.isEmpty() ? next : new TierStage(rule, field, requests, next);
    }

    /** The name includes the kind: chains of two kinds may have the same id. */
    private static String chainName(NetworkConfig config) {
        return name(config.kind() + ':' + config.chainId());
    }

    private static String name(String text) {
        return text.replaceAll("[^A-Za-z0-9.:-]", "_");
    }

    int size() {
        return tiers.size();
    }

    ResultMemory memory() {
        return memory;
    }

    TierCheck check() {
        return check;
    }

    /**
     * Asks a tier for a call.
     *
     * @param opener opens and checks an entry; runs off the event loop, because it takes long
     * @param sink called once, on the call's event loop
     */
    <T> void find(
            NetworkTier tier,
            Wanted wanted,
            CallContext context,
            Function<Parcel, Checked<T>> opener,
            Consumer<Checked<T>> sink) {
        LoopWaiter<Checked<T>> waiter =
                new LoopWaiter<>(context.loop(), checked -> context.step(() -> sink.accept(checked)));
        tier.find(wanted, chain.finalized().number(), parcel -> {
            if (parcel == null) {
                waiter.end(Checked.nothing(null));
            } else if (!memory.executor()
                    .tryRun(context.holder(), parcel.size(), () -> waiter.end(opener.apply(parcel)))) {
                waiter.end(Checked.nothing(Lookup.SKIPPED));
            }
        });
        if (!waiter.isOver()) {
            long left = context.deadlineNanos() - System.nanoTime();
            // In place of evidence from files, nodes would be asked for many blocks.
            boolean isEvidence =
                    context.route().proof() != null || wanted.method().equals(HEADERS);
            long wait = isEvidence && !tier.shared() ? Math.max(EVIDENCE_NANOS, tier.waitNanos()) : tier.waitNanos();
            waiter.giveUpAfter(Math.min(wait, left), Checked.nothing(Lookup.LATE));
        }
    }

    @Override
    public boolean isUsed() {
        return !tiers.isEmpty();
    }

    @Override
    public <T> void find(
            long run,
            long last,
            CallContext context,
            Function<RawJson, @Nullable T> opener,
            Consumer<@Nullable T> sink) {
        seen(context.loop());
        find(run, last, 0, context, opener, sink);
    }

    private <T> void find(
            long run,
            long last,
            int index,
            CallContext context,
            Function<RawJson, @Nullable T> opener,
            Consumer<@Nullable T> sink) {
        if (index == tiers.size()) {
            sink.accept(null);
            return;
        }
        NetworkTier tier = tiers.get(index);
        Function<Parcel, Checked<T>> opens = parcel -> check.open(parcel, entry -> opener.apply(entry.value()));
        find(tier, new Wanted(HEADERS, paramsOf(run), last), context, opens, checked -> {
            tier.count(checked.value() == null ? checked.outcome() : Lookup.HIT);
            if (checked.value() == null) {
                find(run, last, index + 1, context, opener, sink);
            } else {
                sink.accept(checked.value());
            }
        });
    }

    private static RawJson paramsOf(long run) {
        return RawJson.of("[" + run + "]");
    }

    @Override
    public void offer(long run, long last, String hash, RawJson text) {
        TierEntry entry = new TierEntry(HEADERS, paramsOf(run), text, last, hash, 0);
        long purges = memory.store().purges();
        for (NetworkTier tier : tiers) {
            if (tier.isUp()) {
                tier.offer(entry, () -> memory.store().purges() == purges);
            }
        }
    }

    @Override
    public boolean hasReceipts(String hash) {
        return memory.store().get(BlockKeys.receipts(space, hash)) != null;
    }

    @Override
    public void readNote(EventLoop loop, Consumer<@Nullable String> sink) {
        seen(loop);
        own().ifPresentOrElse(tier -> tier.readNote(sink), () -> sink.accept(null));
    }

    @Override
    public void writeNote(String note, Consumer<Boolean> sink) {
        own().ifPresentOrElse(tier -> tier.writeNote(note, sink), () -> sink.accept(false));
    }

    private Optional<NetworkTier> own() {
        return tiers.stream().filter(tier -> !tier.shared()).findFirst();
    }

    /** Returns one of the tiers; the first is the nearest. */
    NetworkTier get(int index) {
        return tiers.get(index);
    }

    /** Notes the event loop of a call that may need the tiers. */
    void seen(EventLoop loop) {
        anchors.seen(loop);
    }

    @Override
    public void kept(CallKey key, CachedResult result, long purgesBefore) {
        offer(key, result, purgesBefore, tiers.size());
    }

    /** Offers a result of a tier to those that are nearer. */
    void passOn(CallKey key, CachedResult result, long purgesBefore, NetworkTier tier) {
        offer(key, result, purgesBefore, tiers.indexOf(tier));
    }

    /** Offers a result to the nearest tiers. */
    private void offer(CallKey key, CachedResult result, long purgesBefore, int count) {
        CacheClass rule = MethodCatalogue.ofName(key.method()).cacheClass();
        if (rule == null && !BlockKeys.isIndex(key)) {
            return;
        }
        SourceMarks marks = check.marks();
        if (!caught.isEmpty() && isOfCaught(result.source(), marks)) {
            return;
        }
        BooleanSupplier holds = () -> memory.store().purges() == purgesBefore && marks.isValid(result.source());
        TierEntry entry = null;
        for (int i = 0; i < count; i++) {
            NetworkTier tier = tiers.get(i);
            if (tier.isUp() && check.stores(rule, tier)) {
                entry = entry == null ? entry(key, result) : entry;
                tier.offer(entry, holds);
            }
        }
    }

    private static TierEntry entry(CallKey key, CachedResult result) {
        CachedResult.BlockRef block = result.block();
        return new TierEntry(key.method(), key.params().compact(), result.value(), block.number(), block.hash(), 0);
    }

    /**
     * Prepares the tiers for results of blocks up to a height.
     *
     * @param done runs once, on any thread, also if a tier cannot take such results now
     */
    void whenReaching(long number, Runnable done) {
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
    TierCapacity capacity() {
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
    boolean tryLater(Runnable task, long nanos) {
        return anchors.tryLater(task, nanos);
    }

    /** Returns whether an unproven result is of a node that was caught a short time ago. */
    private boolean isOfCaught(int source, SourceMarks marks) {
        return source != SourceMarks.NONE
                && caught.entrySet().stream()
                        .anyMatch(node -> marks.of(node.getKey()) == source
                                && clock.getAsLong() - node.getValue() < CAUGHT_NANOS);
    }

    /**
     * Abandons the network's unproven results in all tiers, because a node was caught. A node that is caught again has given them none
     * since, so that it cannot empty them all the time.
     */
    void abandonUnproven(String upstreamId) {
        long now = clock.getAsLong();
        Long before = caught.put(upstreamId, now);
        if (before == null || now - before >= CAUGHT_NANOS) {
            tiers.forEach(NetworkTier::abandonUnproven);
        }
    }

    /**
     * Abandons all results of the network in all tiers.
     *
     * @param done gets once, on any thread, whether that outlasts a restart in every tier
     */
    void renew(Consumer<Boolean> done) {
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

    /**
     * The stage that answers calls of one method from a tier, if the tier has the answer in time and the answer passes its check. It is the answer to the very call, or the block that the call
     * asks for a part of. Else the stages behind it answer. It stands behind coalescing,
     * so that equal calls ask a tier once. Thread-safe.
     */
    private final class TierStage implements Stage {

        private final CacheClass rule;
        private final @Nullable BlockField field;
        private final CacheRequests requests;
        private final Stage next;

        TierStage(CacheClass rule, @Nullable BlockField field, CacheRequests requests, Stage next) {
            this.rule = rule;
            this.field = field;
            this.requests = requests;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            CheckedParams params = context.checkedParams();
            RawJson json = context.call().params();
            if (context.caller().bypassesCache()
                    || params == null
                    || json == null
                    || params.block() instanceof BlockSelector.Tag) {
                next.handle(context, sink);
                return;
            }
            CallKey key = new CallKey(requests.space(), context.call().method(), json);
            seen(context.loop());
            ask(requests.toTier(key, rule, context, params), 0, sink);
        }

        private void ask(CacheRequest request, int index, ReplySink sink) {
            if (index == tiers.size()) {
                next.handle(request.context(), sink);
                return;
            }
            NetworkTier tier = tiers.get(index);
            Wanted wanted = wanted(request);
            if (wanted == null || !tier.isUp() || !check.mayAnswer(request, tier)) {
                askForBlock(request, index, sink);
                return;
            }
            find(
                    tier,
                    wanted,
                    request.context(),
                    parcel -> check.open(parcel, entry -> check.answer(request, entry, tier)),
                    checked -> checked(request, index, checked, sink));
        }

        /** Returns the entry to look for; null if the call's block is known not to be final. */
        private @Nullable Wanted wanted(CacheRequest request) {
            CallKey key = request.key();
            BlockSelector block = request.params().block();
            if (request.context().caller().equals(Caller.PROXY)) {
                // The proxy's own calls fill memory, with whole blocks and receipts.
                return null;
            }
            if (block instanceof BlockSelector.Height height) {
                return new Wanted(key.method(), key.params(), height.number());
            }
            if (block instanceof BlockSelector.Hash hash) {
                return isRecent(hash.hash()) ? null : new Wanted(key.method(), key.params(), -1);
            }
            return request.params().lookupHash() == null ? null : new Wanted(key.method(), key.params(), -1);
        }

        private boolean isRecent(String hash) {
            var slot = chain.view().find(hash);
            return slot != null && !chain.finalized().covers(slot.block().number());
        }

        private void checked(CacheRequest request, int index, Checked<CachedResult> checked, ReplySink sink) {
            NetworkTier tier = tiers.get(index);
            CachedResult answer = checked.value();
            if (answer == null) {
                tier.count(checked.outcome());
                if (checked.outcome() == Lookup.LATE || isForWholeBlock(request)) {
                    ask(request, index + 1, sink);
                } else {
                    askForBlock(request, index, sink);
                }
                return;
            }
            Runnable known = () -> {
                if (check.isInPlace(answer.block()) && serve(request, index, answer, sink)) {
                    tier.count(Lookup.HIT);
                } else {
                    tier.count(Lookup.REFUSED);
                    ask(request, index + 1, sink);
                }
            };
            CallContext context = request.context();
            chain.finality().whenKnown(context.loop(), answer.blockNumber(), () -> context.step(known));
        }

        /** Returns whether the entry of the call is that of its block, so that there is nothing more to look for. */
        private boolean isForWholeBlock(CacheRequest request) {
            return request.params().block() instanceof BlockSelector.Hash hash
                    && request.key().equals(BlockKeys.block(requests.space(), hash.hash()));
        }

        /** Has the block that the call is about loaded into memory, which then answers the call. */
        private void askForBlock(CacheRequest request, int index, ReplySink sink) {
            BlockQuestion question = field == null ? null : BlockQuestion.of(field, request.params());
            CallContext.MemoryLook look = request.context().memoryLook();
            NetworkTier tier = tiers.get(index);
            if (question == null
                    || look == null
                    || !tier.isUp()
                    || (question.hash() != null && isRecent(question.hash()))) {
                ask(request, index + 1, sink);
                return;
            }
            new BlockLoad(NetworkTiers.this, tier, request, question, loaded -> {
                        if (loaded) {
                            look.look(sink, () -> ask(request, index + 1, sink));
                        } else {
                            ask(request, index + 1, sink);
                        }
                    })
                    .begin();
        }

        /** Answers the call; returns false if a purge came meanwhile, or if a node was caught that may have given the answer. */
        private boolean serve(CacheRequest request, int index, CachedResult result, ReplySink sink) {
            CallKey key = request.key().compact();
            boolean purged = !memory.store().keep(key, result, request.purges())
                    && memory.store().purges() != request.purges();
            if (purged || !check.marks().isValid(result.source())) {
                return false;
            }
            passOn(key, result, request.purges(), tiers.get(index));
            RpcReply reply = new RpcReply.Result(result.value());
            if (memory.hasRoom(reply)) {
                request.context().trace().markJudged();
                request.context().trace().markHit(result.proven());
                sink.accept(reply);
            } else {
                sink.accept(RpcReply.NO_ROOM);
            }
            return true;
        }
    }

    /** Results that one search may offer to the tiers, so that their queues have capacity for others. Confined to one thread. */
    static final class TierCapacity {

        private long results;
        private long bytes;
        private boolean exceeded;

        TierCapacity(long results, long bytes) {
            this.results = results;
            this.bytes = bytes;
        }

        /** Returns a capacity for any number of results. */
        static TierCapacity unlimited() {
            return new TierCapacity(Long.MAX_VALUE, Long.MAX_VALUE);
        }

        /** Takes capacity for a result; returns false if none is left. The last result may be larger than what is left. */
        boolean tryTake(long size) {
            if (results <= 0 || bytes <= 0) {
                exceeded = true;
                return false;
            }
            results--;
            bytes -= size;
            return true;
        }

        /** Returns whether a result found no capacity. */
        boolean isExceeded() {
            return exceeded;
        }
    }
}
