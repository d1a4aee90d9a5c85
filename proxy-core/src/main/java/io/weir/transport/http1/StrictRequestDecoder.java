package io.weir.transport.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.Arrays;

/**
 * The part of {@link RequestDecoder} that rejects lines on which Netty's decoder is lenient: extra blanks in the request
 * line, and folded headers. Confined to its event loop.
 */
abstract sealed class StrictRequestDecoder extends HttpRequestDecoder permits RequestDecoder {

    private static final byte LF = '\n';
    private static final byte[] PROTOCOL = "HTTP/".getBytes(US_ASCII);

    private boolean lineRead;
    private int wordEnd;

    StrictRequestDecoder(HttpDecoderConfig config) {
        super(config);
    }

    /** Returns whether the request line of the current request was read. */
    final boolean isRequestLineRead() {
        return lineRead;
    }

    /** Ends the current request. */
    final void endLines() {
        lineRead = false;
    }

    /**
     * Returns whether a line of the head begins with a blank, as if it continued the previous line. Decoded lines are
     * complete, so the buffer begins with a line. The empty line ends the head.
     */
    final boolean hasIndentedLine(ByteBuf in) {
        int end = in.writerIndex();
        int at = in.readerIndex();
        boolean header = lineRead;
        while (at < end) {
            byte first = in.getByte(at);
            if (first == ' ' || first == '\t') {
                return true;
            }
            if (header && first == '\r') {
                return false;
            }
            int lineEnd = in.indexOf(at, end, LF);
            if (lineEnd < 0) {
                return false;
            }
            // Empty lines before the request line are not part of it.
            header |= first > ' ';
            at = lineEnd + 1;
        }
        return false;
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        lineRead = true;
        wordEnd = start + length;
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        checkSpace(line, start);
        wordEnd = start + length;
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        checkSpace(line, start);
        if (!startsWith(line, start, PROTOCOL)) {
            throw new IllegalArgumentException("version");
        }
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private static boolean startsWith(byte[] line, int start, byte[] word) {
        int end = start + word.length;
        return end <= line.length && Arrays.equals(line, start, end, word, 0, word.length);
    }

    /** Checks that exactly one space separates the words of a request line. */
    private void checkSpace(byte[] line, int start) {
        if (start != wordEnd + 1 || line[wordEnd] != ' ') {
            throw new IllegalArgumentException("request line");
        }
    }
}
