/**
 * A chain in this process whose blocks are right in every hash, root, bloom and signature, which forks as a test says, and the
 * node that answers for it: as a stage of the pipeline, or over HTTP. Start at {@link io.weir.testing.chain.TestChain}.
 */
@NullMarked
package io.weir.testing.chain;

import org.jspecify.annotations.NullMarked;
