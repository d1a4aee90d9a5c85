/**
 * The envelope of the wallet's calls: {@code wallet_invokeSnap} with a request inside, its parameters, and the errors that wallets
 * answer with.
 */
@NullMarked
package io.weir.wallet.snap;

import org.jspecify.annotations.NullMarked;
