package io.weir.transport.http2;

import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.LinkedHashMap;
import java.util.Map;

/** The newest streams of a connection that one of its sides has reset, while the other may not have known. Confined to its event loop. */
final class ResetStreams extends Http2ConnectionAdapter {

    private static final int MAX = 256;

    /** Whether the proxy has reset a stream, by its id. */
    private final Map<Integer, Boolean> sent = new LinkedHashMap<>(0);

    /** Adds a stream that the client resets. */
    void addReceived(int id) {
        add(id, false);
    }

    /** Returns whether one of both sides has reset a stream. */
    boolean contains(int id) {
        return sent.containsKey(id);
    }

    /** Returns whether the proxy has reset a stream. */
    boolean isSent(int id) {
        return sent.getOrDefault(id, false);
    }

    @Override
    public void onStreamRemoved(Http2Stream stream) {
        if (stream.isResetSent()) {
            add(stream.id(), true);
        }
    }

    private void add(int id, boolean bySelf) {
        // A client that has reset a stream itself knows of its end.
        sent.merge(id, bySelf, Boolean::logicalAnd);
        if (sent.size() > MAX) {
            sent.remove(sent.keySet().iterator().next());
        }
    }
}
