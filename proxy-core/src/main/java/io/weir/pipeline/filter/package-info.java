/**
 * The table of a network's filters, and those that nodes hold. A client gets an id of the proxy's own. One node holds the filter, and
 * calls about it go to that node only. Start at {@link io.weir.pipeline.filter.HeldFilters}.
 */
@NullMarked
package io.weir.pipeline.filter;

import org.jspecify.annotations.NullMarked;
