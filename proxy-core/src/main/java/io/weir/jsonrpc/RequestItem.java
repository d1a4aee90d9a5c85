package io.weir.jsonrpc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One element of a request body: a call, or what was no call. Immutable. */
public sealed interface RequestItem extends RequestBody permits RpcCall, InvalidRequest {

    /** The id to answer under, or null for a notification, which waits for no answer. */
    @Nullable
    RawJson id();

    @Override
    default List<RequestItem> items() {
        return List.of(this);
    }

    @Override
    default int count() {
        return 1;
    }

    /** The ids of those elements that wait for an answer, in order. */
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
}
