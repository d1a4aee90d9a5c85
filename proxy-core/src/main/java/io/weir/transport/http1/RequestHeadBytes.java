package io.weir.transport.http1;

/**
 * The counts of one request without its body: lines and bytes of its head, its chunk sizes and its trailers. Confined
 * to its event loop.
 */
final class RequestHeadBytes {

    /** The cost of a line beside its bytes: the objects that hold it. */
    static final int LINE_COST = 192;

    /** Maximum bytes of chunk framing for each byte of the body. */
    private static final int CHUNK_BYTES = 8;

    private final int maxLines;
    private final int maxLineBytes;

    /** The limit of all headers together, and of all trailers and chunk sizes. */
    private final int maxHeaderBytes;

    private int lines;
    private int unfinishedLines;
    private long unfinishedBytes;
    private long allowedBytes;

    RequestHeadBytes(ListenerLimits limits) {
        this.maxLines = limits.headerLines();
        this.maxLineBytes = limits.requestLineBytes();
        this.maxHeaderBytes = limits.headerBytes();
        this.allowedBytes = maxHeaderBytes;
    }

    /** Counts a header or trailer line. */
    void addLine() {
        unfinishedLines++;
        if (++lines > maxLines) {
            throw new RequestHeadException(
                    RequestHeadException.Kind.TOO_LARGE,
                    "headers: too many lines (expected: at most " + maxLines + ")");
        }
    }

    /**
     * Counts bytes of the head.
     *
     * @param onlyEmpty whether they are empty lines before the request line
     */
    void addHead(int bytes, boolean onlyEmpty) {
        unfinishedBytes += bytes;
        if (onlyEmpty && unfinishedBytes > maxLineBytes) {
            throw new RequestHeadException(RequestHeadException.Kind.TOO_LARGE, "request line: too long");
        }
    }

    /** Counts bytes after the head, of the body and of its framing. */
    void addBody(int bytes, int ofBody) {
        int frame = bytes - ofBody;
        if (unfinishedLines > 0) {
            unfinishedBytes += frame;
        }
        allowedBytes += (long) ofBody * CHUNK_BYTES - frame;
        if (allowedBytes < 0) {
            throw new RequestHeadException(
                    RequestHeadException.Kind.TOO_LARGE,
                    "chunks: sizes and trailers too large (expected: at most " + maxHeaderBytes + " bytes)");
        }
    }

    /** Ends the head. Returns the cost of its lines beside their bytes. */
    long endHead() {
        long cost = (long) unfinishedLines * LINE_COST;
        unfinishedBytes = 0;
        unfinishedLines = 0;
        return cost;
    }

    /** Ends the request. */
    void end() {
        endHead();
        lines = 0;
        allowedBytes = maxHeaderBytes;
    }

    /** Returns the bytes and costs of an unfinished head or trailer. */
    long unfinished() {
        // The request line counts as a line too.
        return unfinishedBytes == 0 ? 0 : unfinishedBytes + (1L + unfinishedLines) * LINE_COST;
    }
}
