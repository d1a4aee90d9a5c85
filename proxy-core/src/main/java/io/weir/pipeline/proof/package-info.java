/**
 * Verification of answers before they are served: by hashes, and by comparing blocks with other nodes'. Start at
 * {@link io.weir.pipeline.proof.Proofs}.
 */
@NullMarked
package io.weir.pipeline.proof;

import org.jspecify.annotations.NullMarked;
