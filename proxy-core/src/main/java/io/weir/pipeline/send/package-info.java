/**
 * Signed transactions: their identification, the choice of nodes, and the meaning of nodes' answers. Start at {@link
 * io.weir.pipeline.send.SendStage}.
 */
@NullMarked
package io.weir.pipeline.send;

import org.jspecify.annotations.NullMarked;
