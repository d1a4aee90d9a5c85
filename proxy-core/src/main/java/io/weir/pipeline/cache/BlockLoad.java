package io.weir.pipeline.cache;

import io.weir.cache.BlockKeys;
import io.weir.cache.BlockKeys.BlockPosition;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.NetworkTier.Wanted;
import io.weir.cache.tier.Tier.TierMeters.Lookup;
import io.weir.cache.tier.TierEntry;
import io.weir.method.BlockField;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.cache.TierCheck.Checked;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loads the block that a call is about from a tier into memory, with its receipts if the call asks for a part of them. Memory can then
 * answer this call and others about the block, however they name it. Confined to the call's event loop.
 *
 * @param done takes, once and on the event loop, whether memory has the block now
 */
record BlockLoad(
        NetworkTiers tiers, NetworkTier tier, CacheRequest request, BlockQuestion question, Consumer<Boolean> done) {

    /** Begins; finds the hash of the block first. */
    void begin() {
        String space = request.key().network();
        String transaction = question.transaction();
        String hash = question.number() < 0
                ? question.hash()
                : tiers.check().chain().view().hash(question.number());
        if (hash != null) {
            // Memory compares its place with the chain.
            loadBlock(hash, false, SourceMarks.NONE);
        } else if (!tier.shared()) {
            CallKey key = transaction == null
                    ? BlockKeys.height(space, question.number())
                    : BlockKeys.transaction(space, transaction);
            load(key, question.number(), entry -> tiers.check().place(entry, question.number(), tier), place -> {
                BlockPosition position = place == null ? null : BlockPosition.read(place.value());
                if (place == null || position == null) {
                    done.accept(false);
                } else {
                    loadBlock(position.block(), true, place.source());
                }
            });
        } else {
            done.accept(false);
        }
    }

    private void loadBlock(String hash, boolean placed, int source) {
        CallKey key = BlockKeys.block(request.key().network(), hash);
        boolean isOfLogs = question.form() == BlockField.LOGS && tiers.check().provesBlocks();
        if (isOfLogs && tiers.memory().store().get(key) == null) {
            loadLogs(key, hash, placed, source);
        } else {
            loadWhole(key, hash, placed, source);
        }
    }

    /** Loads receipts for their logs alone. The senders of transactions, which take nine tenths of the time of a proof, do not matter to them. */
    private void loadLogs(CallKey ofBlock, String hash, boolean placed, int source) {
        String space = request.key().network();
        CallKey stored = BlockKeys.receipts(space, hash);
        find(ofBlock, question.number(), entry -> TierCheck.isBlock(entry, hash) ? entry : null, checked -> {
            TierEntry block = checked.value();
            if (block == null) {
                tier.count(checked.outcome());
                done.accept(false);
                return;
            }
            Function<TierEntry, @Nullable CachedResult> opener =
                    entry -> tiers.check().logs(entry, block, placed, source, tier);
            find(
                    stored,
                    block.number(),
                    opener,
                    receipts -> opened(BlockKeys.logs(space, hash), receipts, found -> {
                        if (found == null) {
                            loadWhole(ofBlock, hash, placed, source);
                        } else {
                            done.accept(true);
                        }
                    }));
        });
    }

    private void loadWhole(CallKey key, String hash, boolean placed, int source) {
        load(key, question.number(), entry -> tiers.check().block(entry, hash, placed, source, tier), block -> {
            if (block != null && question.form().isOfReceipts()) {
                loadReceipts(hash, block);
            } else {
                done.accept(block != null);
            }
        });
    }

    /** A block without transactions, or without such a log by its bloom filter, answers the call even without receipts. */
    private void loadReceipts(String hash, CachedResult block) {
        CallKey key = BlockKeys.receipts(request.key().network(), hash);
        load(
                key,
                block.block().number(),
                entry -> tiers.check().receipts(entry, hash, block, tier),
                receipts -> done.accept(true));
    }

    /**
     * Loads one result, unless memory has it.
     *
     * @param number of its block; -1 if it is not known
     * @param opener returns what an entry holds, or null if it is refused; runs off the event loop
     * @param then takes the result; null if there is none
     */
    private void load(
            CallKey key,
            long number,
            Function<TierEntry, @Nullable CachedResult> opener,
            Consumer<@Nullable CachedResult> then) {
        CachedResult kept = tiers.memory().store().get(key);
        if (kept != null && tiers.check().marks().isValid(kept.source())) {
            then.accept(kept);
            return;
        }
        find(key, number, opener, checked -> opened(key, checked, then));
    }

    private <T> void find(
            CallKey key, long number, Function<TierEntry, @Nullable T> opener, Consumer<Checked<T>> then) {
        tiers.find(
                tier,
                new Wanted(key.method(), key.params(), number),
                request.context(),
                parcel -> tiers.check().open(parcel, opener),
                then);
    }

    private void opened(CallKey key, Checked<CachedResult> checked, Consumer<@Nullable CachedResult> then) {
        CachedResult result = checked.value();
        if (result == null) {
            tier.count(checked.outcome());
            then.accept(null);
            return;
        }
        CallContext context = request.context();
        Runnable known = () -> {
            boolean kept = tiers.check().isInPlace(result.block())
                    && tiers.memory().store().keep(key, result, request.purges());
            tier.count(kept ? Lookup.HIT : Lookup.REFUSED);
            if (kept) {
                tiers.passOn(key, result, request.purges(), tier);
            }
            then.accept(kept ? result : null);
        };
        tiers.check()
                .chain()
                .finality()
                .whenKnown(context.loop(), result.block().number(), () -> context.step(known));
    }
}
