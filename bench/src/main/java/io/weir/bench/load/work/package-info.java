/**
 * What is measured, each workload against the servers that it is about, in turns. Start at {@link io.weir.bench.load.work.Workloads}.
 */
@NullMarked
package io.weir.bench.load.work;

import org.jspecify.annotations.NullMarked;
