package io.weir.testing.traffic;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads whole HTTP/1.1 messages, requests or responses alike, whose body has a Content-Length. Confined to one thread. */
final class HttpMessages {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length:\\s*(\\d+)\\s*\r\n");
    private static final int MAX_HEADER_BYTES = 64 * 1024;
    private static final int MAX_BODY_BYTES = 64 * 1024 * 1024;

    private final InputStream in;

    /** A message as it came. */
    record Message(String head, byte[] body) {

        byte[] bytes() {
            byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
            byte[] all = new byte[start.length + body.length];
            System.arraycopy(start, 0, all, 0, start.length);
            System.arraycopy(body, 0, all, start.length, body.length);
            return all;
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** Takes a stream that is buffered. */
    HttpMessages(InputStream in) {
        this.in = in;
    }

    /** The next message; null where the stream ended before one began. */
    @Nullable
    Message next() throws IOException {
        String head = head();
        if (head == null) {
            return null;
        }
        Matcher length = LENGTH.matcher(head);
        int size = length.find() ? Integer.parseInt(length.group(1)) : 0;
        if (size > MAX_BODY_BYTES) {
            throw new IOException("body: " + size + " bytes (expected: at most " + MAX_BODY_BYTES + ")");
        }
        byte[] body = in.readNBytes(size);
        if (body.length < size) {
            throw new EOFException("body: " + body.length + " bytes (expected: " + size + ")");
        }
        return new Message(head, body);
    }

    private @Nullable String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream(512);
        int lastFour = 0;
        while (lastFour != 0x0d0a0d0a) {
            int next = in.read();
            if (next < 0 && head.size() == 0) {
                return null;
            }
            if (next < 0 || head.size() == MAX_HEADER_BYTES) {
                throw new EOFException("head: " + head.size() + " bytes without an end");
            }
            head.write(next);
            lastFour = lastFour << 8 | next;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }
}
