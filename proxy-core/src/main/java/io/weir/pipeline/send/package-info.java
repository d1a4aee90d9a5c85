/**
 * Signed transactions on their way to nodes: what one is known by, to whom it is sent, and what nodes' answers say of it.
 * Start at {@link io.weir.pipeline.send.SendStage}.
 */
@NullMarked
package io.weir.pipeline.send;

import org.jspecify.annotations.NullMarked;
