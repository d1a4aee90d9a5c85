/**
 * The workloads. Each runs against its servers in turns. Start at {@link io.weir.bench.load.work.Workloads}.
 */
@NullMarked
package io.weir.bench.load.work;

import org.jspecify.annotations.NullMarked;
