package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.access.BypassingCaller;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.FinalityAgreement;
import io.weir.chain.HeadListener;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.ResultKind;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.KindParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.NetworkFinality;
import io.weir.upstream.ResultStream;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The results of final blocks on one network of a plugin's kind. A block is final if two nodes said so, by the tag or by the status
 * of an answer; on a network of one node, if that node said so. Nothing proves these results. Thread-safe.
 */
final class KindCache implements HeadListener {

    /** Nanoseconds between two questions for the tag. */
    static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long ASKING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String network;
    private final ResultMemory memory;
    private final CacheMeters meters;
    private final SourceMarks marks;
    private final Nodes nodes;
    private final boolean alone;
    private final BooleanSupplier budget;
    private final LongSupplier clock;
    private final FinalityAgreement statuses = new FinalityAgreement(0);
    /** The highest block known to be final; -1 if none is. */
    private final AtomicLong known = new AtomicLong(-1);

    private final AtomicLong askedNanos;

    /**
     * @param alone whether the network has one node
     * @param budget takes one extra call from the budget; false if none is left
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    KindCache(Writing writing, Nodes nodes, boolean alone, BooleanSupplier budget, LongSupplier clock) {
        this.network = writing.network();
        this.memory = writing.memory();
        this.meters = writing.meters();
        this.marks = writing.marks();
        this.nodes = nodes;
        this.alone = alone;
        this.budget = budget;
        this.clock = clock;
        this.askedNanos = new AtomicLong(clock.getAsLong() - PAUSE_NANOS);
    }

    /** The parts that store results. Immutable; its members are thread-safe. */
    record Writing(String network, ResultMemory memory, CacheMeters meters, SourceMarks marks) {}

    /** Returns the stage of a method; the given one if its answers are not stored. */
    Stage before(MethodFacts facts, KindParams params, Stage next) {
        boolean stored = facts.lastsByBlock() || facts.lastsByStatus();
        return stored && memory.store().isOn()
                ? new KindCacheStage(params.blocks(), facts.lastsByStatus(), next)
                : next;
    }

    /** Returns the result of a call; null if it is not stored. */
    private @Nullable CachedResult get(CallKey key) {
        CachedResult stored = memory.store().get(key);
        // After a reset of the chain the results of before are invalid at once, although they are removed later.
        boolean valid = stored != null && stored.block().number() <= known.get() && marks.isValid(stored.source());
        meters.count(ResultKind.VALUE, valid ? LookupOutcome.HIT : LookupOutcome.MISS);
        return valid ? stored : null;
    }

    /** Stores the result of a final block. */
    private void put(CallKey key, RawJson value, long number, String upstreamId, long purges) {
        CachedResult result = new CachedResult(
                value.compact(),
                ResultKind.VALUE,
                "",
                new BlockRef(number, null, CachedResult.ANY_STAMP),
                true,
                marks.of(upstreamId));
        boolean stored = number <= known.get() && memory.store().put(key.compact(), result, purges);
        meters.count(stored ? Keeping.UNPROVEN : Keeping.NO_ROOM);
    }

    /** Notes that an answer of a node calls a block final. */
    private void named(String upstreamId, long number) {
        if (alone) {
            raise(number);
        } else if (number > known.get()) {
            statuses.named(BlockTag.FINALIZED, upstreamId, number, "");
            raise(statuses.agreed(BlockTag.FINALIZED).number());
        }
    }

    /** Runs an action if a block is final, at once or after the nodes were asked; called and run on the loop. */
    private void whenFinal(EventLoop loop, long number, Runnable action) {
        if (number <= known.get()) {
            action.run();
            return;
        }
        NetworkFinality finality = nodes.head().finality();
        long now = clock.getAsLong();
        long before = askedNanos.get();
        // The head itself is not final yet: reads of it cost no question.
        boolean possible = number < nodes.head().tracker().number();
        if (finality == null || !possible || now - before < PAUSE_NANOS || !askedNanos.compareAndSet(before, now)) {
            meters.count(Keeping.UNANCHORED);
            return;
        }
        finality.whenKnown(loop, BlockTag.FINALIZED, now + ASKING_NANOS, agreed -> {
            raise(agreed.number());
            if (number <= known.get()) {
                action.run();
            } else {
                meters.count(Keeping.UNANCHORED);
            }
        });
    }

    private void raise(long number) {
        known.accumulateAndGet(number, Math::max);
    }

    /** Forgets everything if final blocks are gone, on a development chain that was reset. */
    @Override
    public void wentBack(long from, long to) {
        if (to < known.get()) {
            known.set(-1);
            statuses.wentBack(-1);
            Runnable purge = () -> memory.store().purge(network, result -> true);
            if (!memory.executor().tryRun(0, purge)) {
                purge.run();
            }
        }
    }

    /**
     * Stage that answers calls of one method on a network of a plugin's kind from memory, and stores its results of final blocks.
     * Thread-safe.
     *
     * <ul>
     *   <li>An answer with a status is stored if that says that its block is final, and that block is known to be final. If several nodes
     *       serve the network and the call names the block by its number, another node must name the same block.
     *   <li>Any other answer is stored if the call names its block by a number, and that block is known to be final.
     * </ul>
     */
    private final class KindCacheStage implements Stage {

        private final BlockIds blocks;
        private final boolean byStatus;
        private final Stage next;

        KindCacheStage(BlockIds blocks, boolean byStatus, Stage next) {
            this.blocks = blocks;
            this.byStatus = byStatus;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            CheckedParams params = context.checkedParams();
            if (params == null || context.caller() instanceof BypassingCaller) {
                context.trace().markBypassed();
                next.handle(context, sink);
                return;
            }
            CallKey key = new CallKey(network, context.call().method(), params.json());
            CachedResult stored = get(key);
            if (stored == null) {
                context.trace().markMiss();
                if (byStatus) {
                    context.needsWhole();
                }
                long purges = memory.store().purges();
                next.handle(context, reply -> {
                    ResultStream stream = reply instanceof RpcReply.Streamed ? context.stream() : null;
                    if (stream != null) {
                        collect(context, params, key, stream, purges);
                    }
                    sink.accept(reply);
                    if (reply instanceof RpcReply.Result result) {
                        take(context, params, key, result.value(), purges);
                    }
                });
            } else if (memory.hasRoom(stored.reply())) {
                context.trace().markHit("");
                sink.accept(stored.reply());
            } else {
                sink.accept(RpcReply.NO_ROOM);
            }
        }

        /** Takes a result that goes on while it arrives, once it was collected. */
        private void collect(CallContext context, CheckedParams params, CallKey key, ResultStream stream, long purges) {
            stream.copyTo(memory.store().maxEntryBytes(), value -> {
                if (value != null) {
                    context.step(() -> take(context, params, key, value, purges));
                }
            });
        }

        private void take(CallContext context, CheckedParams params, CallKey key, RawJson value, long purges) {
            String upstream = context.trace().upstreamId();
            // Of equal calls the one that led them stores the result.
            if (upstream == null
                    || context.trace().collapsed()
                    || context.trace().degraded()) {
                return;
            }
            if (byStatus) {
                long number = blocks.finalHeight(value);
                if (number < 0) {
                    meters.count(Keeping.UNFIT);
                    return;
                }
                named(upstream, number);
                boolean byNumber = params.block() instanceof BlockSelector.Height;
                whenFinal(context.loop(), number, () -> {
                    if (byNumber && !alone) {
                        compare(context, key, value, number, upstream, purges);
                    } else {
                        put(key, value, number, upstream, purges);
                    }
                });
            } else if (params.block() instanceof BlockSelector.Height height && !value.equals(RawJson.NULL)) {
                long number = height.number();
                whenFinal(context.loop(), number, () -> put(key, value, number, upstream, purges));
            }
        }

        /** Stores a block if another node names the same one at its height. */
        private void compare(
                CallContext context, CallKey key, RawJson value, long number, String upstream, long purges) {
            RawJson place = blocks.place(value);
            if (place == null || !budget.getAsBoolean()) {
                meters.count(Keeping.UNANCHORED);
                return;
            }
            RpcCall call = Objects.requireNonNull(blocks.call(new BlockSelector.Height(number)));
            CallContext asked = context.aside(call);
            asked.needsBlock(number, true);
            new CallGuard(asked, reply -> {
                        RawJson other = reply instanceof RpcReply.Result result
                                        && result.value().first() == '{'
                                ? blocks.place(result.value())
                                : null;
                        boolean same = other != null
                                && place.equals(other)
                                && !upstream.equals(asked.trace().upstreamId());
                        if (same) {
                            put(key, value, number, upstream, purges);
                        } else {
                            meters.count(Keeping.UNANCHORED);
                        }
                    })
                    .pass(nodes.without().apply(Set.of(upstream)));
        }
    }
}
