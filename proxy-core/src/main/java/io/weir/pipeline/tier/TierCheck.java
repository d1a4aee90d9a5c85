package io.weir.pipeline.tier;

import io.weir.cache.AnswerFacts;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.SourceMarks;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.NetworkTier.Parcel;
import io.weir.cache.tier.TierMeters.Lookup;
import io.weir.cache.tier.entry.BadEntryException;
import io.weir.cache.tier.entry.TierEntry;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.admission.CacheRequest;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The check of entries from tiers, as strict as the admission of nodes' answers. An entry must answer the request, and have the
 * hashes that it names. Its block must be final, and no other block known at its place. Thread-safe.
 */
final class TierCheck {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(TierCheck.class));
    private static final Checked REFUSED = new Checked(null, Lookup.REFUSED);

    private final NetworkChain chain;
    private final TierTrust trust;
    private final boolean verifies;
    private final ChainRules rules;
    private final SourceMarks marks;

    /**
     * The result of a check.
     *
     * @param answer null if there is none, or if it is refused
     * @param outcome to be counted in that case; null if nothing is counted
     */
    record Checked(@Nullable TierAnswer answer, @Nullable Lookup outcome) {}

    TierCheck(NetworkChain chain, TierTrust trust, boolean verifies, ChainRules rules, SourceMarks marks) {
        this.chain = chain;
        this.trust = trust;
        this.verifies = verifies;
        this.rules = rules;
        this.marks = marks;
    }

    SourceMarks marks() {
        return marks;
    }

    NetworkChain chain() {
        return chain;
    }

    TierTrust trust() {
        return trust;
    }

    /** Opens an entry and verifies its content; never called on an event loop, because it takes long. */
    Checked open(CacheRequest request, Parcel parcel, NetworkTier tier) {
        TierEntry entry;
        try {
            entry = parcel.open();
        } catch (BadEntryException e) {
            LOG.warn("network " + request.key().network() + ": an entry of a tier behind memory is refused: "
                    + e.getMessage());
            return REFUSED;
        }
        CacheClass rule = request.rule();
        RawJson value = entry.value();
        AnswerFacts facts = rule.namesBlock() ? AnswerFacts.read(rule, value) : null;
        if (value.equals(RawJson.NULL) || !(rule.namesBlock() ? isAnswer(request, facts) : isAbout(request, entry))) {
            return REFUSED;
        }
        AnswerKind kind = rule.provenAs();
        if (!verifies || kind == null) {
            return new Checked(new TierAnswer(entry, facts, ""), null);
        }
        Verification<?> proof = AnswerProof.check(kind, value, request.provenHash(facts), rules);
        if (proof instanceof Verification.Unprovable) {
            return trust.isTrusted(tier) ? new Checked(new TierAnswer(entry, facts, ""), null) : REFUSED;
        }
        if (!(proof instanceof Verification.Proven)) {
            LOG.warn("network " + request.key().network() + ": an entry of a tier behind memory for "
                    + request.key().method() + " is not proven: " + proof.detail());
            return REFUSED;
        }
        return new Checked(new TierAnswer(entry, facts, proof.parts()), null);
    }

    private static boolean isAnswer(CacheRequest request, @Nullable AnswerFacts facts) {
        return facts != null && request.isAnsweredBy(facts);
    }

    private static boolean isAbout(CacheRequest request, TierEntry entry) {
        if (request.rule() == CacheClass.TRACE && !(request.params().block() instanceof BlockSelector.Height)) {
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
    boolean isInPlace(CacheRequest request, TierAnswer answer, NetworkTier tier) {
        String canonical = chain.view().hash(answer.number());
        boolean elsewhere = canonical != null && answer.hash() != null && !canonical.equals(answer.hash());
        return chain.finalized().covers(answer.number()) && !elsewhere && trust.believes(request, tier);
    }

    /** Returns the result for memory. It counts as proven only if its block's place is known, or a hash names its object. */
    CachedResult result(CacheRequest request, TierAnswer answer) {
        boolean anchored = request.namesHash() || chain.view().hash(answer.number()) != null;
        boolean place = anchored || request.rule() == CacheClass.TRANSACTION;
        BlockRef block = new BlockRef(answer.number(), answer.hash(), CachedResult.ANY_STAMP);
        int source = marks.ofFingerprint(answer.entry().source().node());
        return new CachedResult(
                answer.entry().value(), request.rule().kind(), place ? answer.proven() : "", block, true, source);
    }
}
