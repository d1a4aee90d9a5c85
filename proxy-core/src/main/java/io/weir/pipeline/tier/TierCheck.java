package io.weir.pipeline.tier;

import io.weir.cache.AnswerFacts;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.SourceMarks;
import io.weir.cache.block.BlockPosition;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.NetworkTier.Parcel;
import io.weir.cache.tier.TierMeters.Lookup;
import io.weir.cache.tier.entry.BadEntryException;
import io.weir.cache.tier.entry.TierEntry;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.ResultKind;
import io.weir.method.params.BlockSelector;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The check of entries from tiers, as strict as the admission of nodes' answers. An entry must answer the request, and have the
 * hashes that it names. Its block must be final, and no other block known at its place. Thread-safe.
 */
record TierCheck(NetworkChain chain, TierTrust trust, boolean verifies, ChainRules rules, SourceMarks marks) {

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

    /**
     * A result from a tier, and what its check found. Immutable.
     *
     * @param facts what the result says about its block; null if it does not name it
     * @param proven the proven parts of its content; empty if there are none
     */
    record Answer(TierEntry entry, @Nullable AnswerFacts facts, String proven) {

        /** Returns the number of the block that the result depends on. */
        long number() {
            return facts == null ? entry.number() : facts.number();
        }

        /** Returns the hash of that block; null if the result does not name it. */
        @Nullable
        String hash() {
            return facts == null ? entry.hash() : facts.hash();
        }
    }

    /**
     * Opens an entry; never called on an event loop, because it takes long.
     *
     * @param check returns what the entry holds; null if it is refused
     */
    <T> Checked<T> open(Parcel parcel, Function<TierEntry, @Nullable T> check) {
        try {
            T value = check.apply(parcel.open());
            return new Checked<>(value, value == null ? Lookup.REFUSED : null);
        } catch (BadEntryException e) {
            LOG.warn("an entry of a tier behind memory is refused: " + e.getMessage());
            return Checked.nothing(Lookup.REFUSED);
        }
    }

    /** Returns an entry that answers a call, proven as far as it proves itself; null if it is refused. */
    @Nullable
    Answer answer(CacheRequest request, TierEntry entry, NetworkTier tier) {
        CacheClass rule = request.rule();
        RawJson value = entry.value();
        AnswerFacts facts = rule.namesBlock() ? AnswerFacts.read(rule, value) : null;
        if (value.equals(RawJson.NULL) || !(rule.namesBlock() ? isAnswer(request, facts) : isAbout(request, entry))) {
            return null;
        }
        AnswerKind kind = rule.provenAs();
        String proven = verifies && kind != null
                ? proven(AnswerProof.check(kind, value, request.provenHash(facts), rules), entry, tier)
                : "";
        return proven == null ? null : new Answer(entry, facts, proven);
    }

    /** Returns the proven parts of an entry; null if it is refused. */
    private @Nullable String proven(Verification<?> proof, TierEntry entry, NetworkTier tier) {
        if (proof instanceof Verification.Proven) {
            return proof.parts();
        }
        boolean open = proof instanceof Verification.Unprovable || proof instanceof Verification.Incomplete;
        if (open && trust.isTrusted(tier)) {
            return "";
        }
        if (!open) {
            LOG.warn("an entry of a tier behind memory for " + entry.method() + " is not proven: " + proof.detail());
        }
        return null;
    }

    /**
     * Returns which block a trusted entry names for a height or a transaction; null if it names none.
     *
     * @param number the height; -1 for a transaction
     */
    @Nullable
    CachedResult place(TierEntry entry, long number, NetworkTier tier) {
        BlockPosition position = BlockPosition.read(entry.value());
        boolean fits =
                position != null && position.block().equals(entry.hash()) && (number < 0 || number == entry.number());
        return fits ? result(entry, number < 0 ? ResultKind.TRANSACTION : ResultKind.BLOCK, "", true, tier) : null;
    }

    /** Returns the block of an entry, proven if the network verifies; null if it is refused. */
    @Nullable
    CachedResult block(TierEntry entry, String hash, boolean placed, NetworkTier tier) {
        AnswerFacts facts = AnswerFacts.read(CacheClass.BLOCK, entry.value());
        if (facts == null
                || !facts.hash().equals(hash)
                || !hash.equals(entry.hash())
                || facts.number() != entry.number()) {
            return null;
        }
        String proven =
                verifies ? proven(AnswerProof.check(AnswerKind.BLOCK, entry.value(), hash, rules), entry, tier) : "";
        return proven == null ? null : result(entry, ResultKind.BLOCK, proven, placed, tier);
    }

    /** Returns the receipts of an entry, proven by their block if the network verifies; null if they are refused. */
    @Nullable
    CachedResult receipts(TierEntry entry, String hash, CachedResult block, NetworkTier tier) {
        AnswerFacts facts = verifies ? null : AnswerFacts.read(CacheClass.RECEIPTS, entry.value());
        if (entry.number() != block.block().number()
                || (!verifies && (facts == null || !facts.hash().equals(hash)))) {
            return null;
        }
        String proven = verifies
                ? proven(AnswerProof.checkReceipts(entry.value(), block.value(), hash, rules), entry, tier)
                : "";
        return proven == null ? null : result(entry, ResultKind.RECEIPT, proven, block.placed(), tier);
    }

    private @Nullable CachedResult result(
            TierEntry entry, ResultKind kind, String proven, boolean placed, NetworkTier tier) {
        BlockRef block = new BlockRef(entry.number(), entry.hash(), CachedResult.ANY_STAMP);
        int source = marks.ofFingerprint(entry.source().node());
        // After the mark was taken: either that is worthless now, or the tier knows already.
        return tier.isRevoked(entry)
                ? null
                : new CachedResult(entry.value(), kind, proven, block, true, source).with(placed, null);
    }

    private static boolean isAnswer(CacheRequest request, @Nullable AnswerFacts facts) {
        return facts != null && request.isAnsweredBy(facts);
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

    /** Returns whether the block is known to be final, and no other block is known at its place. */
    boolean isInPlace(CacheRequest request, Answer answer, NetworkTier tier) {
        return isInPlace(answer.number(), answer.hash()) && trust.believes(request, tier);
    }

    /** Returns whether a block is known to be final, and no other block is known at its place. */
    boolean isInPlace(long number, @Nullable String hash) {
        String canonical = chain.view().hash(number);
        boolean elsewhere = canonical != null && hash != null && !canonical.equals(hash);
        return chain.finalized().covers(number) && !elsewhere;
    }

    /** Returns the result for memory. It counts as proven only if its block's place is known, or a hash names its object. */
    CachedResult result(CacheRequest request, Answer answer) {
        boolean anchored = request.namesHash() || chain.view().hash(answer.number()) != null;
        boolean place = anchored || request.rule() == CacheClass.TRANSACTION;
        BlockRef block = new BlockRef(answer.number(), answer.hash(), CachedResult.ANY_STAMP);
        int source = marks.ofFingerprint(answer.entry().source().node());
        return new CachedResult(
                answer.entry().value(), request.rule().kind(), place ? answer.proven() : "", block, true, source);
    }
}
