package io.weir.answer;

import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.ProofKind;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainFamily.Deviation;
import org.jspecify.annotations.Nullable;

/**
 * The table of what is judged of a network's answers before a client gets them, and before they are stored. It says what a call waits for,
 * never what is true. {@code ARCHITECTURE.md} lists it for each method, printed from here by a test. Immutable.
 *
 * @param mode the network's {@code verify}
 * @param proves whether the network proves what can be proven
 * @param hashesBlocks whether hashes of the chain cover its blocks; otherwise nothing is proven before it is served
 */
public record Policy(Verify mode, boolean proves, boolean hashesBlocks) {

    /** What is judged of an answer; each value includes those before it. */
    public enum Extent {
        /** Nothing, because the proxy does not read the parameters of the method. */
        NOTHING,
        /** The form of its method, and that it is an answer to its question. */
        QUESTION,
        /** What is known of the chain, such as the headers of the newest blocks. */
        CHAIN,
        /** What hashes cover without a further call. */
        HASHES,
        /** All that can be proven, with its block as evidence. */
        ALL
    }

    /** Returns the policy of a network. */
    public static Policy of(NetworkConfig config, ChainFamily family) {
        return new Policy(config.verify(), config.verifies(), !family.has(Deviation.NO_BLOCK_HASHES));
    }

    /** Returns what is judged of each answer that may be stored. */
    public Extent ofAll() {
        return mode == Verify.OFF ? Extent.QUESTION : Extent.CHAIN;
    }

    /** Returns what is judged of an answer before a client gets it. */
    public Extent beforeServing(MethodFacts facts) {
        if (facts.params() == null) {
            return Extent.NOTHING;
        }
        if (waits() && facts.proof() != ProofKind.NONE) {
            return Extent.ALL;
        }
        if (facts.cacheClass() == null) {
            return Extent.QUESTION;
        }
        return provesByHashes(facts.cacheClass()) ? Extent.HASHES : ofAll();
    }

    /** Returns what is judged of an answer before it is stored. */
    public Extent beforeStoring(CacheClass rule) {
        return proves && (rule.isProvable() || rule.isProvenByItsBlock()) ? Extent.ALL : ofAll();
    }

    /** Returns whether calls wait until all of an answer is proven that can be. */
    public boolean waits() {
        return proves && mode == Verify.BEFORE_SERVING && hashesBlocks;
    }

    /** Returns whether hashes may prove something of an answer for which no call waits any longer. */
    public boolean provesByHashes(@Nullable CacheClass rule) {
        return proves && hashesBlocks && rule != null && (rule.isProvable() || rule == CacheClass.RECEIPTS);
    }
}
