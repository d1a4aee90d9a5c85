package io.weir.jsonrpc;

import java.util.List;

/**
 * What a request body holds: one element, answered by one object, or a batch of them. What could not be read at all becomes
 * one element that is no call. Immutable.
 */
public sealed interface RequestBody permits RequestItem, RequestBody.Batch {

    /** Its elements in order. */
    List<RequestItem> items();

    /** How many there are. */
    int count();

    /** A batch with at least one element, answered by an array. */
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
