/**
 * What is in flight, and the bounds on it: counted by the front door and by whoever collects answers for it. Imports nothing of
 * the proxy. Start at {@link io.weir.limit.Budget}.
 */
@NullMarked
package io.weir.limit;

import org.jspecify.annotations.NullMarked;
