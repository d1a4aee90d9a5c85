package io.weir.wallet.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The end of a log: its last line that fits, and the bytes that a crash left behind it. Immutable.
 *
 * @param sequence the number of the last line; 0 if there is none
 * @param hash its hash
 * @param endsLine whether the file ends with the end of a line, or is empty
 * @param torn the bytes behind that line without the last line end, or null if there are none
 */
@SuppressWarnings("ArrayRecordComponent") // Handed over, not compared.
record ChainTail(long sequence, String hash, boolean endsLine, byte @Nullable [] torn) {

    /** A torn line, and a torn line about it. */
    private static final int WINDOW = 2 * ChainLine.MAX_BYTES + 2;

    /**
     * Reads the end of a file, and no more than two lines of the greatest length.
     *
     * @throws IOException when the file cannot be read, or a whole line at its end does not fit
     */
    static ChainTail read(FileChannel file) throws IOException {
        long from = Math.max(0, file.size() - WINDOW);
        return of(bytes(file, from), from == 0);
    }

    private static byte[] bytes(FileChannel file, long from) throws IOException {
        ByteBuffer window = ByteBuffer.allocate((int) (file.size() - from));
        while (window.hasRemaining() && file.read(window, from + window.position()) >= 0) {
            // Reads on.
        }
        return Arrays.copyOf(window.array(), window.position());
    }

    private static ChainTail of(byte[] bytes, boolean fromStart) throws IOException {
        boolean endsLine = bytes.length == 0 || bytes[bytes.length - 1] == '\n';
        int end = bytes.length;
        while (end > 0) {
            int contentEnd = bytes[end - 1] == '\n' ? end - 1 : end;
            int start = lineStart(bytes, contentEnd);
            if (start == 0 && !fromStart) {
                throw new IOException("its end is no line (expected: a line that the wallet wrote)");
            }
            byte[] line = Arrays.copyOfRange(bytes, start, contentEnd);
            ChainLine found = ChainLine.parse(line);
            if (found != null) {
                return new ChainTail(found.sequence(), found.hash(), endsLine, torn(bytes, end, endsLine));
            }
            if (contentEnd < end && ChainLine.isWhole(line)) {
                throw new IOException("a line at its end does not fit its hash (expected: an unchanged file)");
            }
            end = start;
        }
        return new ChainTail(0, ChainLine.GENESIS, endsLine, torn(bytes, 0, endsLine));
    }

    private static int lineStart(byte[] bytes, int end) {
        int start = end;
        while (start > 0 && bytes[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    private static byte @Nullable [] torn(byte[] bytes, int from, boolean endsLine) {
        return from == bytes.length ? null : Arrays.copyOfRange(bytes, from, bytes.length - (endsLine ? 1 : 0));
    }
}
