package io.weir.upstream.stream;

import io.netty.buffer.ByteBuf;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.ResultStream;
import org.slf4j.LoggerFactory;

/**
 * A receiver whose failures do not reach the source of its result. If it fails, it gets the end of a result that broke off. If it fails at
 * that too, its stream is closed in its place. Confined to the event loop of the receiver's call.
 */
public final class GuardedReceiver implements ResultStream.Receiver {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(GuardedReceiver.class));

    private final ResultStream stream;
    private final ResultStream.Receiver receiver;
    private boolean over;

    /** @param stream what the receiver takes */
    public GuardedReceiver(ResultStream stream, ResultStream.Receiver receiver) {
        this.stream = stream;
        this.receiver = receiver;
    }

    /** Returns whether the receiver had an end, and takes nothing more. */
    boolean isOver() {
        return over;
    }

    @Override
    public void take(ByteBuf bytes) {
        if (over) {
            bytes.release();
            return;
        }
        try {
            receiver.take(bytes);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    @Override
    public void flush() {
        if (over) {
            return;
        }
        try {
            receiver.flush();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    @Override
    public void ended(boolean whole) {
        if (over) {
            return;
        }
        over = true;
        try {
            receiver.ended(whole);
        } catch (RuntimeException | Error e) {
            LOG.warn("the end of a result could not be sent", e);
            stream.close();
        }
    }

    void fail(Throwable cause) {
        LOG.warn("a piece of a result could not be sent", cause);
        ended(false);
    }
}
