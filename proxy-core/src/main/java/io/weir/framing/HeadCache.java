package io.weir.framing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The last head of a connection, as bytes, with its meaning. A peer sends the same head repeatedly, so it need not be parsed again.
 * Only the number in Content-Length may differ. Confined to its event loop.
 *
 * @param <T> the meaning of a head, apart from the length of its body
 */
public final class HeadCache<T> {

    private static final int MAX_HEAD_BYTES = 1024;
    private static final int MAX_DIGITS = 6;
    private static final byte[] NAME = "content-length:".getBytes(US_ASCII);

    /** Heads in a row that did not repeat, after which only every {@link #PAUSE}th head is learned: the peer's heads seem to differ. */
    private static final int MAX_VAIN = 16;

    private static final int PAUSE = 64;

    private final int maxBodyBytes;
    private ByteBuf head = Unpooled.EMPTY_BUFFER;
    private int digitsStart;
    private int digitsEnd;
    private @Nullable T meaning;
    private int vain;

    /**
     * Creates an empty cache.
     *
     * @param maxBodyBytes maximum body of a message that is taken at once
     */
    public HeadCache(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    /** Forgets the head, because the last one has no meaning that can be repeated. */
    public void forget() {
        meaning = null;
    }

    /**
     * Learns a head that was parsed, if it is short.
     *
     * @param understood the meaning of the head, which has exactly one Content-Length and no other framing
     * @param in holds the head's bytes from {@code start} to {@code end}; remains the caller's
     */
    public void learn(T understood, ByteBuf in, int start, int end) {
        meaning = null;
        if (end - start > MAX_HEAD_BYTES || (++vain > MAX_VAIN && vain % PAUSE != 0)) {
            return;
        }
        byte[] bytes = ByteBufUtil.getBytes(in, start, end - start);
        int from = lengthValue(bytes);
        int to = from;
        while (to < bytes.length && isDigit(bytes[to])) {
            to++;
        }
        if (to > from && to < bytes.length && bytes[to] == '\r') {
            head = Unpooled.wrappedBuffer(bytes);
            digitsStart = from;
            digitsEnd = to;
            meaning = understood;
        }
    }

    /** Returns the index of the value of Content-Length; the length of the head if there is none. */
    private static int lengthValue(byte[] head) {
        for (int at = 2; at + NAME.length < head.length; at++) {
            if (head[at - 1] == '\n' && head[at - 2] == '\r' && isName(head, at)) {
                int value = at + NAME.length;
                while (value < head.length && head[value] == ' ') {
                    value++;
                }
                return value;
            }
        }
        return head.length;
    }

    private static boolean isName(byte[] head, int from) {
        for (int i = 0; i < NAME.length; i++) {
            byte b = head[from + i];
            if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != NAME[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * A whole message whose head equals an earlier one of its connection, byte for byte except the number in Content-Length. The
     * receiver releases it. Confined to its event loop.
     *
     * @param <T> the meaning of a head
     */
    public static final class Repeated<T> extends DefaultByteBufHolder {

        private final T first;

        /**
         * @param first the meaning of the earlier head
         * @param body given up by the caller
         */
        public Repeated(T first, ByteBuf body) {
            super(body);
            this.first = first;
        }

        /** Returns the meaning of the earlier head. Everything but its length applies to this message. */
        public T first() {
            return first;
        }
    }

    /** Takes a message that has arrived whole and has the known head. Returns null and takes nothing if there is none. */
    public @Nullable Repeated<T> pass(ByteBuf in) {
        T known = meaning;
        int start = in.readerIndex();
        if (known == null
                || in.readableBytes() < head.readableBytes()
                || !ByteBufUtil.equals(head, 0, in, start, digitsStart)) {
            return null;
        }
        int at = start + digitsStart;
        int length = 0;
        int digits = 0;
        byte next = in.getByte(at);
        while (isDigit(next) && digits++ < MAX_DIGITS && ++at < in.writerIndex()) {
            length = length * 10 + next - '0';
            next = in.getByte(at);
        }
        int rest = head.readableBytes() - digitsEnd;
        boolean whole = digits > 0
                && length <= maxBodyBytes
                && in.writerIndex() - at - rest >= length
                && ByteBufUtil.equals(head, digitsEnd, in, at, rest);
        if (!whole) {
            return null;
        }
        vain = 0;
        return new Repeated<>(known, in.readerIndex(at + rest).readRetainedSlice(length));
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
