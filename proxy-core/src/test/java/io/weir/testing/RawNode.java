package io.weir.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Node of which the test decides every byte. Each connection runs the script on a thread of its own until it ends. */
public final class RawNode implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)");
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

    /** Script of a connection. */
    public interface Script {
        void run(Connection connection) throws Exception;
    }

    /** Received request. */
    public record Request(String head, String body) {
        /** Returns the id in the body; empty if there is none. */
        public String id() {
            Matcher id = ID.matcher(body);
            return id.find() ? id.group(1) : "";
        }
    }

    /** One connection, seen from the node. */
    public static final class Connection {

        /** 1 for the first. */
        public final int number;

        private final Socket socket;
        private final InputStream in;

        Connection(int number, Socket socket) throws IOException {
            this.number = number;
            this.socket = socket;
            this.in = socket.getInputStream();
        }

        /** Reads one request, or throws at the connection's end. */
        public Request read() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new SocketException("end");
                }
                head.append((char) next);
            }
            Matcher length = LENGTH.matcher(head);
            byte[] body = length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : new byte[0];
            return new Request(head.toString(), new String(body, ISO_8859_1));
        }

        /** Sends these bytes, written as characters. */
        public void write(String text) throws IOException {
            write(text.getBytes(ISO_8859_1));
        }

        /** Sends these bytes. */
        public void write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        /** Answers with a status line, headers and a body of known length. */
        public void answer(String statusAndHeaders, String body) throws IOException {
            write("HTTP/1.1 " + statusAndHeaders + "\r\ncontent-length: " + body.length() + "\r\n\r\n" + body);
        }

        /** Reads this number of bytes, or throws at the connection's end. */
        public byte[] read(int length) throws IOException {
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new SocketException("end");
            }
            return bytes;
        }

        /** Ends the connection with a reset, unless the script has ended, which closes it too. */
        public void reset() throws IOException {
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (SocketException e) {
                // The script has just ended: a TLS socket may not report itself closed although the socket below is.
                socket.close();
            }
        }
    }

    /** An answer to a request. */
    public static String result(Request request, String json) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":" + json + "}";
    }

    private final ServerSocket server;
    private final Script script;
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<Connection> open = new CopyOnWriteArrayList<>();

    /** Listens on a free port. */
    public RawNode(Script script) throws IOException {
        this(new ServerSocket(), 0, script);
    }

    /** Listens on a port. */
    public RawNode(ServerSocket server, int port, Script script) throws IOException {
        this.server = server;
        this.script = script;
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        daemon(this::accept);
    }

    /** Returns its port. */
    public int port() {
        return server.getLocalPort();
    }

    /** Returns the number of accepted connections. */
    public int accepted() {
        return accepted.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                Connection connection = new Connection(accepted.incrementAndGet(), socket);
                open.add(connection);
                if (server.isClosed()) {
                    // It came while the others were reset.
                    connection.reset();
                }
                daemon(() -> serve(connection));
            }
        } catch (IOException expected) {
            // Closed.
        }
    }

    private void serve(Connection connection) {
        try (connection.socket) {
            script.run(connection);
        } catch (IOException expected) {
            // The client closed the connection, or the test did.
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "raw-node");
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends as a killed process does: the port refuses, every connection is reset. */
    @Override
    public void close() {
        try {
            server.close();
            for (Connection connection : open) {
                connection.reset();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
