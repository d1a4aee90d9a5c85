package io.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of 127.0.0.1 for programs that must be given one. */
public final class FreePorts {

    /** Below the ports that the system gives out: nothing else takes one before the program listens, or while it is down. */
    private static final int FIRST_PORT = 20_000;

    private static final int LAST_PORT = 32_000;
    private static final int MAX_ATTEMPTS = 20;

    private FreePorts() {}

    /** Returns a port that is free now. */
    public static int next() {
        for (int attempt = 1; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw new UncheckedIOException(e);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
