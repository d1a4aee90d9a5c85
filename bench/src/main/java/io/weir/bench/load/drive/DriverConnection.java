package io.weir.bench.load.drive;

import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** A connection of our own driver, with one request out at a time. Confined to its event loop. */
final class DriverConnection {

    /** Hears of answers. */
    @FunctionalInterface
    interface Answered {

        /**
         * The request is over.
         *
         * @param answer its body; null where there is none
         * @param failure why there is none
         */
        void answered(DriverConnection connection, byte @Nullable [] answer, String failure);
    }

    /** Writes a request's body in the form of the protocol, and flushes. */
    @FunctionalInterface
    interface Writer {
        void write(Channel channel, byte[] body);
    }

    private final Channel channel;
    private final Writer writer;
    private final Answered answered;
    private boolean isOut;
    private long place;
    private long intendedNanos;
    private long sentNanos;

    DriverConnection(Channel channel, Writer writer, Answered answered) {
        this.channel = channel;
        this.writer = writer;
        this.answered = answered;
    }

    void send(long atPlace, byte[] body, long meantNanos, long nowNanos) {
        place = atPlace;
        intendedNanos = meantNanos;
        sentNanos = nowNanos;
        isOut = true;
        writer.write(channel, body);
    }

    void close() {
        isOut = false;
        channel.close();
    }

    /** An answer, or the end of the connection, has come. */
    void over(byte @Nullable [] answer, String failure) {
        if (isOut) {
            isOut = false;
            answered.answered(this, answer, failure);
        }
    }

    boolean isOpen() {
        return channel.isActive();
    }

    long place() {
        return place;
    }

    /** When the request that is out, or was last, should have left. */
    long intendedNanos() {
        return intendedNanos;
    }

    /** When it did. */
    long sentNanos() {
        return sentNanos;
    }
}
