/**
 * Filters: what a client gets is an id of the proxy's own, behind which one node holds the filter; calls for it go there and
 * nowhere else. Start at {@link io.weir.pipeline.filter.FilterStages}.
 */
@NullMarked
package io.weir.pipeline.filter;

import org.jspecify.annotations.NullMarked;
