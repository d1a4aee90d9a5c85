package io.weir.pipeline.tier;

import io.weir.cache.AnswerFacts;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.tier.NetworkTier;
import io.weir.cache.tier.NetworkTier.Parcel;
import io.weir.cache.tier.TierMeters.Lookup;
import io.weir.cache.tier.entry.BadEntryException;
import io.weir.cache.tier.entry.TierEntry;
import io.weir.jsonrpc.RawJson;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.method.AnswerKind;
import io.weir.verify.AnswerProof;
import io.weir.verify.MemberNames;
import io.weir.verify.Verification;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Holds what a tier gives to all that an answer of a node would be held to before it is kept: it must be one to the question, have
 * the hashes that it names, and be of a block that is final and not known to be elsewhere. Thread-safe.
 */
final class TierCheck {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(TierCheck.class));
    private static final Checked REFUSED = new Checked(null, Lookup.REFUSED);

    private final NetworkChain chain;
    private final TierTrust trust;
    private final boolean verifies;
    private final MemberNames names;

    /**
     * What became of what a tier gave.
     *
     * @param answer null where it is not believed, or there is none
     * @param outcome to be counted then
     */
    record Checked(@Nullable TierAnswer answer, @Nullable Lookup outcome) {}

    TierCheck(NetworkChain chain, TierTrust trust, boolean verifies, MemberNames names) {
        this.chain = chain;
        this.trust = trust;
        this.verifies = verifies;
        this.names = names;
    }

    /** Opens it and proves its content; takes its time. */
    Checked open(Asked question, Parcel parcel) {
        TierEntry entry;
        try {
            entry = parcel.open();
        } catch (BadEntryException e) {
            LOG.warn("network " + question.key().network() + ": an entry of a tier behind memory is refused: "
                    + e.getMessage());
            return REFUSED;
        }
        CacheClass rule = question.rule();
        RawJson value = entry.value();
        AnswerFacts facts = rule.namesBlock() ? AnswerFacts.read(rule, value) : null;
        if (value.equals(RawJson.NULL) || !(rule.namesBlock() ? isAnswer(question, facts) : isAbout(question, entry))) {
            return REFUSED;
        }
        AnswerKind kind = rule.provenAs();
        if (!verifies || kind == null) {
            return new Checked(new TierAnswer(entry, facts, ""), null);
        }
        Verification<?> proof = AnswerProof.check(kind, value, question.provenHash(facts), names);
        if (!(proof instanceof Verification.Proven)) {
            LOG.warn("network " + question.key().network() + ": an entry of a tier behind memory for "
                    + question.key().method() + " is not proven: " + proof.detail());
            return REFUSED;
        }
        return new Checked(new TierAnswer(entry, facts, proof.parts()), null);
    }

    private static boolean isAnswer(Asked question, @Nullable AnswerFacts facts) {
        return facts != null && question.isAnsweredBy(facts);
    }

    private static boolean isAbout(Asked question, TierEntry entry) {
        if (question.params().block() instanceof BlockSelector.Height height) {
            return height.number() == entry.number();
        }
        return question.params().block() instanceof BlockSelector.Hash hash
                && hash.hash().equals(entry.hash());
    }

    /** Whether its block is final, as far as that is known now, and nothing is known against its place. */
    boolean isInPlace(Asked question, TierAnswer answer, NetworkTier tier) {
        String canonical = chain.view().hash(answer.number());
        boolean elsewhere = canonical != null && answer.hash() != null && !canonical.equals(answer.hash());
        return chain.finalized().covers(answer.number()) && !elsewhere && trust.believes(question, tier);
    }

    /** The result as memory keeps it. Of a block's place nothing is said to be proven that was not asked for or is known. */
    CachedResult result(Asked question, TierAnswer answer) {
        boolean anchored = question.namesHash() || chain.view().hash(answer.number()) != null;
        boolean place = anchored || question.rule() == CacheClass.TRANSACTION;
        BlockRef block = new BlockRef(answer.number(), answer.hash(), CachedResult.ANY_STAMP);
        return new CachedResult(
                answer.entry().value(), question.rule().kind(), place ? answer.proven() : "", block, true);
    }
}
