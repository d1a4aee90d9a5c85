/**
 * Head of a network according to its nodes: which of their statements count, and asking them when a call needs the head. The
 * package knows nothing of calls. Start at {@link io.weir.upstream.head.Follower}.
 */
@NullMarked
package io.weir.upstream.head;

import org.jspecify.annotations.NullMarked;
