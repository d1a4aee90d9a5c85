package io.weir.pipeline.watch;

import io.weir.chain.ChainView;
import io.weir.chain.FinalizedHeight;

/**
 * What is known of one network's chain, and those who keep it true. Thread-safe.
 *
 * @param view the newest canonical blocks
 * @param finalized the highest block that is final
 */
public record NetworkChain(ChainView view, FinalizedHeight finalized, ChainWatch watch, FinalityWatch finality) {}
