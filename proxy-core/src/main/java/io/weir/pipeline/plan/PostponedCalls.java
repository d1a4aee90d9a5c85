package io.weir.pipeline.plan;

import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The calls of a batch for whose results there was no room, and which begin anew once it is their turn. Confined to its event loop. */
final class PostponedCalls {

    private final List<RequestItem> answered = new ArrayList<>();
    private final BitSet places = new BitSet();

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

    void add(int place) {
        places.set(place);
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
