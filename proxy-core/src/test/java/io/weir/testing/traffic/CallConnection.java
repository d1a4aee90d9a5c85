package io.weir.testing.traffic;

import java.io.IOException;

/** A connection to the key {@code demo} that carries one call after the other. Confined to one thread. */
public interface CallConnection extends AutoCloseable {

    /** Sends a body. */
    void send(String body) throws IOException;

    /** Waits for the answer to the body that was sent first, and fails where it is none. */
    String read() throws IOException;

    @Override
    void close() throws IOException;
}
