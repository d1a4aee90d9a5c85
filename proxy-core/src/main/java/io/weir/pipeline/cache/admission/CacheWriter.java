package io.weir.pipeline.cache.admission;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.ResultLayout;
import io.weir.cache.block.BlockKeys;
import io.weir.cache.block.BlockLayout;
import io.weir.cache.block.BlockPosition;
import io.weir.cache.block.ReceiptsLayout;
import io.weir.cache.memory.ResultStore;
import io.weir.jsonrpc.RawJson;
import io.weir.method.CacheClass;
import io.weir.method.ResultKind;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts answers into the store: whole blocks and receipts under one key each, however they were asked for, with the ways by which
 * they are found, each of which is a result of its own. What is not found in a block's place is simply not there. Thread-safe.
 */
public final class CacheWriter {

    private final String network;
    private final ResultStore store;

    /**
     * What is known of the block that an answer depends on, besides the answer.
     *
     * @param lasting whether it is final
     * @param named whether it is the one that was asked for by its hash, or known to be canonical
     * @param placed whether it is known to be canonical
     */
    record Anchor(BlockRef block, boolean lasting, boolean named, boolean placed) {}

    /** Puts answers of one network into the store. */
    public CacheWriter(String network, ResultStore store) {
        this.network = network;
        this.store = store;
    }

    /** The block with this hash and all its transactions, or null. */
    @Nullable
    CachedResult block(String hash) {
        return store.get(BlockKeys.block(network, hash));
    }

    /** The hash of the final block at a height, or null where it is not in memory. */
    @Nullable
    String hashAt(long number) {
        CachedResult height = store.get(BlockKeys.height(network, number));
        BlockPosition place = height == null || !height.lasting() ? null : BlockPosition.read(height.value());
        return place == null ? null : place.block();
    }

    /**
     * Puts an answer.
     *
     * @param proven what was proven of it, as clients are told; empty where nothing was
     * @return whether it is kept
     */
    boolean put(CacheRequest question, RawJson answer, String proven, Anchor anchor) {
        RawJson value = answer.compact();
        CacheClass rule = question.rule();
        CachedResult result = new CachedResult(value, rule.kind(), proven, anchor.block(), anchor.lasting());
        String hash = anchor.block().hash();
        BlockLayout block = rule == CacheClass.BLOCK ? BlockLayout.read(value) : null;
        ReceiptsLayout receipts = rule == CacheClass.RECEIPTS ? ReceiptsLayout.read(value) : null;
        CallKey key = question.key();
        boolean kept;
        if (hash != null && block != null) {
            key = BlockKeys.block(network, hash);
            kept = put(key, result, block, anchor, question)
                    && index(anchor, block.size(), i -> block.hash(value, i), question);
        } else if (hash != null && receipts != null) {
            key = BlockKeys.receipts(network, hash);
            kept = put(key, result, receipts, anchor, question)
                    && index(anchor, receipts.size(), i -> receipts.hash(value, i), question);
        } else {
            kept = put(key, result, null, anchor, question);
        }
        if (kept && !key.equals(question.key())) {
            store.answers(question.key(), result, question.purges());
        }
        if (kept && rule == CacheClass.BLOCK) {
            height(anchor, question);
        }
        return kept;
    }

    private boolean put(
            CallKey key, CachedResult result, @Nullable ResultLayout layout, Anchor anchor, CacheRequest question) {
        return store.put(key, result.with(anchor.placed(), layout), question.purges());
    }

    /** Where each transaction is; only of canonical blocks: the same transaction may be in others. */
    private boolean index(Anchor anchor, int size, IntFunction<String> hashes, CacheRequest question) {
        for (int i = 0; anchor.placed() && i < size; i++) {
            way(BlockKeys.transaction(network, hashes.apply(i)), ResultKind.TRANSACTION, i, anchor, question);
        }
        if (size > 0) {
            height(anchor, question);
        }
        return true;
    }

    private void height(Anchor anchor, CacheRequest question) {
        if (anchor.placed() && anchor.lasting()) {
            CallKey key = BlockKeys.height(network, anchor.block().number());
            way(key, ResultKind.BLOCK, 0, anchor, question);
        }
    }

    private void way(CallKey key, ResultKind kind, int index, Anchor anchor, CacheRequest question) {
        BlockRef block = anchor.block();
        String hash = block.hash();
        if (hash != null) {
            RawJson place = new BlockPosition(hash, index).json();
            CachedResult result = new CachedResult(place, kind, "", block, anchor.lasting());
            store.put(key, result.with(true, null), question.purges());
        }
    }
}
