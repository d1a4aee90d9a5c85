package io.weir.upstream.link;

import org.jspecify.annotations.Nullable;

/** Protocol of a node's connections. Thread-safe. */
interface Codec {

    /** Returns the handler of a new connection, or of a try to make one. */
    NodeConnectionHandler connection(Link link);

    /** Returns whether a connection carries many calls at once, and another one can be made while its last calls end. */
    boolean isMultiplexed();

    /** Returns the pause after failures, which links for calls obey and all update; null if the protocol needs none. */
    @Nullable
    ReconnectPause pause();
}
