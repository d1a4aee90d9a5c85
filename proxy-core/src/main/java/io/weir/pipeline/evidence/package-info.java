/**
 * Calls to nodes whose answers are verified. They fetch the evidence for other answers: blocks, uncles, receipts, and a second
 * upstream's word about a block's place. Tracks upstreams that give false answers. Start at
 * {@link io.weir.pipeline.evidence.VerifyingCall}.
 */
@NullMarked
package io.weir.pipeline.evidence;

import org.jspecify.annotations.NullMarked;
