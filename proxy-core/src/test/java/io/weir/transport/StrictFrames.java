package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads frames of RFC 6455 from one side, strictly, to the first that breaks a rule or closes, and puts messages together. Immutable.
 */
final class StrictFrames {

    /** How the frames end. */
    enum End {
        /** More may follow. */
        OPEN,
        /** By a close frame. */
        CLOSED,
        /** By a frame that breaks a rule. */
        BROKEN,
        /** By a frame or message that is larger than allowed. */
        TOO_LARGE
    }

    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int MAX_CONTROL = 125;
    private static final long UNKNOWN = Long.MIN_VALUE + 1;

    private final ByteBuffer in;
    private final boolean masked;
    private final int mostFrame;
    private final int mostMessage;
    private final List<byte[]> messages = new ArrayList<>();
    private final List<byte[]> pings = new ArrayList<>();
    private final List<byte[]> pongs = new ArrayList<>();
    private ByteArrayOutputStream open;
    private boolean text;
    private int closeStatus;
    private End end = End.OPEN;

    StrictFrames(byte[] bytes, boolean masked, int mostFrame, int mostMessage) {
        this.in = ByteBuffer.wrap(bytes);
        this.masked = masked;
        this.mostFrame = mostFrame;
        this.mostMessage = mostMessage;
        while (end == End.OPEN && in.hasRemaining() && one()) {
            // Goes on.
        }
    }

    List<byte[]> messages() {
        return messages;
    }

    List<byte[]> pings() {
        return pings;
    }

    List<byte[]> pongs() {
        return pongs;
    }

    End end() {
        return end;
    }

    /** The status of the close frame; 1005 where it has none. */
    int closeStatus() {
        return closeStatus;
    }

    /** Returns the bytes after the frames that were read. */
    int left() {
        return in.remaining();
    }

    /** Whether a frame was there whole. */
    private boolean one() {
        int start = in.position();
        if (in.remaining() < 2) {
            return false;
        }
        int first = in.get() & 0xff;
        int second = in.get() & 0xff;
        int opcode = first & 0x0f;
        boolean last = (first & 0x80) != 0;
        long length = length(second & 0x7f);
        if (breaksARule(first, second, length) || (opcode < CLOSE && (opcode == CONTINUATION) != (open != null))) {
            end = End.BROKEN;
            return false;
        }
        if (length > mostFrame) {
            end = End.TOO_LARGE;
            return false;
        }
        if (length == UNKNOWN || in.remaining() < length + (masked ? 4 : 0)) {
            in.position(start);
            return false;
        }
        take(opcode, last, payload((int) length));
        return true;
    }

    /** Returns the announced length; UNKNOWN if it is incomplete. */
    private long length(int small) {
        int more = small == 126 ? 2 : small == 127 ? 8 : 0;
        if (in.remaining() < more) {
            return UNKNOWN;
        }
        return switch (more) {
            case 2 -> in.getShort() & 0xffff;
            case 8 -> in.getLong();
            default -> small;
        };
    }

    private boolean breaksARule(int first, int second, long length) {
        int opcode = first & 0x0f;
        boolean control = opcode >= CLOSE;
        int small = second & 0x7f;
        return (first & 0x70) != 0
                || ((second & 0x80) != 0) != masked
                || (opcode > 2 && opcode < CLOSE)
                || opcode > PONG
                || (control && ((first & 0x80) == 0 || small > MAX_CONTROL))
                || (opcode == CLOSE && small == 1)
                || (length != UNKNOWN && small == 126 && length < 126)
                || (length != UNKNOWN && small == 127 && length < 0x10000);
    }

    private byte[] payload(int length) {
        byte[] mask = new byte[4];
        if (masked) {
            in.get(mask);
        }
        byte[] payload = new byte[length];
        in.get(payload);
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return payload;
    }

    private void take(int opcode, boolean last, byte[] payload) {
        switch (opcode) {
            case CLOSE -> {
                closeStatus =
                        payload.length == 0 ? 1005 : ByteBuffer.wrap(payload).getShort() & 0xffff;
                end = isGoodClose(payload) ? End.CLOSED : End.BROKEN;
            }
            case PING -> pings.add(payload);
            case PONG -> pongs.add(payload);
            default -> add(opcode, last, payload);
        }
    }

    private boolean isGoodClose(byte[] payload) {
        boolean known = closeStatus == 1005
                ? payload.length == 0
                : (closeStatus >= 1000 && closeStatus <= 1014 && closeStatus != 1004 && closeStatus != 1006)
                        || (closeStatus >= 3000 && closeStatus <= 4999);
        return known && (payload.length <= 2 || isUtf8(ByteBuffer.wrap(payload, 2, payload.length - 2)));
    }

    private void add(int opcode, boolean last, byte[] payload) {
        if (opcode != CONTINUATION) {
            open = new ByteArrayOutputStream();
            text = opcode == TEXT;
        }
        open.writeBytes(payload);
        if (open.size() > mostMessage) {
            end = End.TOO_LARGE;
        } else if (last) {
            if (text && !isUtf8(ByteBuffer.wrap(open.toByteArray()))) {
                end = End.BROKEN;
            } else {
                messages.add(open.toByteArray());
            }
            open = null;
        }
    }

    private static boolean isUtf8(ByteBuffer bytes) {
        try {
            UTF_8.newDecoder().decode(bytes);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
