package io.weir.pipeline.cache;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.block.BlockKeys;
import io.weir.cache.block.BlockLayout;
import io.weir.cache.block.BlockPosition;
import io.weir.cache.block.BlockQuestion;
import io.weir.cache.block.BlockSlicer;
import io.weir.cache.block.ReceiptsLayout;
import io.weir.cache.block.ReceiptsSlicer;
import io.weir.cache.block.Slice;
import io.weir.cache.memory.ResultStore;
import io.weir.jsonrpc.RawJson;
import io.weir.method.ResultKind;
import io.weir.pipeline.cache.admission.CacheAdmission;
import io.weir.pipeline.watch.NetworkChain;
import org.jspecify.annotations.Nullable;

/** Answers from the blocks and receipts in memory what nobody asked for in these words. Thread-safe. */
final class CachedBlocks {

    private final String network;
    private final ResultStore store;
    private final NetworkChain chain;
    private final CacheAdmission keeper;

    CachedBlocks(String network, ResultStore store, NetworkChain chain, CacheAdmission keeper) {
        this.network = network;
        this.store = store;
        this.chain = chain;
        this.keeper = keeper;
    }

    /**
     * What was found.
     *
     * @param piece null where there is no answer
     * @param unsure whether there may be one, once the chain was looked at
     * @param kept where the piece is all of a result that {@link #isForGood}: its key; else null
     */
    record Found(
            @Nullable Slice piece, boolean unsure, @Nullable CallKey kept) {

        static final Found NOTHING = new Found(null, false, null);
        static final Found UNSURE = new Found(null, true, null);
    }

    /**
     * Looks for an answer.
     *
     * @param checked whether the chain was looked at just now
     */
    Found find(BlockQuestion question, boolean checked) {
        BlockPosition place = place(question);
        if (place == null) {
            return Found.NOTHING;
        }
        if (question.form().isOfReceipts()) {
            Found found = find(question, place, BlockKeys.receipts(network, place.block()), checked);
            if (found.unsure() || found.piece() != null) {
                return found;
            }
        }
        return find(question, place, BlockKeys.block(network, place.block()), checked);
    }

    /** Whether a block with its transactions, or the receipts of one, are there. */
    boolean has(String hash, boolean receipts) {
        return store.get(receipts ? BlockKeys.receipts(network, hash) : BlockKeys.block(network, hash)) != null;
    }

    /** The block that a call is about, as far as is known; whether it is right is seen when it is looked at. */
    @Nullable
    BlockPosition place(BlockQuestion question) {
        String hash = question.hash();
        if (hash != null) {
            return new BlockPosition(hash, -1);
        }
        String transaction = question.transaction();
        if (transaction != null) {
            CachedResult way = store.get(BlockKeys.transaction(network, transaction));
            return way == null ? null : BlockPosition.read(way.value());
        }
        BlockPosition last = finalAt(question.number());
        String known = last == null ? chain.view().hash(question.number()) : last.block();
        return known == null ? null : new BlockPosition(known, -1);
    }

    /** The block in memory that holds the transaction which a call looks up; null where none is known. */
    @Nullable
    BlockRef blockOfTransaction(BlockQuestion question) {
        BlockPosition place = question.transaction() == null ? null : place(question);
        CachedResult block = place == null ? null : store.get(BlockKeys.block(network, place.block()));
        return block == null ? null : block.block();
    }

    private @Nullable BlockPosition finalAt(long number) {
        CachedResult way = store.get(BlockKeys.height(network, number));
        return way == null || !way.lasting() ? null : BlockPosition.read(way.value());
    }

    private Found find(BlockQuestion question, BlockPosition place, CallKey key, boolean checked) {
        CachedResult result = store.get(key);
        if (result == null) {
            return Found.NOTHING;
        }
        CacheAdmission.Standing standing = keeper.standing(result, checked);
        return switch (standing) {
            case HOLDS ->
                found(question, place, key, result, checked || chain.watch().isFresh());
            case UNSURE -> Found.UNSURE;
            default -> {
                store.remove(key, result);
                yield Found.NOTHING;
            }
        };
    }

    /** An orphan asked for by its hash proves what is in it, not its place. */
    private Found found(BlockQuestion question, BlockPosition place, CallKey key, CachedResult result, boolean fresh) {
        boolean byHash = question.hash() != null && !question.requiresCanonical();
        if (byHash || isCanonical(place, result)) {
            if (!byHash && result.lasting()) {
                noteFinal(place, result);
            }
            boolean refused = question.requiresCanonical() && !result.lasting();
            return refused ? Found.NOTHING : found(piece(question, place, key, result), key, result);
        }
        if (!place.block().equals(chain.view().hash(result.block().number()))) {
            return Found.NOTHING;
        }
        if (!fresh) {
            return Found.UNSURE;
        }
        if (result.lasting() && chain.finalized().covers(result.block().number())) {
            // Its place is final too from here on, and need not be looked at again.
            store.replace(key, result, result.with(true, result.layout()));
            noteFinal(place, result);
        }
        return found(piece(question, place, key, result), key, result);
    }

    private static Found found(@Nullable Slice piece, CallKey key, CachedResult result) {
        boolean all = piece != null && piece.value().isSame(result.value());
        return new Found(piece, false, all && isForGood(result) ? key : null);
    }

    /** Whether a result answers for its block by its height too, and always will. */
    static boolean isForGood(CachedResult result) {
        return result.lasting() && result.placed();
    }

    /** Keeps which block is at its height, for when the chain's view has gone on: it may not have been final when it came. */
    private void noteFinal(BlockPosition place, CachedResult result) {
        CallKey key = BlockKeys.height(network, result.block().number());
        if (store.get(key) == null) {
            BlockRef block = new BlockRef(result.block().number(), place.block(), CachedResult.ANY_STAMP);
            RawJson json = new BlockPosition(place.block(), 0).json();
            CachedResult way = new CachedResult(json, ResultKind.BLOCK, "", block, true).with(true, null);
            store.put(key, way, store.purges());
        }
    }

    private boolean isCanonical(BlockPosition place, CachedResult result) {
        if (!result.lasting() || result.placed()) {
            return true;
        }
        BlockPosition last = finalAt(result.block().number());
        return last != null && last.block().equals(place.block());
    }

    private @Nullable Slice piece(BlockQuestion question, BlockPosition place, CallKey key, CachedResult result) {
        boolean proven = !result.proven().isEmpty() && keeper.isTold(result, question.hash() != null);
        if (BlockKeys.isReceipts(key)) {
            ReceiptsLayout layout = ReceiptsLayout.of(result);
            if (layout != null && result.layout() == null) {
                store.replace(key, result, result.with(result.placed(), layout));
            }
            return layout == null
                    ? null
                    : new ReceiptsSlicer(result.value(), layout, proven).answer(question, place.index());
        }
        BlockLayout layout = BlockLayout.of(result);
        if (layout != null && result.layout() == null) {
            store.replace(key, result, result.with(result.placed(), layout));
        }
        return layout == null ? null : new BlockSlicer(result.value(), layout, proven).answer(question, place.index());
    }
}
