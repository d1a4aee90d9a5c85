package io.weir.bench.load.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;

/**
 * Cuts requests, or answers, out of what a connection brings: a head, and a body by its Content-Length or in chunks. Looks at bytes
 * and makes no text: node and driver must not be what is measured. Confined to its event loop.
 */
public final class HttpMessage {

    private static final byte[] NONE = {};
    private static final byte[] LENGTH = "content-length:".getBytes(ISO_8859_1);
    private static final byte[] CHUNKS = "transfer-encoding: chunked".getBytes(ISO_8859_1);
    private static final int CHUNKED = -1;
    private static final int LEAST_HEAD = 16;
    private static final int LOWER_CASE = 0x20;

    private final ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    private byte[] head = NONE;
    private byte[] body = NONE;
    private boolean inBody;
    private int length;

    /** Takes the next message, once it is there whole. */
    public boolean read(ByteBuf in) {
        if (!inBody) {
            int end = endOfHead(in);
            if (end < 0) {
                return false;
            }
            head = new byte[end - in.readerIndex()];
            in.readBytes(head).skipBytes(4);
            length = length();
            inBody = true;
        }
        boolean whole = length == CHUNKED ? chunks(in) : fixed(in);
        inBody = !whole;
        return whole;
    }

    /** Whether the first line of the message that was taken has a text at a place. */
    public boolean hasAt(int place, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (place + i >= head.length || head[place + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The first line and the headers of the message that was taken. */
    public String head() {
        return new String(head, ISO_8859_1);
    }

    /** The body of the message that was taken. */
    public byte[] body() {
        return body;
    }

    /** The index of the blank line; -1 where it is not there yet. */
    private static int endOfHead(ByteBuf in) {
        int last = in.writerIndex() - 1;
        int at = in.readerIndex() + LEAST_HEAD;
        while (at <= last) {
            at = in.indexOf(at, last + 1, (byte) '\n');
            if (at < 0) {
                return -1;
            }
            if (in.getByte(at - 2) == '\n' && in.getByte(at - 1) == '\r') {
                return at - 3;
            }
            at++;
        }
        return -1;
    }

    private boolean fixed(ByteBuf in) {
        if (in.readableBytes() < length) {
            return false;
        }
        body = new byte[length];
        in.readBytes(body);
        return true;
    }

    private boolean chunks(ByteBuf in) {
        while (true) {
            int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
            if (end < 0) {
                return false;
            }
            int digits = end + 1 - in.readerIndex();
            int size = Integer.parseInt(
                    in.toString(in.readerIndex(), digits, ISO_8859_1).strip(), 16);
            if (in.readableBytes() < digits + size + 2) {
                return false;
            }
            in.skipBytes(digits);
            byte[] chunk = new byte[size];
            in.readBytes(chunk).skipBytes(2);
            chunks.writeBytes(chunk);
            if (size == 0) {
                body = chunks.toByteArray();
                chunks.reset();
                return true;
            }
        }
    }

    private int length() {
        int at = header(LENGTH);
        if (at < 0) {
            return header(CHUNKS) < 0 ? 0 : CHUNKED;
        }
        int value = 0;
        for (int i = at; i < head.length && head[i] != '\r'; i++) {
            if (head[i] != ' ') {
                value = value * 10 + head[i] - '0';
            }
        }
        return value;
    }

    /** Behind a text, in whichever case, at the beginning of a line; -1 where it is not there. */
    private int header(byte[] text) {
        for (int i = 1; i + text.length <= head.length; i++) {
            if (head[i - 1] == '\n' && isAt(i, text)) {
                return i + text.length;
            }
        }
        return -1;
    }

    private boolean isAt(int at, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            int c = head[at + i];
            if ((c >= 'A' && c <= 'Z' ? c | LOWER_CASE : c) != text[i]) {
                return false;
            }
        }
        return true;
    }
}
