package io.weir.pipeline.cache;

import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.FinalizedHeight;

/** What is known of one network's chain, and those who keep it true. Thread-safe. */
record NetworkChain(ChainView view, FinalizedHeight finalized, ChainWatch watch, FinalityWatch finality) {

    /** Lets the view learn from a block that a node answered with. */
    void learn(BlockLink link, Question question, String upstreamId) {
        if (question.namesHash()) {
            view.extend(link);
        } else {
            watch.offerHead(link, question.round(), question.beganNanos(), upstreamId);
            view.extend(link);
        }
    }
}
