/**
 * The programs that are compared: their configurations, written anew for each run, and their processes, each ended by its own
 * handle. Start at {@link io.weir.bench.load.server.Servers}.
 */
@NullMarked
package io.weir.bench.load.server;

import org.jspecify.annotations.NullMarked;
