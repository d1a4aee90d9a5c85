/** Clients of the proxy that check every notification. Start reading at {@link io.weir.bench.subscription.client.CheckedClient}. */
@NullMarked
package io.weir.bench.subscription.client;

import org.jspecify.annotations.NullMarked;
