package io.weir.subscription.filter;

import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.filter.FilterEnding;
import io.weir.pipeline.filter.FilterRemoval;
import io.weir.pipeline.filter.FilterTable;

/** Stage that removes a filter of the stream. Thread-safe. */
final class EndFilterStage implements Stage {

    private final FilterTable table;
    private final Stage atNode;

    EndFilterStage(FilterTable table, Stage atNode) {
        this.table = table;
        this.atNode = atNode;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        FilterLookup found = FilterLookup.of(context, table);
        if (found == null) {
            atNode.handle(context, sink);
        } else {
            boolean ended = table.end(found.id(), found.filter(), FilterEnding.UNINSTALLED);
            sink.accept(ended ? FilterRemoval.REMOVED : FilterRemoval.NOT_THERE);
        }
    }
}
