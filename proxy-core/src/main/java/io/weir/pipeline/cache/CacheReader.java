package io.weir.pipeline.cache;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.BlockQuestion;
import io.weir.cache.Slice;
import io.weir.cache.memory.ResultStore;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.CanonicalCheck.Validity;
import io.weir.pipeline.cache.BlockAccess.Stored;
import org.jspecify.annotations.Nullable;

/**
 * Reads one network's results in memory. Results that are found to be stale are dropped, and those found to be final are promoted.
 * Thread-safe.
 */
final class CacheReader {

    private final ResultStore store;
    private final CanonicalCheck canonical;
    private final CachedBlocks blocks;
    private final BlockPrefetcher prefetcher;
    private final Aliases aliases = new Aliases();

    CacheReader(ResultStore store, CanonicalCheck canonical, CachedBlocks blocks, BlockPrefetcher prefetcher) {
        this.store = store;
        this.canonical = canonical;
        this.blocks = blocks;
        this.prefetcher = prefetcher;
    }

    /**
     * Reads memory for a call: the call's own result first, then the block that it is about.
     *
     * @param checked whether the chain was checked just now, as well as that could be done
     * @param mayFetch whether the call may wait for a fetch of its block; the call then counts as an access to the block
     */
    CacheView read(CacheCall call, boolean checked, boolean mayFetch) {
        CachedResult result = store.get(call.key());
        if (result != null) {
            Validity validity = validity(call.key(), result, checked);
            if (validity == Validity.VALID) {
                String proven = mayShowProof(result, call.namesHash()) ? result.proven() : "";
                return CacheView.of(result.reply(), new Slice(result.value(), proven, true), null);
            }
            if (validity == Validity.UNKNOWN) {
                return CacheView.UNSURE;
            }
            store.remove(call.key(), result);
        }
        BlockQuestion question = call.question();
        if (question == null) {
            return CacheView.NOTHING;
        }
        CacheView view = blocks.find(question, checked);
        return mayFetch && view.answer() == null && !view.unsure() ? ofBlock(question, call.key()) : view;
    }

    private CacheView ofBlock(BlockQuestion question, CallKey key) {
        BlockNames names = prefetcher.names(question, () -> blocks.blockOf(question));
        if (names == null) {
            return prefetcher.mayArrive() ? CacheView.ARRIVING : CacheView.NOTHING;
        }
        String hash = names.hash();
        boolean storable = question.number() < 0 || canonical.mayBeCanonical(question.number());
        BlockAccess access = prefetcher.access(
                question, key, names, part -> hash == null ? Stored.NOTHING : blocks.stored(hash, part), storable);
        return new CacheView(null, false, access, false);
    }

    /**
     * Returns the valid result of a key, or of the alias that last answered it; null if there is none.
     *
     * @param aliased whether the key may have an alias
     */
    @Nullable
    CachedResult readExact(CallKey key, boolean aliased) {
        CachedResult result = store.get(key);
        if (result != null) {
            return validity(key, result, false) == Validity.VALID ? result : null;
        }
        CallKey alias = aliased ? aliases.get(key) : null;
        CachedResult other = alias == null ? null : store.get(alias);
        return other != null && CachedBlocks.isFinal(other) && canonical.isTrusted(other) ? other : null;
    }

    /** Remembers the key of the final block's result that answered a call. */
    void remember(CallKey asked, CallKey finalKey) {
        aliases.put(asked, finalKey);
    }

    /** Returns whether clients may learn what was proven of a valid result; see {@link CanonicalCheck#mayShowProof}. */
    boolean mayShowProof(CachedResult result, boolean byHash) {
        return canonical.mayShowProof(result, byHash);
    }

    /** A result that is found to be final is offered to the tiers behind memory. */
    private Validity validity(CallKey key, CachedResult result, boolean checked) {
        boolean lasted = result.lasting();
        Validity validity = canonical.validity(result, checked);
        if (!lasted && result.lasting()) {
            store.promoted(key, result);
        }
        return validity;
    }
}
