/**
 * One chain's pool and plans put together, finding the network of a request, and the generation: everything that a
 * configuration made, published at once. Start at {@link io.weir.network.Generation}.
 */
@NullMarked
package io.weir.network;

import org.jspecify.annotations.NullMarked;
