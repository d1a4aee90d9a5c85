/**
 * Budgets of nodes in the units in which their providers bill. Start at {@link io.weir.upstream.budget.NodeBudget}.
 */
@NullMarked
package io.weir.upstream.budget;

import org.jspecify.annotations.NullMarked;
