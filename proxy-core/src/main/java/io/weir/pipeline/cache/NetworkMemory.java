package io.weir.pipeline.cache;

import com.codahale.metrics.Counter;
import io.weir.cache.BlockKeys;
import io.weir.cache.BlockKeys.BlockPosition;
import io.weir.cache.BlockLayout;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.ReceiptsLayout;
import io.weir.cache.ResultLayout;
import io.weir.cache.ResultLayout.Slice;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.Slot;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.ResultKind;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.CanonicalCheck.Validity;
import io.weir.pipeline.cache.BlockAccess.Part;
import io.weir.pipeline.cache.BlockAccess.Stored;
import io.weir.pipeline.cache.CacheDecision.CacheView;
import io.weir.pipeline.cache.CacheStage.CacheCall;
import io.weir.pipeline.cache.Fetch.BlockNames;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.Verification;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One network's results in memory: reads a call's own result, or cuts its answer out of the block that it is about or of the receipts, and
 * serves it. Results that are found to be stale are dropped, and those found to be final are promoted. Thread-safe.
 *
 * @param network the name of its results in memory
 * @param judged whether each result was judged when it came
 * @param allLogs whether the chain's receipts and blooms hold all of its logs
 * @param shared the memory of all networks
 */
record NetworkMemory(
        String network,
        boolean judged,
        boolean allLogs,
        ResultMemory shared,
        CacheMeters meters,
        NetworkChain chain,
        CanonicalCheck canonical,
        BlockPrefetcher prefetcher,
        Aliases aliases) {

    private ResultStore store() {
        return shared.store();
    }

    /**
     * Serves a result from memory if there is budget for it.
     *
     * @param whole whether the result is stored as it is served; otherwise it is a slice of a block
     * @param proven the parts that were proven, as clients see them; empty if none was
     * @return the reply, or a failure if there is no budget for it
     */
    RpcReply serve(CallContext context, CacheClass rule, RpcReply reply, boolean whole, String proven) {
        if (shared.hasRoom(reply)) {
            return hit(context, counter(rule, whole), reply, whole, proven);
        }
        counter(rule, whole).inc();
        return RpcReply.NO_ROOM;
    }

    /**
     * Serves a result for which there is budget: counts the hit and notes it in the call's trace. Returns the reply.
     *
     * @param counter of the method's hits; see {@link #counter}
     */
    RpcReply hit(CallContext context, Counter counter, RpcReply reply, boolean whole, String proven) {
        counter.inc();
        if (judged) {
            context.trace().markJudged();
        }
        if (whole) {
            context.trace().markHit(proven);
        } else {
            context.trace().markDerived(proven);
        }
        return reply;
    }

    /** Returns the counter of hits on a class of results. */
    Counter counter(CacheClass rule, boolean whole) {
        return meters.counter(rule.kind(), whole ? LookupOutcome.HIT : LookupOutcome.DERIVED);
    }

    /**
     * Reads memory for a call: the call's own result first, then the block that it is about.
     *
     * @param checked whether the chain was checked just now, as well as that could be done
     * @param mayFetch whether the call may wait for a fetch of its block; the call then counts as an access to the block
     */
    CacheView read(CacheCall call, boolean checked, boolean mayFetch) {
        CachedResult result = store().get(call.key());
        if (result != null) {
            Validity validity = validity(call.key(), result, checked);
            if (validity == Validity.VALID) {
                String proven = canonical.shown(result, call.namesHash());
                return CacheView.of(result.reply(), new Slice(result.value(), proven, true), null);
            }
            if (validity == Validity.UNKNOWN) {
                return CacheView.UNSURE;
            }
            store().remove(call.key(), result);
        }
        BlockQuestion question = call.question();
        if (question == null) {
            return CacheView.NOTHING;
        }
        CacheView view = find(question, checked);
        return mayFetch && view.answer() == null && !view.unsure() ? ofBlock(question, call.key()) : view;
    }

    private CacheView ofBlock(BlockQuestion question, CallKey key) {
        BlockNames names = prefetcher.names(question, () -> blockOf(question));
        if (names == null) {
            return prefetcher.mayArrive() ? CacheView.ARRIVING : CacheView.NOTHING;
        }
        String hash = names.hash();
        boolean storable = question.number() < 0 || canonical.mayBeCanonical(question.number());
        BlockAccess access = prefetcher.access(
                question, key, names, part -> hash == null ? Stored.NOTHING : stored(hash, part), storable);
        return new CacheView(null, false, access, false);
    }

    /**
     * Returns the valid result of a key, or of the alias that last answered it; null if there is none.
     *
     * @param aliased whether the key may have an alias
     */
    @Nullable
    CachedResult readExact(CallKey key, boolean aliased) {
        CachedResult result = store().get(key);
        if (result != null) {
            return validity(key, result, false) == Validity.VALID ? result : null;
        }
        CallKey alias = aliased ? aliases.get(key) : null;
        CachedResult other = alias == null ? null : store().get(alias);
        return other != null && isFinal(other) && canonical.isTrusted(other) ? other : null;
    }

    /** Remembers the key of the final block's result that answered a call. */
    void remember(CallKey asked, CallKey finalKey) {
        aliases.put(asked, finalKey);
    }

    /** A result that is found to be final is offered to the tiers behind memory. */
    private Validity validity(CallKey key, CachedResult result, boolean checked) {
        boolean lasted = result.lasting();
        Validity validity = canonical.validity(result, checked);
        if (!lasted && result.lasting()) {
            store().promoted(key, result);
        }
        return validity;
    }

    /**
     * Looks for an answer.
     *
     * @param checked whether the chain was checked just now
     */
    CacheView find(BlockQuestion question, boolean checked) {
        BlockPosition position = position(question);
        if (position == null) {
            return CacheView.NOTHING;
        }
        String block = position.block();
        CacheView found = CacheView.NOTHING;
        if (question.form().isOfReceipts()) {
            found = find(question, position, BlockKeys.receipts(network, block), checked);
        }
        if (question.form() == BlockField.LOGS && found.isNothing()) {
            found = find(question, position, BlockKeys.logs(network, block), checked);
        }
        return found.isNothing() ? find(question, position, BlockKeys.block(network, block), checked) : found;
    }

    /** Returns which whole results of a block are stored; reads the receipts only if the part is one of them. */
    Stored stored(String hash, Part part) {
        boolean receipts = part.isOfReceipts() && store().get(BlockKeys.receipts(network, hash)) != null;
        return new Stored(hasBlock(hash), receipts);
    }

    /** Returns whether a block with its transactions is stored. */
    boolean hasBlock(String hash) {
        return store().get(BlockKeys.block(network, hash)) != null;
    }

    /** Returns the names, not checked, of the block that a call is about; null if memory knows neither. */
    @Nullable
    BlockNames blockOf(BlockQuestion question) {
        BlockPosition position = position(question);
        String transaction = question.transaction();
        if (question.number() >= 0) {
            return new BlockNames(position == null ? null : position.block(), question.number(), true);
        }
        if (position == null) {
            return null;
        }
        CachedResult located = transaction == null ? null : store().get(BlockKeys.transaction(network, transaction));
        Slot slot = located == null ? chain.view().find(position.block()) : null;
        long number = located != null
                ? located.block().number()
                : slot == null ? -1 : slot.block().number();
        return new BlockNames(position.block(), number, false);
    }

    private @Nullable BlockPosition position(BlockQuestion question) {
        String hash = question.hash();
        if (hash != null) {
            return new BlockPosition(hash, -1);
        }
        String transaction = question.transaction();
        if (transaction != null) {
            CachedResult stored = store().get(BlockKeys.transaction(network, transaction));
            return stored == null || !canonical.isTrusted(stored) ? null : BlockPosition.read(stored.value());
        }
        BlockPosition last = finalAt(question.number());
        String known = last == null ? chain.view().hash(question.number()) : last.block();
        return known == null ? null : new BlockPosition(known, -1);
    }

    /**
     * Returns the number of the final block that a call names by a hash, or by the hash of a transaction in it; -1 if memory does
     * not know it.
     */
    long finalBlockOf(CheckedParams params) {
        if (params.block() instanceof BlockSelector.Hash hash) {
            return finalNumber(BlockKeys.block(network, hash.hash()));
        }
        String transaction = params.lookupHash();
        if (transaction == null) {
            return -1;
        }
        RawJson json = RawJson.of("[\"" + transaction + "\"]");
        for (CallKey key : List.of(
                BlockKeys.transaction(network, transaction),
                new CallKey(network, ChainCalls.RECEIPT, json),
                new CallKey(network, ChainCalls.TRANSACTION, json))) {
            long number = finalNumber(key);
            if (number >= 0) {
                return number;
            }
        }
        return -1;
    }

    private long finalNumber(CallKey key) {
        CachedResult stored = store().get(key);
        return stored != null && canonical.validity(stored, false) == Validity.VALID && isFinal(stored)
                ? stored.block().number()
                : -1;
    }

    private @Nullable BlockPosition finalAt(long number) {
        CachedResult stored = store().get(BlockKeys.height(network, number));
        return stored != null && stored.lasting() && canonical.isTrusted(stored)
                ? BlockPosition.read(stored.value())
                : null;
    }

    private CacheView find(BlockQuestion question, BlockPosition position, CallKey key, boolean checked) {
        CachedResult result = store().get(key);
        if (result == null) {
            return CacheView.NOTHING;
        }
        return switch (canonical.validity(result, checked)) {
            case VALID ->
                found(question, position, key, result, checked || chain.watch().isFresh());
            case UNKNOWN -> CacheView.UNSURE;
            default -> {
                store().remove(key, result);
                yield CacheView.NOTHING;
            }
        };
    }

    /** An orphan that is asked for by its hash answers for its contents only, not for its place. */
    private CacheView found(
            BlockQuestion question, BlockPosition position, CallKey key, CachedResult result, boolean fresh) {
        boolean byHash = question.hash() != null && !question.requiresCanonical();
        if (byHash || isCanonical(position, result)) {
            if (!byHash && result.lasting()) {
                noteFinal(position, result);
            }
            boolean refused = question.requiresCanonical() && !result.lasting();
            return refused ? CacheView.NOTHING : found(slice(question, position, key, result), key, result);
        }
        if (!position.block().equals(chain.view().hash(result.block().number()))) {
            return CacheView.NOTHING;
        }
        if (!fresh) {
            return CacheView.UNSURE;
        }
        if (result.lasting() && canonical.isFinal(result.block().number())) {
            // From here on its place is final too, and needs no further check.
            store().replace(key, result, result.with(true, result.layout()));
            noteFinal(position, result);
        }
        return found(slice(question, position, key, result), key, result);
    }

    private static CacheView found(@Nullable Slice slice, CallKey key, CachedResult result) {
        if (slice == null) {
            return CacheView.NOTHING;
        }
        boolean all = slice.value().isSame(result.value());
        return CacheView.of(new RpcReply.Result(slice.value()), slice, all && isFinal(result) ? key : null);
    }

    /** Returns whether a result answers calls by its block's height too, and always will. */
    static boolean isFinal(CachedResult result) {
        return result.lasting() && result.placed();
    }

    private void noteFinal(BlockPosition position, CachedResult result) {
        noteFinal(result.block().number(), position.block(), store().purges(), result.source());
    }

    /**
     * Stores which block is final at a height: it may not have been final when it came, and the chain view forgets it.
     *
     * @param purgesBefore of the store, before the block was known to be final
     * @param source the mark of the node that gave the block
     */
    void noteFinal(long number, String hash, long purgesBefore, int source) {
        CallKey key = BlockKeys.height(network, number);
        CachedResult stored = store().get(key);
        if (stored == null || !canonical.isTrusted(stored)) {
            BlockRef block = new BlockRef(number, hash, CachedResult.ANY_STAMP);
            RawJson json = new BlockPosition(hash, 0).json();
            CachedResult located = new CachedResult(json, ResultKind.BLOCK, "", block, true, source).with(true, null);
            store().put(key, located, purgesBefore);
        }
    }

    private boolean isCanonical(BlockPosition position, CachedResult result) {
        if (!result.lasting() || result.placed()) {
            return true;
        }
        BlockPosition last = finalAt(result.block().number());
        return last != null && last.block().equals(position.block());
    }

    private @Nullable Slice slice(BlockQuestion question, BlockPosition position, CallKey key, CachedResult result) {
        ResultLayout layout = result.kind() == ResultKind.RECEIPT ? ReceiptsLayout.of(result) : BlockLayout.of(result);
        if (layout == null) {
            return null;
        }
        if (result.layout() == null) {
            store().replace(key, result, result.with(result.placed(), layout));
        }
        String shown = canonical.shown(result, question.hash() != null);
        Slice slice = layout.answer(result.value(), question, position.index(), !shown.isEmpty(), allLogs);
        return slice == null || !Verification.Part.isPlaced(shown) ? slice : slice.placed();
    }

    /**
     * The keys of final blocks' results, by the calls that they answered last: a block is stored once, however calls name it. With an
     * alias, a repeated call needs no validation. Thread-safe.
     */
    static final class Aliases {

        private static final int SLOTS = 1024;

        /** The longest parameters that are remembered, in bytes. */
        static final int MAX_BYTES = 128;

        private final AtomicReferenceArray<@Nullable Alias> slots = new AtomicReferenceArray<>(SLOTS);

        private record Alias(CallKey asked, CallKey stored) {}

        /** Remembers the key of the result that answered a call. */
        void put(CallKey asked, CallKey stored) {
            if (asked.params().length() <= MAX_BYTES) {
                slots.set(slot(asked), new Alias(asked.compact(), stored));
            }
        }

        /** Returns the key of the result that answered a call; null if it is not remembered. */
        @Nullable
        CallKey get(CallKey asked) {
            Alias alias = slots.get(slot(asked));
            return alias != null && alias.asked().equals(asked) ? alias.stored() : null;
        }

        private static int slot(CallKey asked) {
            return asked.hashCode() & (SLOTS - 1);
        }
    }
}
