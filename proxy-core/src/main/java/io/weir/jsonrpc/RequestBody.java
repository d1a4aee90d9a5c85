package io.weir.jsonrpc;

import java.util.List;

/**
 * The content of a request body: one element, answered by one object, or a batch, answered by an array. An unreadable
 * body is one {@link RequestItem.Invalid}. Immutable.
 */
public sealed interface RequestBody permits RequestItem, RequestBody.Batch {

    /** Returns the elements in order. */
    List<RequestItem> items();

    int count();

    /** A batch with at least one element. Immutable. */
    record Batch(List<RequestItem> items) implements RequestBody {
        public Batch {
            items = List.copyOf(items);
        }

        @Override
        public int count() {
            return items.size();
        }
    }
}
