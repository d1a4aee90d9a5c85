/**
 * The head of a network as its nodes name it: what counts of what they say, and asking them when a call needs to know. Knows
 * nothing of calls. Start at {@link io.weir.upstream.head.HeadRefresh}.
 */
@NullMarked
package io.weir.upstream.head;

import org.jspecify.annotations.NullMarked;
