package io.weir.pipeline.plan;

import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.CallContext;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The calls of a batch for whose results there was no room, and which begin anew once it is their turn. Confined to its event loop. */
final class PostponedCalls {

    private final List<RequestItem> answered = new ArrayList<>();
    private final BitSet places = new BitSet();
    /** The bytes of results by place for which the caller was billed, and which the client did not get. */
    private final Map<Integer, Integer> billed = new HashMap<>();

    PostponedCalls(List<RequestItem> items) {
        for (RequestItem item : items) {
            if (!(item instanceof RpcCall call && call.isNotification())) {
                answered.add(item);
            }
        }
    }

    /** Returns the item with this place. */
    RequestItem item(int place) {
        return answered.get(place);
    }

    /** @param bytes of the result that the client does not get */
    void add(int place, int bytes) {
        places.set(place);
        billed.merge(place, bytes, Math::max);
    }

    /** Notes what a call was billed for, if it begins anew. */
    void noteBill(int place, CallContext context) {
        Integer bytes = billed.get(place);
        if (bytes != null) {
            context.billed(bytes);
        }
    }

    boolean has(int place) {
        return places.get(place);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    void remove(int place) {
        places.clear(place);
    }
}
