/**
 * The stage of calls that wait until their results are proven. {@link io.weir.pipeline.evidence} proves them. Start at
 * {@link io.weir.pipeline.proof.ProofStage}.
 */
@NullMarked
package io.weir.pipeline.proof;

import org.jspecify.annotations.NullMarked;
