/**
 * Calls and the network's head. Stages choose the block for a call with a tag and the nodes that may answer it. They also
 * apply the effects of answers and writes on the head. Start at {@link io.weir.pipeline.head.HeadStage}.
 */
@NullMarked
package io.weir.pipeline.head;

import org.jspecify.annotations.NullMarked;
