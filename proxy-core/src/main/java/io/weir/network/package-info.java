/**
 * The assembly of one chain's pool and plans, the network of a request, and the generation: everything created from a
 * configuration, published at once. Start at {@link io.weir.network.Generation}.
 */
@NullMarked
package io.weir.network;

import org.jspecify.annotations.NullMarked;
