package io.weir.testing.traffic;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Stands before a server, and holds back what it answers for as long as the test says. Thread-safe. */
public final class SlowRelay implements AutoCloseable {

    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(SlowRelay::daemon);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(SlowRelay::daemon);
    private volatile long delayMillis;

    private SlowRelay(int port) throws IOException {
        this.port = port;
        this.listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** Starts one to this port of 127.0.0.1. */
    public static SlowRelay to(int port) {
        try {
            return new SlowRelay(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "slow-relay");
        thread.setDaemon(true);
        return thread;
    }

    /** Where it listens, on 127.0.0.1. */
    public int port() {
        return listener.getLocalPort();
    }

    /** From now on answers are held back for so long. */
    public void delay(long millis) {
        delayMillis = millis;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                open.add(client);
                threads.execute(() -> relay(client));
            }
        } catch (IOException expected) {
            // Closed.
        }
    }

    private void relay(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
            open.add(server);
            threads.execute(() -> answers(server, client));
            client.getInputStream().transferTo(server.getOutputStream());
        } catch (IOException expected) {
            // One of them ended.
        }
    }

    private void answers(Socket server, Socket client) {
        try {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                byte[] bytes = Arrays.copyOf(buffer, read);
                timer.schedule(() -> write(out, bytes), delayMillis, TimeUnit.MILLISECONDS);
            }
            client.close();
        } catch (IOException expected) {
            // One of them ended.
        }
    }

    private static void write(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException expected) {
            // The client ended.
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
