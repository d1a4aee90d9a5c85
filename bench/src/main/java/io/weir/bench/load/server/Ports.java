package io.weir.bench.load.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of 127.0.0.1 for programs that must be given one, and that may be killed and started again. */
public final class Ports {

    /** Below the ports that the system gives to outgoing connections: one of these could take the port of a node that is down. */
    private static final int FROM = 12_000;

    private static final int TO = 30_000;
    private static final int ATTEMPTS = 100;

    private Ports() {}

    /** Returns a port that is free now and that no outgoing connection takes. */
    public static int free() throws IOException {
        IOException last = new IOException("no port");
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }
}
