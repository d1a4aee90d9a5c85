/**
 * The logs of the stream's blocks: the criteria of subscriptions, an index over them, and the fetches that they need. Start at
 * {@link io.weir.subscription.log.LogStream}.
 */
@NullMarked
package io.weir.subscription.log;

import org.jspecify.annotations.NullMarked;
