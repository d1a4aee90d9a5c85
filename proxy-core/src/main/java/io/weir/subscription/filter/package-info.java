/**
 * Filters whose changes come from the stream of a network's events. One journal keeps the changes for all filters; a filter holds its
 * position in it. Start at {@link io.weir.subscription.filter.StreamFilters}.
 */
@NullMarked
package io.weir.subscription.filter;

import org.jspecify.annotations.NullMarked;
