/**
 * The results of a run and their report: every figure as CSV, medians with their spread as a table, the goals, and plots. Start
 * at {@link io.weir.bench.load.report.Journal} and {@link io.weir.bench.load.report.Report}.
 */
@NullMarked
package io.weir.bench.load.report;

import org.jspecify.annotations.NullMarked;
