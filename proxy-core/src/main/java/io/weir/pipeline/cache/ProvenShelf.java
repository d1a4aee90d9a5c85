package io.weir.pipeline.cache;

import io.weir.cache.AnswerFacts;
import io.weir.cache.AnswerProof;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.KeepRule;
import io.weir.cache.ResultMemory;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.TroubleLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Puts answers into the memory, those that can be proven only once they are. Thread-safe. */
final class ProvenShelf {

    private static final TroubleLog LOG = new TroubleLog(LoggerFactory.getLogger(ProvenShelf.class));

    private final ResultMemory memory;
    private final CacheMeters meters;
    private final ChainView view;
    private final boolean verifies;

    /**
     * Puts answers of one network.
     *
     * @param view learns of blocks that are proven
     * @param verifies whether what can be proven must be
     */
    ProvenShelf(ResultMemory memory, CacheMeters meters, ChainView view, boolean verifies) {
        this.view = view;
        this.memory = memory;
        this.meters = meters;
        this.verifies = verifies;
    }

    boolean verifies() {
        return verifies;
    }

    void count(Keeping keeping) {
        meters.count(keeping);
    }

    /**
     * Keeps an answer, now or once it is proven.
     *
     * @param facts what it says of itself; null where it does not
     * @param lasting whether its block is final
     * @param anchored whether its block is the one that was asked for by its hash, or known to be canonical
     */
    void keep(
            Question question,
            RawJson answer,
            @Nullable AnswerFacts facts,
            BlockRef block,
            boolean lasting,
            boolean anchored) {
        KeepRule rule = question.rule();
        if (verifies && rule.isProvenByItsBlock()) {
            // What could be proven is not kept without the proof, and its block is not at hand.
            meters.count(Keeping.UNVERIFIED);
            return;
        }
        if (!verifies || !rule.isProvable()) {
            put(question, answer, "", block, lasting);
            return;
        }
        Runnable proof = () -> {
            AnswerProof.Result result = AnswerProof.check(rule, answer, question.provenHash(facts));
            meters.count(result.outcome());
            switch (result.outcome()) {
                case PROVEN -> {
                    learn(facts);
                    boolean place = anchored || rule == KeepRule.TRANSACTION;
                    put(question, answer, place ? result.parts() : "", block, lasting);
                }
                case INCOMPLETE, UNVERIFIABLE -> meters.count(Keeping.UNVERIFIED);
                default -> {
                    meters.count(Keeping.WRONG);
                    LOG.warn("network " + question.key().network() + ": an answer to "
                            + question.key().method() + " does not have the hash that it names: " + result.detail());
                }
            }
        };
        if (rule == KeepRule.HEADER) {
            proof.run();
        } else if (!memory.executor().tryRun(answer.length(), proof)) {
            meters.count(Keeping.NO_ROOM);
        }
    }

    private void learn(@Nullable AnswerFacts facts) {
        if (facts != null && facts.parentHash() != null) {
            view.extend(new BlockLink(facts.number(), facts.hash(), facts.parentHash()));
        }
    }

    private void put(Question question, RawJson answer, String proven, BlockRef block, boolean lasting) {
        CachedResult result = new CachedResult(answer.compact(), question.rule().kind(), proven, block, lasting);
        if (memory.store().put(question.key().compact(), result, question.purges())) {
            boolean provable = verifies && question.rule().isProvable();
            meters.count(provable ? Keeping.PROVEN : Keeping.UNPROVEN);
        } else {
            meters.count(Keeping.NO_ROOM);
        }
    }
}
