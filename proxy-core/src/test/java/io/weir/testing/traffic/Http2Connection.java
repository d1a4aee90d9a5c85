package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A client of HTTP/2 that sends the frames of a test, as they are. It acknowledges settings, and gives as much window as a test says.
 * Confined to one thread.
 */
public final class Http2Connection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    private final Map<Integer, Answer> answers = new HashMap<>();
    private boolean acknowledgesPings = true;
    private boolean outputClosed;

    /** Bytes of the window that are not given back. */
    private int taken;

    /** Connects and sends the preface with the settings that hold without words. */
    public Http2Connection(int port, @Nullable SSLContext tls) throws IOException {
        this(port, tls, Http2Frame.settings(), 0);
    }

    /**
     * Connects and sends the preface.
     *
     * @param receiveBytes that the socket holds before they are read; 0 for as many as the system likes
     */
    public Http2Connection(int port, @Nullable SSLContext tls, Http2Frame settings, int receiveBytes)
            throws IOException {
        Socket plain = new Socket();
        if (receiveBytes > 0) {
            plain.setReceiveBufferSize(receiveBytes);
        }
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        plain.setTcpNoDelay(true);
        plain.setSoTimeout(TIMEOUT_MILLIS);
        socket = tls == null ? plain : secured(plain, tls);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        send(Http2Frame.PREFACE);
        send(settings);
    }

    private static Socket secured(Socket plain, SSLContext tls) throws IOException {
        SSLSocket secured = (SSLSocket) tls.getSocketFactory()
                .createSocket(plain, plain.getInetAddress().getHostAddress(), plain.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        if (!secured.getApplicationProtocol().equals("h2")) {
            throw new IOException("ALPN: " + secured.getApplicationProtocol() + " (expected: h2)");
        }
        return secured;
    }

    /** What a stream has got. Confined to the thread of its connection. */
    public static final class Answer {

        private final Map<String, String> fields = new HashMap<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private boolean ended;
        private int reset = -1;
        private int taken;

        /** Returns the value of a field; null if there is none. */
        public @Nullable String field(String name) {
            return fields.get(name);
        }

        /** Returns its status; 0 if it has none. */
        public int status() {
            return Integer.parseInt(fields.getOrDefault(":status", "0"));
        }

        public byte[] body() {
            return body.toByteArray();
        }

        public String text() {
            return body.toString(ISO_8859_1);
        }

        /** Returns whether the proxy has ended it as a whole. */
        public boolean isWhole() {
            return ended;
        }

        /** Returns the code with which the proxy has reset its stream; -1 if it has not. */
        public int reset() {
            return reset;
        }

        private boolean isOver() {
            return ended || reset >= 0;
        }

        @Override
        public String toString() {
            return fields + ", " + body.size() + " bytes, ended " + ended + ", reset " + reset;
        }
    }

    /** Leaves the pings of the proxy without an answer. */
    public Http2Connection leavingPings() {
        acknowledgesPings = false;
        return this;
    }

    public Http2Connection send(Http2Frame frame) throws IOException {
        return send(frame.bytes());
    }

    public Http2Connection send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Sends a call, as clients do. */
    public Http2Connection post(int stream, String path, String body, String... moreFields) throws IOException {
        send(Http2Frame.headers(stream, false, request("POST", path, moreFields)));
        return send(Http2Frame.data(stream, true, body.getBytes(ISO_8859_1)));
    }

    /** Returns the fields of a request to localhost. */
    public static byte[] request(String method, String path, String... moreFields) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(
                Http2Frame.fields(":method", method, ":scheme", "http", ":authority", "localhost", ":path", path));
        all.writeBytes(Http2Frame.fields(moreFields));
        return all.toByteArray();
    }

    /** Reads the next frame that is not about the settings. */
    public Http2Frame read() throws IOException {
        while (true) {
            Http2Frame frame = Http2Frame.read(in);
            if (frame.type() == Http2Frame.SETTINGS) {
                if (!frame.has(Http2Frame.ACK)) {
                    send(new Http2Frame(Http2Frame.SETTINGS, Http2Frame.ACK, 0, new byte[0]));
                }
            } else {
                note(frame);
                return frame;
            }
        }
    }

    private void note(Http2Frame frame) throws IOException {
        Answer answer = answer(frame.stream());
        switch (frame.type()) {
            case Http2Frame.HEADERS -> addFields(answer, frame);
            case Http2Frame.DATA -> {
                answer.body.writeBytes(frame.content());
                answer.taken += frame.content().length;
                taken += frame.content().length;
            }
            case Http2Frame.RST_STREAM -> answer.reset = frame.code();
            case Http2Frame.PING -> {
                if (acknowledgesPings && !frame.has(Http2Frame.ACK)) {
                    send(Http2Frame.ping(Http2Frame.ACK, frame.content()));
                }
                return;
            }
            default -> {
                return;
            }
        }
        answer.ended |= frame.type() != Http2Frame.RST_STREAM && frame.has(Http2Frame.END_STREAM);
    }

    private void addFields(Answer answer, Http2Frame frame) throws IOException {
        if (!frame.has(Http2Frame.END_HEADERS)) {
            throw new IOException(frame + " (expected: all fields in one)");
        }
        try {
            Http2Headers fields = decoder.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(frame.content()));
            fields.forEach(field -> answer.fields.put(
                    field.getKey().toString(), field.getValue().toString()));
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    /** Returns what a stream has got so far. */
    public Answer answer(int stream) {
        return answers.computeIfAbsent(stream, id -> new Answer());
    }

    /** Reads until a stream is over, and gives back the window that it takes, but none of other streams. */
    public Answer await(int stream) throws IOException {
        Answer answer = answer(stream);
        while (!answer.isOver()) {
            if (taken > 0 && !outputClosed) {
                send(Http2Frame.window(0, taken));
                taken = 0;
            }
            if (answer.taken > 0 && !outputClosed) {
                send(Http2Frame.window(stream, answer.taken));
                answer.taken = 0;
            }
            read();
        }
        return answer;
    }

    /** Reads until a frame of a type comes, and returns it. */
    public Http2Frame awaitFrame(int type) throws IOException {
        Http2Frame frame = read();
        while (frame.type() != type) {
            frame = read();
        }
        return frame;
    }

    /** Reads until the proxy closes. Returns the last frame that ended the connection; null if there was none. */
    public @Nullable Http2Frame awaitEnd() throws IOException {
        Http2Frame last = null;
        while (true) {
            try {
                Http2Frame frame = read();
                last = frame.type() == Http2Frame.GOAWAY ? frame : last;
            } catch (EOFException | SocketException e) {
                return last;
            }
        }
    }

    /** Sends nothing more. */
    public void closeOutput() throws IOException {
        outputClosed = true;
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
