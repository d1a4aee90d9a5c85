package io.weir.testing.traffic;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** An HTTP answer as its client reads it. A body without its end is an exception. Confined to a thread. */
public final class StrictAnswer {
    private String head = "";
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private byte[] body = {};

    private StrictAnswer() {}

    /** Returns the head. */
    public String head() {
        return head;
    }

    /** Returns the body, once all of it was read. */
    public byte[] body() {
        return body;
    }

    /** Reads the head. */
    public static StrictAnswer beginning(InputStream in) throws IOException {
        StrictAnswer answer = new StrictAnswer();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) next(in));
        }
        answer.head = head.toString();
        return answer;
    }

    /** Reads all of it. */
    public static StrictAnswer read(InputStream in) throws IOException {
        StrictAnswer answer = beginning(in);
        answer.readOn(in);
        return answer;
    }

    /** Reads on to the end. */
    public void readOn(InputStream in) throws IOException {
        String length = "Content-Length: ";
        int at = head.indexOf(length);
        if (at >= 0) {
            int size = Integer.parseInt(head.substring(at + length.length(), head.indexOf('\r', at)));
            body = in.readNBytes(size);
            if (body.length < size) {
                throw new IOException("body: cut off");
            }
            return;
        }
        while (chunk(in).length > 0) {
            // Until the last one.
        }
        body = read.toByteArray();
    }

    /** Reads the next chunk, which becomes part of the body; the last one is empty. */
    public byte[] chunk(InputStream in) throws IOException {
        byte[] chunk = passChunk(in);
        read.writeBytes(chunk);
        return chunk;
    }

    /** Reads the next chunk, and forgets it; the last one is empty. */
    public static byte[] passChunk(InputStream in) throws IOException {
        int size = Integer.parseInt(line(in), 16);
        byte[] chunk = in.readNBytes(size);
        if (chunk.length < size || !line(in).isEmpty()) {
            throw new IOException("chunk: cut off");
        }
        return chunk;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < 2 || line.charAt(line.length() - 2) != '\r') {
            line.append((char) next(in));
        }
        return line.substring(0, line.length() - 2);
    }

    private static int next(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new IOException("answer: cut off");
        }
        return next;
    }
}
