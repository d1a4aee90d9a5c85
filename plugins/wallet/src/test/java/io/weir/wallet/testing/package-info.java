/** What the wallet's tests run against: a scripted node, a host in place of the proxy, and doubles for seeds and approvals. */
@NullMarked
package io.weir.wallet.testing;

import org.jspecify.annotations.NullMarked;
