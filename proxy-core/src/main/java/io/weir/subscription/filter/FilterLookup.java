package io.weir.subscription.filter;

import io.weir.pipeline.CallContext;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.filter.FilterTable;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the filter that a call is about. Immutable.
 *
 * @param id of the filter
 */
record FilterLookup(String id, StreamFilter filter) {

    /** Returns the filter of a call; null if it is none of the stream, or none of this caller. */
    static @Nullable FilterLookup of(CallContext context, FilterTable table) {
        FirstParam param = FirstParam.of(context.call().params());
        String id = param == null ? null : param.string();
        if (id == null) {
            return null;
        }
        return table.find(id, context.caller()) instanceof StreamFilter filter ? new FilterLookup(id, filter) : null;
    }
}
