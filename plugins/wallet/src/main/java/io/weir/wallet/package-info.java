/**
 * The wallet: accounts of the layer-2 network, kept for the callers of the proxy and used through {@code wallet_invokeSnap}. Here: the
 * plugin's entrance and its settings.
 *
 * <p>The packages below, from the door inward: {@code snap} reads requests, {@code method} answers them, {@code send} brings
 * transactions to the network, {@code chain} talks with it, {@code state} keeps what was done. {@code approval} asks a person, on
 * the admin listener's {@code page}, and {@code key} keeps the seeds, which the {@code command} line makes.
 */
@NullMarked
package io.weir.wallet;

import org.jspecify.annotations.NullMarked;
