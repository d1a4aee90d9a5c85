/**
 * The wallet: accounts of the layer-2 network, kept for the callers of the proxy and used through {@code wallet_invokeSnap}.
 * Here: the plugin's entry point and its settings.
 *
 * <p>The packages below, from the outside inward. The package {@code snap} reads requests, and {@code method} answers them. The package {@code
 * request} joins equal requests and withdraws those whose callers have gone. The
 * package {@code send} brings transactions to the network by way of {@code chain}, and {@code state} stores them. The package
 * {@code approval} asks a person, on the admin listener's {@code page}, and {@code key} keeps the seeds, which the {@code
 * command} line makes.
 */
@NullMarked
package io.weir.wallet;

import org.jspecify.annotations.NullMarked;
