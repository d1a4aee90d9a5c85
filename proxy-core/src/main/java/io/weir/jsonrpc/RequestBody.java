package io.weir.jsonrpc;

import java.util.List;

/** What a request body holds: one call or a batch of them. Immutable. */
public sealed interface RequestBody permits RequestBody.Single, RequestBody.Batch {

    /** One element, answered by one object; also what a body that could not be read at all becomes. */
    record Single(RequestItem item) implements RequestBody {}

    /** A batch with at least one element, answered by an array. */
    record Batch(List<RequestItem> items) implements RequestBody {
        public Batch {
            items = List.copyOf(items);
        }
    }
}
