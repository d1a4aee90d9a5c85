package io.weir.testing.traffic;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands between the proxy and a node, passes bytes of any protocol, and can be cut and joined again. Several relays make several
 * nodes of one. Thread-safe.
 */
public final class CuttableRelay implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    private volatile int nodePort;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(CuttableRelay::daemon);
    private volatile boolean cut;
    private volatile long answeredNanos;

    private CuttableRelay(int nodePort) throws IOException {
        this.nodePort = nodePort;
        this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        threads.execute(this::acceptAll);
    }

    /** Starts a relay to a node at this port of 127.0.0.1. */
    public static CuttableRelay to(int nodePort) {
        try {
            return new CuttableRelay(nodePort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** When the node's last bytes passed, on the clock of {@link System#nanoTime}. */
    public long answeredNanos() {
        return answeredNanos;
    }

    /** Resets all connections, and each new one, until {@link #join}. */
    public void cut() {
        cut = true;
        open.forEach(CuttableRelay::reset);
    }

    /** Leads to a node at another port from now on, and resets all connections to the node before. */
    public void leadTo(int port) {
        nodePort = port;
        open.forEach(CuttableRelay::reset);
    }

    /** Passes bytes again. */
    public void join() {
        cut = false;
    }

    @Override
    public void close() {
        closeQuietly(listener);
        cut();
        threads.shutdownNow();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket proxy = listener.accept();
                threads.execute(() -> connect(proxy));
            } catch (IOException | RuntimeException expected) {
                // Closed: the loop's condition ends it.
            }
        }
    }

    private void connect(Socket proxy) {
        open.add(proxy);
        if (cut) {
            reset(proxy);
            open.remove(proxy);
            return;
        }
        try (Socket node = new Socket(InetAddress.getLoopbackAddress(), nodePort)) {
            node.setTcpNoDelay(true);
            proxy.setTcpNoDelay(true);
            open.add(node);
            threads.execute(() -> pass(node, proxy, true));
            pass(proxy, node, false);
            open.remove(node);
        } catch (IOException | RuntimeException expected) {
            // The relay was closed, or the node is gone.
        } finally {
            reset(proxy);
            open.remove(proxy);
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
                if (answers) {
                    answeredNanos = System.nanoTime();
                }
            }
        } catch (IOException expected) {
            // One side is gone, so the other goes too.
        } finally {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException ignored) {
            // Closed already.
        }
        closeQuietly(socket);
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException ignored) {
            // Nothing is left to be done.
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "cuttable relay");
        thread.setDaemon(true);
        return thread;
    }
}
