/**
 * What a run found, and how it is written down: every figure as CSV, medians with their spread as a table, what was to be reached,
 * and plots. Start at {@link io.weir.bench.load.report.Journal} and {@link io.weir.bench.load.report.Report}.
 */
@NullMarked
package io.weir.bench.load.report;

import org.jspecify.annotations.NullMarked;
