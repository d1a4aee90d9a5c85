package io.weir.upstream.pool;

import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.upstream.NodeFeed;
import io.weir.upstream.head.HeadSubscription;
import org.jspecify.annotations.Nullable;

/** Subscription to the new blocks of a node. Confined to the monitor's event loop. */
final class NewHeads implements HeadSubscription, NodeFeed.Listener {

    /** The longest announcement, in bytes. A header has about 2 KB. */
    static final int MAX_BYTES = 1 << 16;

    private final Listener listener;
    private @Nullable NodeFeed feed;

    NewHeads(Listener listener) {
        this.listener = listener;
    }

    /** Takes the subscription that this object listens to. */
    void from(NodeFeed subscription) {
        feed = subscription;
    }

    @Override
    public void began(long head) {
        listener.began(head);
    }

    @Override
    public void notified(RawJson result) {
        listener.announced(BlockProbe.read(result, AnswerKind.HEADER));
    }

    @Override
    public void ended(NodeFeed.End end) {
        listener.ended(end.refused());
    }

    @Override
    public void close() {
        NodeFeed open = feed;
        feed = null;
        if (open != null) {
            open.close();
        }
    }
}
