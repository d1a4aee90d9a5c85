/** The wallet's fifteen methods: what each asks of the network, the state and whoever approves, and how its answer reads. */
@NullMarked
package io.weir.wallet.method;

import org.jspecify.annotations.NullMarked;
