package io.weir.transport.http1;

import io.weir.config.ServerConfig;

/**
 * The counts of one request beside its body: lines and bytes of its head, of its chunk sizes and of its trailers. Confined to its
 * event loop.
 */
final class RequestHeadBytes {

    /** The cost of a line beside its bytes: the objects that hold it. */
    static final int LINE_COST = 192;

    /** Sizes and ends of chunks may have so many bytes for each byte of the body. */
    private static final int CHUNK_BYTES = 8;

    private final int maxLines;
    private final int maxLineBytes;
    private final int maxHeaderBytes;
    private int lines;
    private int unfinishedLines;
    private long unfinishedBytes;
    private long allowedBytes;

    RequestHeadBytes(ServerConfig config) {
        this.maxLines = config.maxHeaderLines();
        this.maxLineBytes = config.maxRequestLineBytes();
        this.maxHeaderBytes = config.maxHeaderBytes();
        this.allowedBytes = maxHeaderBytes;
    }

    /** A header line or trailer line has been read. */
    void addLine() {
        unfinishedLines++;
        if (++lines > maxLines) {
            throw RequestHeadLimitException.tooLarge("headers: too many lines (expected: at most " + maxLines + ")");
        }
    }

    /**
     * Bytes of the head have been read.
     *
     * @param onlyEmpty whether they are empty lines before the request line
     */
    void addHead(int bytes, boolean onlyEmpty) {
        unfinishedBytes += bytes;
        if (onlyEmpty && unfinishedBytes > maxLineBytes) {
            throw RequestHeadLimitException.tooLarge("request line: too long");
        }
    }

    /** Bytes behind the head have been read, of the body and of what frames it. */
    void addBody(int bytes, int ofBody) {
        int frame = bytes - ofBody;
        if (unfinishedLines > 0) {
            unfinishedBytes += frame;
        }
        allowedBytes += (long) ofBody * CHUNK_BYTES - frame;
        if (allowedBytes < 0) {
            throw RequestHeadLimitException.tooLarge(
                    "chunks: sizes and trailers too large (expected: at most " + maxHeaderBytes + " bytes)");
        }
    }

    /** The head is complete. Returns what its lines cost beside their bytes. */
    long endHead() {
        long cost = (long) unfinishedLines * LINE_COST;
        unfinishedBytes = 0;
        unfinishedLines = 0;
        return cost;
    }

    /** The request is complete. */
    void end() {
        endHead();
        lines = 0;
        allowedBytes = maxHeaderBytes;
    }

    /** Returns the bytes and costs of a head, or of trailers, that are not complete. */
    long unfinished() {
        // The request line is a line too.
        return unfinishedBytes == 0 ? 0 : unfinishedBytes + (1L + unfinishedLines) * LINE_COST;
    }
}
