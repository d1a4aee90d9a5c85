package io.weir.testing.traffic;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the proxy and a node and writes down each call that arrives and each that is answered, also while the node
 * is dead: then a connection is reset, as a dead node's is, but only after the call on it was counted. Thread-safe.
 */
public final class NodeRelay implements AutoCloseable {

    private static final Pattern METHOD = Pattern.compile("\"method\"\\s*:\\s*\"([^\"]+)\"");
    private static final Set<String> PROBES = Set.of("eth_chainId", "eth_syncing", "eth_blockNumber");
    private static final int FIRST_REQUEST_MILLIS = 5_000;

    private final int nodePort;
    private final ServerSocket listener;
    private final List<Event> events = new ArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(NodeRelay::daemon);

    /** What happened to a probe (chain id, head, syncing) or to any other call. */
    public enum Event {
        /** A probe came. */
        PROBE_ARRIVED,
        /** The node answered a probe. */
        PROBE_ANSWERED,
        /** A call came. */
        CALL_ARRIVED,
        /** The node answered a call. */
        CALL_ANSWERED
    }

    private NodeRelay(int nodePort) throws IOException {
        this.nodePort = nodePort;
        this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        threads.execute(this::acceptAll);
    }

    /** Starts a relay to a node at this port of 127.0.0.1. */
    public static NodeRelay to(int nodePort) {
        try {
            return new NodeRelay(nodePort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address that stands for the node's. */
    public String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    /** How much has happened so far, for {@link #since}. */
    public int mark() {
        synchronized (events) {
            return events.size();
        }
    }

    /** What has happened since the mark, in order. */
    public List<Event> since(int mark) {
        synchronized (events) {
            return List.copyOf(events.subList(mark, events.size()));
        }
    }

    /** How often it has happened since the mark. */
    public long count(Event event, int mark) {
        return since(mark).stream().filter(event::equals).count();
    }

    @Override
    public void close() {
        closeQuietly(listener);
        open.forEach(NodeRelay::reset);
        threads.shutdownNow();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket proxy = listener.accept();
                open.add(proxy);
                threads.execute(() -> serve(proxy));
            } catch (IOException | RuntimeException expected) {
                // Closed: the loop's condition ends it.
            }
        }
    }

    private void serve(Socket proxy) {
        Queue<Event> expected = new ConcurrentLinkedQueue<>();
        try (Socket node = connected()) {
            if (node == null) {
                proxy.setSoTimeout(FIRST_REQUEST_MILLIS);
                arrived(new HttpMessages(new BufferedInputStream(proxy.getInputStream())).next());
                return;
            }
            open.add(node);
            threads.execute(() -> passAnswers(node, proxy, expected));
            HttpMessages requests = new HttpMessages(new BufferedInputStream(proxy.getInputStream()));
            for (var request = requests.next(); request != null; request = requests.next()) {
                // Before the request leaves, so that its answer always finds it.
                expected.add(arrived(request));
                node.getOutputStream().write(request.bytes());
            }
            open.remove(node);
        } catch (IOException | RuntimeException expectedOfTheDead) {
            // Either side went away: the other is told by the reset below.
        } finally {
            reset(proxy);
            open.remove(proxy);
        }
    }

    private void passAnswers(Socket node, Socket proxy, Queue<Event> expected) {
        try {
            HttpMessages answers = new HttpMessages(new BufferedInputStream(node.getInputStream()));
            for (var answer = answers.next(); answer != null; answer = answers.next()) {
                note(expected.remove() == Event.PROBE_ARRIVED ? Event.PROBE_ANSWERED : Event.CALL_ANSWERED);
                proxy.getOutputStream().write(answer.bytes());
            }
        } catch (IOException | RuntimeException expectedOfTheDead) {
            // Either side went away.
        } finally {
            reset(proxy);
        }
    }

    private Event arrived(HttpMessages.@Nullable Message request) {
        Matcher method = METHOD.matcher(request == null ? "" : request.text());
        Event event = method.find() && PROBES.contains(method.group(1)) ? Event.PROBE_ARRIVED : Event.CALL_ARRIVED;
        if (request != null) {
            note(event);
        }
        return event;
    }

    private void note(Event event) {
        synchronized (events) {
            events.add(event);
        }
    }

    private @Nullable Socket connected() {
        try {
            Socket node = new Socket(InetAddress.getLoopbackAddress(), nodePort);
            node.setTcpNoDelay(true);
            return node;
        } catch (IOException expected) {
            return null;
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

    private static void closeQuietly(java.io.Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException ignored) {
            // Nothing is left to be done.
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "node relay");
        thread.setDaemon(true);
        return thread;
    }
}
