package io.weir.testing.traffic;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One HTTP/1.1 connection that is kept open, for requests with any verb, path and headers, {@code Host} and {@code Origin}
 * included. Confined to one thread.
 */
public final class HttpConnection implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final HttpMessages responses;

    private HttpConnection(int port, @Nullable InetAddress from) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        this.responses = new HttpMessages(new BufferedInputStream(socket.getInputStream()));
    }

    /** Connects to a port of this machine. */
    public static HttpConnection open(int port) {
        return open(port, null);
    }

    /**
     * Connects to a port of this machine.
     *
     * @param from the client's address; null for any
     */
    public static HttpConnection open(int port, @Nullable InetAddress from) {
        try {
            return new HttpConnection(port, from);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A response.
     *
     * @param headers by lower-case name, the last of each name
     */
    public record Response(int status, Map<String, String> headers, String body) {

        /** A header's value, or null where there is none. */
        public @Nullable String header(String lowerCaseName) {
            return headers.get(lowerCaseName);
        }

        /** The body as JSON. */
        public JsonNode json() {
            return JSON.readTree(body);
        }

        /** The code of the JSON-RPC error that is the body; 0 where it is none. */
        public int errorCode() {
            return json().at("/error/code").asInt(0);
        }
    }

    /** Sends a GET and waits for its response. */
    public Response get(String path) {
        return request("GET", path, "");
    }

    /**
     * Sends a JSON-RPC body and waits for its response.
     *
     * @param headerLines further headers, each as {@code name: value}
     */
    public Response post(String path, String body, String... headerLines) {
        String[] all = List.of(headerLines).toArray(new String[headerLines.length + 1]);
        all[headerLines.length] = "content-type: application/json";
        return request("POST", path, body, all);
    }

    /** Sends a request and waits for its response. */
    public Response request(String verb, String path, String body, String... headerLines) {
        send(verb, path, body, headerLines);
        return await();
    }

    /** Sends a request without waiting, so that several are under way at once. */
    public void send(String verb, String path, String body, String... headerLines) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(verb + " " + path + " HTTP/1.1\r\n");
        List<String> lines = List.of(headerLines);
        if (lines.stream().noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("host:"))) {
            head.append("host: 127.0.0.1:").append(socket.getPort()).append("\r\n");
        }
        lines.forEach(line -> head.append(line).append("\r\n"));
        head.append("content-length: ").append(bytes.length).append("\r\n\r\n");
        try {
            socket.getOutputStream().write(new HttpMessages.Message(head.toString(), bytes).bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next response. */
    public Response await() {
        try {
            HttpMessages.Message message = responses.next();
            if (message == null) {
                throw new EOFException("the connection was closed before an answer");
            }
            return read(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Response read(HttpMessages.Message message) {
        Map<String, String> headers = new TreeMap<>();
        List<String> lines = message.head().lines().toList();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return new Response(Integer.parseInt(lines.get(0).split(" ")[1]), headers, message.text());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
