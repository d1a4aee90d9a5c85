package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A frame of HTTP/2 (RFC 9113), valid or not. Immutable; its content is not copied. */
public record Http2Frame(int type, int flags, int stream, byte[] content) {

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int NO_FLAGS = 0;
    public static final int END_STREAM = 1;
    public static final int ACK = 1;
    public static final int END_HEADERS = 4;

    public static final int HEADER_TABLE_SIZE = 1;
    public static final int INITIAL_WINDOW_SIZE = 4;

    public static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

    private static final int HEAD_BYTES = 9;
    private static final int SETTING_BYTES = 6;
    private static final byte[] NOTHING = {};

    /** Returns a whole block of fields, as {@link #fields} makes it. */
    public static Http2Frame headers(int stream, boolean last, byte[] fields) {
        return new Http2Frame(HEADERS, END_HEADERS | (last ? END_STREAM : NO_FLAGS), stream, fields);
    }

    public static Http2Frame data(int stream, boolean last, byte[] content) {
        return new Http2Frame(DATA, last ? END_STREAM : NO_FLAGS, stream, content);
    }

    public static Http2Frame reset(int stream, int code) {
        return new Http2Frame(RST_STREAM, NO_FLAGS, stream, number(code));
    }

    /** Returns more window for a stream, or for the connection if the stream is 0. */
    public static Http2Frame window(int stream, int bytes) {
        return new Http2Frame(WINDOW_UPDATE, NO_FLAGS, stream, number(bytes));
    }

    public static Http2Frame settings() {
        return new Http2Frame(SETTINGS, NO_FLAGS, 0, NOTHING);
    }

    public static Http2Frame setting(int name, int value) {
        byte[] content = ByteBuffer.allocate(SETTING_BYTES)
                .putShort((short) name)
                .putInt(value)
                .array();
        return new Http2Frame(SETTINGS, NO_FLAGS, 0, content);
    }

    public static Http2Frame ping(int flags, byte[] content) {
        return new Http2Frame(PING, flags, 0, content);
    }

    /** Returns a block of fields: names and values in turn, as literals without indexing (RFC 7541, 6.2.2). */
    public static byte[] fields(String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            block.write(0);
            writeText(block, namesAndValues[i]);
            writeText(block, namesAndValues[i + 1]);
        }
        return block.toByteArray();
    }

    private static void writeText(ByteArrayOutputStream block, String text) {
        int most = 0x7f;
        int length = text.length();
        if (length < most) {
            block.write(length);
        } else {
            block.write(most);
            int rest = length - most;
            for (; rest > most; rest >>>= 7) {
                block.write(rest & most | 0x80);
            }
            block.write(rest);
        }
        block.writeBytes(text.getBytes(ISO_8859_1));
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    /** Returns whether it has a flag. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Returns the code of a reset or of the end of a connection. */
    public int code() {
        return ByteBuffer.wrap(content).getInt(type == GOAWAY ? Integer.BYTES : 0);
    }

    /** Returns the last stream that the end of a connection names. */
    public int lastStream() {
        return ByteBuffer.wrap(content).getInt(0) & Integer.MAX_VALUE;
    }

    /** Returns its bytes. */
    public byte[] bytes() {
        return ByteBuffer.allocate(HEAD_BYTES + content.length)
                .putInt(content.length << Byte.SIZE | type)
                .put((byte) flags)
                .putInt(stream)
                .put(content)
                .array();
    }

    /** Reads the next one. */
    public static Http2Frame read(DataInputStream in) throws IOException {
        int head = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        int length = head >>> Byte.SIZE;
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException("frame: " + content.length + " bytes (expected: " + length + ")");
        }
        return new Http2Frame(head & 0xff, flags, stream, content);
    }

    @Override
    public String toString() {
        return "frame of type " + type + ", flags " + flags + ", stream " + stream + ", " + content.length + " bytes";
    }
}
