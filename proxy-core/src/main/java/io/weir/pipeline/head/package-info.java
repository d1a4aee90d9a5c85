/**
 * Calls and the network's head: which block a call is held to where it names a tag, which nodes may answer it for that, and what
 * answers and writes say of the head. Start at {@link io.weir.pipeline.head.HeadStage}.
 */
@NullMarked
package io.weir.pipeline.head;

import org.jspecify.annotations.NullMarked;
