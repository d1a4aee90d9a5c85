/**
 * The load generators: wrk and h2load for the most calls a second, and a driver of our own. Ours does constant rates, WebSockets
 * and bursts, and checks each answer. Start at {@link io.weir.bench.load.drive.Wrk} and {@link
 * io.weir.bench.load.drive.OwnDriver}.
 */
@NullMarked
package io.weir.bench.load.drive;

import org.jspecify.annotations.NullMarked;
