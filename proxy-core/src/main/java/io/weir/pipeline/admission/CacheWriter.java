package io.weir.pipeline.admission;

import io.weir.cache.BlockKeys;
import io.weir.cache.BlockKeys.BlockPosition;
import io.weir.cache.BlockLayout;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.ReceiptsLayout;
import io.weir.cache.ResultLayout;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultStore;
import io.weir.jsonrpc.RawJson;
import io.weir.method.CacheClass;
import io.weir.method.ResultKind;
import org.jspecify.annotations.Nullable;

/**
 * Puts answers into the store: whole blocks and receipts under one key each, however the calls named them. A height, and the
 * hash of each transaction, lead to their block: each is a result of its own. Thread-safe.
 */
public record CacheWriter(String network, ResultStore store, CacheMeters meters, SourceMarks marks) {

    /**
     * The block that an answer depends on, and how the answer is stored for it. Immutable.
     *
     * @param store as {@link AdmissionPolicy} decided
     * @param source the mark of the node that gave the answer
     */
    record Anchor(BlockRef block, AdmissionPolicy.Store store, int source) {

        /**
         * Returns the same for an answer whose content is proven. It holds its node's mark nevertheless if only the node's word
         * says that its block is canonical.
         */
        Anchor proven() {
            return store.placedByItsNode() ? this : new Anchor(block, store, SourceMarks.NONE);
        }
    }

    /** Returns the mark of a node's answers. */
    int markOf(String upstreamId) {
        return marks.of(upstreamId);
    }

    /** Returns the block with this hash and all its transactions; null if it is not stored. */
    @Nullable
    CachedResult block(String hash) {
        CachedResult stored = store.get(BlockKeys.block(network, hash));
        return stored != null && marks.isValid(stored.source()) ? stored : null;
    }

    /** Returns the hash of the final block at a height; null if it is not stored. */
    @Nullable
    String hashAt(long number) {
        CachedResult stored = store.get(BlockKeys.height(network, number));
        if (stored == null || !stored.lasting() || !marks.isValid(stored.source())) {
            return null;
        }
        BlockPosition position = BlockPosition.read(stored.value());
        return position == null ? null : position.block();
    }

    /** Stores an answer of which no part is proven, and settles its request. */
    void keep(CacheRequest request, RawJson answer, Anchor anchor) {
        if (put(request, answer, "", anchor)) {
            kept(request, Keeping.UNPROVEN);
        } else {
            refuse(request, Keeping.NO_ROOM);
        }
    }

    /** Counts a stored answer, and settles its request. */
    void kept(CacheRequest request, Keeping how) {
        meters.count(how);
        request.settled().accept(true);
    }

    /** Counts the reason why an answer is not stored, and settles its request. */
    void refuse(CacheRequest request, Keeping why) {
        meters.count(why);
        request.settled().accept(false);
    }

    /**
     * Stores an answer. Returns whether it is stored.
     *
     * @param proven the proven parts of it, for clients; empty if there are none
     */
    boolean put(CacheRequest request, RawJson answer, String proven, Anchor anchor) {
        // The layout of a whole block or of its receipts, and the slices of it, are of an array of their own.
        RawJson value = anchor.store().key() == AdmissionPolicy.Key.CALL ? answer : answer.compact();
        CacheClass rule = request.rule();
        CachedResult result = new CachedResult(
                value,
                rule.kind(),
                proven,
                anchor.block(),
                anchor.store().lasting(),
                anchor.source(),
                anchor.store().placed());
        String hash = anchor.block().hash();
        // A block without its transactions has no layout, and is stored under the call's own key.
        AdmissionPolicy.Key kind =
                hash == null ? AdmissionPolicy.Key.CALL : anchor.store().key();
        ResultLayout layout = switch (kind) {
            case BLOCK -> BlockLayout.read(value);
            case RECEIPTS -> ReceiptsLayout.read(value);
            default -> null;
        };
        CallKey key = hash == null || layout == null
                ? request.key()
                : kind == AdmissionPolicy.Key.BLOCK
                        ? BlockKeys.block(network, hash)
                        : BlockKeys.receipts(network, hash);
        if (!store.put(key, result.with(anchor.store().placed(), layout), request.purges())) {
            return false;
        }
        // The position of each transaction, of canonical blocks only: the same transaction may be in others.
        for (int i = 0; layout != null && anchor.store().placed() && i < layout.size(); i++) {
            CallKey transaction = BlockKeys.transaction(network, layout.hash(value, i));
            locate(transaction, ResultKind.TRANSACTION, i, anchor, request);
        }
        if (rule == CacheClass.BLOCK || (layout != null && layout.size() > 0)) {
            height(anchor, request);
        }
        return true;
    }

    private void height(Anchor anchor, CacheRequest request) {
        if (anchor.store().placed() && anchor.store().lasting()) {
            CallKey key = BlockKeys.height(network, anchor.block().number());
            locate(key, ResultKind.BLOCK, 0, anchor, request);
        }
    }

    private void locate(CallKey key, ResultKind kind, int index, Anchor anchor, CacheRequest request) {
        BlockRef block = anchor.block();
        String hash = block.hash();
        if (hash != null) {
            RawJson position = new BlockPosition(hash, index).json();
            CachedResult result =
                    new CachedResult(position, kind, "", block, anchor.store().lasting(), anchor.source());
            store.put(key, result.with(true, null), request.purges());
        }
    }
}
