/**
 * The check of every result that a node gives, and the evidence for it: blocks, uncles, receipts, and a second upstream's word about a
 * block's place. Tracks upstreams that give false answers. Start at {@link io.weir.pipeline.evidence.JudgeCheck}.
 */
@NullMarked
package io.weir.pipeline.evidence;

import org.jspecify.annotations.NullMarked;
