package io.weir.pipeline.cache;

import io.weir.cache.AnswerFacts;
import io.weir.cache.BlockKeys.BlockPosition;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.SourceMarks;
import io.weir.cache.tier.EntryCodec.BadEntryException;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.NetworkTier.Parcel;
import io.weir.cache.tier.Tier.TierMeters.Lookup;
import io.weir.cache.tier.TierEntry;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.ResultKind;
import io.weir.method.params.BlockSelector;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainFamily.Deviation;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The rules for results in tiers, and the check of entries that come back, as strict as the admission of nodes' answers. An entry must
 * answer the request, and have the hashes that it names. Its block must be final, and no other block known at its place. Thread-safe.
 *
 * <ul>
 *   <li>If the network verifies, a block or a header is verified again, and the receipts of a block by that block.
 *   <li>State, executed calls, traces, and the place of a block or a transaction count only in the proxy's own tier. So do all results of
 *       a network that does not verify. They end when one of the network's nodes is caught.
 *   <li>If the network verifies, other results that only their whole block proves are in no tier. They are derived from the block and its
 *       receipts.
 * </ul>
 *
 * @param verifies whether the network proves what can be proven
 * @param rules of the chain
 * @param marks of the network's nodes
 */
record TierCheck(NetworkChain chain, boolean verifies, ChainRules rules, SourceMarks marks) {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(TierCheck.class));

    /**
     * The result of a lookup and its check. Immutable.
     *
     * @param <T> the type of the value
     * @param value null if there is none, or if it is refused
     * @param outcome to be counted in that case; null if nothing is counted
     */
    record Checked<T>(@Nullable T value, @Nullable Lookup outcome) {

        /** Returns the result without a value. */
        static <T> Checked<T> nothing(@Nullable Lookup outcome) {
            return new Checked<>(null, outcome);
        }
    }

    /** Returns whether blocks of the network can be proven again. If not, it stores and believes nothing in a shared tier. */
    boolean provesBlocks() {
        return verifies && !rules.family().has(Deviation.NO_BLOCK_HASHES);
    }

    /**
     * Returns whether results of a class are stored in a tier.
     *
     * @param rule null for the place of a block or a transaction
     */
    boolean stores(@Nullable CacheClass rule, NetworkTier tier) {
        return rule == CacheClass.RECEIPTS || (rule == null ? !tier.shared() : isAnswer(rule, tier));
    }

    /** Returns whether a tier may have an answer to this very call that would be used. */
    boolean mayAnswer(CacheRequest request, NetworkTier tier) {
        return isAnswer(request.rule(), tier) && (!tier.shared() || isPlaced(request));
    }

    /** Returns whether an entry of a class answers its call without its block. The hash of a block or a header covers all of it. */
    private boolean isAnswer(CacheClass rule, NetworkTier tier) {
        return tier.shared()
                ? rule == CacheClass.BLOCK || rule == CacheClass.HEADER
                : !verifies || !rule.needsItsBlock();
    }

    /** Returns whether the hash that the answer must have is known; the check compares it. */
    private boolean isPlaced(CacheRequest request) {
        return request.namesHash()
                || (request.params().block() instanceof BlockSelector.Height height
                        && chain.view().hash(height.number()) != null);
    }

    /**
     * Opens an entry; never called on an event loop, because it takes long.
     *
     * @param check returns what the entry holds; null if it is refused
     */
    <T> Checked<T> open(Parcel parcel, Function<TierEntry, @Nullable T> check) {
        try {
            T value = check.apply(parcel.open());
            if (value != null) {
                return new Checked<>(value, null);
            }
        } catch (BadEntryException e) {
            LOG.warn("an entry of a tier behind memory is refused: " + e.getMessage());
        }
        parcel.discard();
        return Checked.nothing(Lookup.REFUSED);
    }

    /** Returns the result of an entry that answers a call; null if it is refused. */
    @Nullable
    CachedResult answer(CacheRequest request, TierEntry entry, NetworkTier tier) {
        CacheClass rule = request.rule();
        RawJson value = entry.value();
        AnswerFacts facts = rule.namesBlock() ? AnswerFacts.read(rule, value) : null;
        boolean fits = facts == null
                ? !rule.namesBlock() && isAbout(request, entry)
                : request.isAnsweredBy(facts) && isOf(facts, entry);
        if (value.equals(RawJson.NULL) || !fits) {
            return null;
        }
        AnswerKind kind = verifies ? rule.provenAs() : null;
        Verification<?> proof = kind == null ? null : AnswerProof.check(kind, value, request.provenHash(facts), rules);
        // Of an answer whose block is not placed, a proof of the content does not prove enough.
        boolean partly = proof instanceof Verification.Proven && !isPlaced(request);
        return result(entry, rule.kind(), partly ? null : proof, false, SourceMarks.NONE, tier);
    }

    /**
     * Returns which block an entry of the proxy's own tier names for a height or a transaction; null if it is refused.
     *
     * @param number the height; -1 for a transaction
     */
    @Nullable
    CachedResult place(TierEntry entry, long number, NetworkTier tier) {
        BlockPosition position = BlockPosition.read(entry.value());
        boolean fits =
                position != null && position.block().equals(entry.hash()) && (number < 0 || number == entry.number());
        ResultKind kind = number < 0 ? ResultKind.TRANSACTION : ResultKind.BLOCK;
        return fits ? result(entry, kind, null, true, SourceMarks.NONE, tier) : null;
    }

    /**
     * Returns the block of an entry, proven if the network verifies; null if it is refused.
     *
     * @param placed whether the block is known to be the one that the call is about, and not only to be named by its hash
     * @param source the mark of the result that says so; {@link SourceMarks#NONE} if there is none
     */
    @Nullable
    CachedResult block(TierEntry entry, String hash, boolean placed, int source, NetworkTier tier) {
        if (!isBlock(entry, hash)) {
            return null;
        }
        Verification<?> proof = verifies ? AnswerProof.check(AnswerKind.BLOCK, entry.value(), hash, rules) : null;
        return result(entry, ResultKind.BLOCK, proof, placed, source, tier);
    }

    /** Returns whether an entry says of itself that it is a block. Nothing is proven. */
    static boolean isBlock(TierEntry entry, String hash) {
        return hash.equals(entry.hash()) && isOf(AnswerFacts.read(CacheClass.BLOCK, entry.value()), entry);
    }

    /** Returns the receipts of an entry, proven by their block if the network verifies; null if they are refused. */
    @Nullable
    CachedResult receipts(TierEntry entry, String hash, CachedResult block, NetworkTier tier) {
        AnswerFacts facts = verifies ? null : AnswerFacts.read(CacheClass.RECEIPTS, entry.value());
        if (entry.number() != block.block().number()
                || (!verifies && (facts == null || !facts.hash().equals(hash)))) {
            return null;
        }
        Verification<?> proof = verifies ? AnswerProof.checkReceipts(entry.value(), block.value(), hash, rules) : null;
        return result(entry, ResultKind.RECEIPT, proof, block.placed(), block.source(), tier);
    }

    /**
     * Returns the receipts of an entry, of which the logs are proven by their block; null if they are refused.
     *
     * @param block an entry of which nothing is proven
     * @param placed as for {@link #block}
     * @param source as for {@link #block}
     */
    @Nullable
    CachedResult logs(TierEntry entry, TierEntry block, boolean placed, int source, NetworkTier tier) {
        Verification<?> proof =
                AnswerProof.checkReceipts(entry.value(), block.value(), String.valueOf(block.hash()), rules);
        boolean isProven = proof instanceof Verification.Proven && entry.number() == block.number();
        return isProven ? result(entry, ResultKind.RECEIPT, proof, placed, source, tier) : null;
    }

    /**
     * Returns the result of an entry; null if it is refused.
     *
     * @param proof of it; null if there is none
     * @param source the mark of the result that places its block, and of this one if it is proven
     */
    private @Nullable CachedResult result(
            TierEntry entry,
            ResultKind kind,
            @Nullable Verification<?> proof,
            boolean placed,
            int source,
            NetworkTier tier) {
        boolean proven = proof instanceof Verification.Proven;
        String parts = proof == null ? "" : proof.parts();
        boolean open =
                proof == null || proof instanceof Verification.Unprovable || proof instanceof Verification.Incomplete;
        // The mark first: if a node is caught in between, either that is worthless now, or the tier knows already.
        int mark = proven ? source : marks.ofTiers();
        if (proof != null && !proven && !open) {
            LOG.warn("an entry of a tier behind memory for " + entry.method() + " is not proven: " + proof.detail());
        }
        if (!marks.isValid(source) || !(proven || (open && tier.trusts(entry)))) {
            return null;
        }
        BlockRef block = new BlockRef(entry.number(), entry.hash(), CachedResult.ANY_STAMP);
        return new CachedResult(entry.value(), kind, proven ? parts : "", block, true, mark, placed);
    }

    /** Returns whether a result names the block of its entry. */
    private static boolean isOf(@Nullable AnswerFacts facts, TierEntry entry) {
        return facts != null && facts.number() == entry.number() && facts.hash().equals(entry.hash());
    }

    private static boolean isAbout(CacheRequest request, TierEntry entry) {
        if (request.rule() == CacheClass.FINAL_VALUE && !(request.params().block() instanceof BlockSelector.Height)) {
            // The key of the entry holds the hash that the call names. Only final blocks have such entries.
            return true;
        }
        if (request.params().block() instanceof BlockSelector.Height height) {
            return height.number() == entry.number();
        }
        return request.params().block() instanceof BlockSelector.Hash hash
                && hash.hash().equals(entry.hash());
    }

    /** Returns whether a block is known to be final, and no other block is known at its place. */
    boolean isInPlace(BlockRef block) {
        String hash = block.hash();
        String canonical = chain.view().hash(block.number());
        boolean elsewhere = canonical != null && hash != null && !canonical.equals(hash);
        return chain.finalized().covers(block.number()) && !elsewhere;
    }
}
