package io.weir.upstream.link;

import io.netty.channel.EventLoop;
import io.weir.gzip.GzipUnpacker;
import org.jspecify.annotations.Nullable;

/** The parts that the answers of one node share on one event loop: limits, and memory that one at a time uses. Confined to that loop. */
final class AnswerResources implements AutoCloseable {

    private final EventLoop loop;
    private final LinkLimits limits;
    /** Null until a result goes on while it arrives. */
    private byte @Nullable [] scratch;

    /** Kept for the next answer in gzip. */
    private @Nullable GzipUnpacker spare;

    private boolean closed;

    AnswerResources(EventLoop loop, LinkLimits limits) {
        this.loop = loop;
        this.limits = limits;
    }

    EventLoop loop() {
        return loop;
    }

    LinkLimits limits() {
        return limits;
    }

    /** Returns an array for the pieces of one answer at a time, half as large as the first cache of usual processors. */
    byte[] scratch() {
        if (scratch == null) {
            scratch = new byte[1 << 14];
        }
        return scratch;
    }

    /** Returns an unpacker at the beginning of a text, which must be given back. */
    GzipUnpacker takeUnpacker() {
        GzipUnpacker kept = spare;
        spare = null;
        return kept == null ? new GzipUnpacker() : kept;
    }

    /** @param usable whether it can begin with another text */
    void giveBack(GzipUnpacker unpacker, boolean usable) {
        if (usable && spare == null && !closed) {
            unpacker.reset();
            spare = unpacker;
        } else {
            unpacker.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (spare != null) {
            spare.close();
            spare = null;
        }
    }
}
