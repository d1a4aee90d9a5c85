/**
 * Answers held against hashes before they are served, and against other nodes' word: asking for what proves them, and what
 * follows where they are refuted. Start at {@link io.weir.pipeline.proof.ProofStage}.
 */
@NullMarked
package io.weir.pipeline.proof;

import org.jspecify.annotations.NullMarked;
