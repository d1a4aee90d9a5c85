/** Load and subscriptions while proxies reload their configuration and are restarted one after the other behind a balancer. */
@NullMarked
package io.weir.bench.restart;

import org.jspecify.annotations.NullMarked;
