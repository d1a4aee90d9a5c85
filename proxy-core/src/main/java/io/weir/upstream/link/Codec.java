package io.weir.upstream.link;

import org.jspecify.annotations.Nullable;

/** Protocol of a node's connections. Thread-safe. */
sealed interface Codec {

    /** Returns the handler of a new connection, or of a try to make one. */
    ConnectionHandler connection(Link link);

    /** Returns whether a connection carries many calls at once, and another one can be made while its last calls end. */
    boolean isMultiplexed();

    /** Returns the pause after failures, or null if the protocol needs none. */
    default @Nullable ReconnectPause pause() {
        return null;
    }

    /** HTTP/1.1: one call at a time on a connection. */
    record Http(RequestHead head) implements Codec {

        @Override
        public ConnectionHandler connection(Link link) {
            return new HttpConnectionHandler(link, head);
        }

        @Override
        public boolean isMultiplexed() {
            return false;
        }
    }

    /**
     * WebSocket: many calls at once on a connection, matched to their answers by id.
     *
     * @param pause obeyed by links for calls, updated by all
     */
    record WebSocket(Handshake handshake, ReconnectPause pause, UnsolicitedMessages unsolicited) implements Codec {

        @Override
        public ConnectionHandler connection(Link link) {
            return new WebSocketConnectionHandler(link, this);
        }

        @Override
        public boolean isMultiplexed() {
            return true;
        }
    }
}
