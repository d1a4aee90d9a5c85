package io.weir.pipeline.cache;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.BlockKeys;
import io.weir.cache.BlockLayout;
import io.weir.cache.BlockPosition;
import io.weir.cache.BlockQuestion;
import io.weir.cache.BlockSlicer;
import io.weir.cache.ReceiptsLayout;
import io.weir.cache.ReceiptsSlicer;
import io.weir.cache.Slice;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.Slot;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.ResultKind;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.CanonicalCheck.Validity;
import io.weir.pipeline.cache.BlockAccess.Part;
import io.weir.pipeline.cache.BlockAccess.Stored;
import io.weir.pipeline.watch.NetworkChain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Derives answers from cached blocks and receipts. Thread-safe. */
record CachedBlocks(String network, ResultStore store, NetworkChain chain, CanonicalCheck canonical) {

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
        if (question.form().isOfReceipts()) {
            CacheView found = find(question, position, BlockKeys.receipts(network, position.block()), checked);
            if (found.unsure() || found.answer() != null) {
                return found;
            }
        }
        return find(question, position, BlockKeys.block(network, position.block()), checked);
    }

    /** Returns which whole results of a block are stored; reads the receipts only if the part is one of them. */
    Stored stored(String hash, Part part) {
        boolean receipts = part.isOfReceipts() && store.get(BlockKeys.receipts(network, hash)) != null;
        return new Stored(hasBlock(hash), receipts);
    }

    /** Returns whether a block with its transactions is stored. */
    boolean hasBlock(String hash) {
        return store.get(BlockKeys.block(network, hash)) != null;
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
        CachedResult located = transaction == null ? null : store.get(BlockKeys.transaction(network, transaction));
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
            CachedResult stored = store.get(BlockKeys.transaction(network, transaction));
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
        CachedResult stored = store.get(key);
        return stored != null && canonical.validity(stored, false) == Validity.VALID && isFinal(stored)
                ? stored.block().number()
                : -1;
    }

    private @Nullable BlockPosition finalAt(long number) {
        CachedResult stored = store.get(BlockKeys.height(network, number));
        return stored != null && stored.lasting() && canonical.isTrusted(stored)
                ? BlockPosition.read(stored.value())
                : null;
    }

    private CacheView find(BlockQuestion question, BlockPosition position, CallKey key, boolean checked) {
        CachedResult result = store.get(key);
        if (result == null) {
            return CacheView.NOTHING;
        }
        Validity validity = canonical.validity(result, checked);
        return switch (validity) {
            case VALID ->
                found(question, position, key, result, checked || chain.watch().isFresh());
            case UNKNOWN -> CacheView.UNSURE;
            default -> {
                store.remove(key, result);
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
        if (result.lasting() && chain.isSettled(result.block().number())) {
            // From here on its place is final too, and needs no further check.
            store.replace(key, result, result.with(true, result.layout()));
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
        noteFinal(result.block().number(), position.block(), store.purges(), result.source());
    }

    /**
     * Stores which block is final at a height: it may not have been final when it came, and the chain view forgets it.
     *
     * @param purgesBefore of the store, before the block was known to be final
     * @param source the mark of the node that gave the block
     */
    void noteFinal(long number, String hash, long purgesBefore, int source) {
        CallKey key = BlockKeys.height(network, number);
        CachedResult stored = store.get(key);
        if (stored == null || !canonical.isTrusted(stored)) {
            BlockRef block = new BlockRef(number, hash, CachedResult.ANY_STAMP);
            RawJson json = new BlockPosition(hash, 0).json();
            CachedResult located = new CachedResult(json, ResultKind.BLOCK, "", block, true, source).with(true, null);
            store.put(key, located, purgesBefore);
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
        boolean proven = !result.proven().isEmpty() && canonical.mayShowProof(result, question.hash() != null);
        if (result.kind() == ResultKind.RECEIPT) {
            ReceiptsLayout layout = ReceiptsLayout.of(result);
            if (layout != null && result.layout() == null) {
                store.replace(key, result, result.with(result.placed(), layout));
            }
            return layout == null
                    ? null
                    : new ReceiptsSlicer(result.value(), layout, proven).answer(question, position.index());
        }
        BlockLayout layout = BlockLayout.of(result);
        if (layout != null && result.layout() == null) {
            store.replace(key, result, result.with(result.placed(), layout));
        }
        return layout == null
                ? null
                : new BlockSlicer(result.value(), layout, proven).answer(question, position.index());
    }
}
