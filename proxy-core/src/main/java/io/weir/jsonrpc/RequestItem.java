package io.weir.jsonrpc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One element of a request body: a call, or an element that is not a valid call. Immutable. */
public sealed interface RequestItem extends RequestBody permits RpcCall, RequestItem.Invalid {

    /** Returns the id for the answer, or null for a notification, which gets no answer. */
    @Nullable
    RawJson id();

    @Override
    default List<RequestItem> items() {
        return List.of(this);
    }

    /** Returns the ids of the elements that expect an answer, in order. */
    static List<RawJson> waitingIds(List<RequestItem> items) {
        List<RawJson> ids = new ArrayList<>(items.size());
        for (RequestItem item : items) {
            RawJson id = item.id();
            if (id != null) {
                ids.add(id);
            }
        }
        return ids;
    }

    /**
     * An element that is not a valid call, and the error that answers it. Immutable.
     *
     * @param id the id for the answer: as written if it is known, else {@code null}
     */
    record Invalid(RawJson id, RpcError error) implements RequestItem {

        @Override
        public int count() {
            return 1;
        }
    }
}
