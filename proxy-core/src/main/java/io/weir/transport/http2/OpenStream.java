package io.weir.transport.http2;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import java.util.concurrent.TimeUnit;

/** The time limits of an open stream: for its request to arrive, and for its answer to be taken. Confined to its event loop. */
final class OpenStream {

    private final Channel channel;
    private final RequestFrameHandler request;
    private final AnswerFrameHandler answer;
    private final ReadPauseHandler pause;

    /** The time since which the client could have sent its request. */
    private long requestSince = System.nanoTime();

    /** The time since which the client could have taken more of its answer. */
    private long takenSince = requestSince;

    private long taken;
    private boolean rejected;

    OpenStream(Channel channel, RequestFrameHandler request, AnswerFrameHandler answer, ReadPauseHandler pause) {
        this.channel = channel;
        this.request = request;
        this.answer = answer;
        this.pause = pause;
    }

    /**
     * The time limits of all streams. Immutable.
     *
     * @param slowReaders counts streams whose clients do not read
     */
    record Limits(long requestMillis, long writeMillis, Counter slowReaders) {

        /** Returns the time between two looks at the open streams. */
        long lookNanos() {
            return TimeUnit.MILLISECONDS.toNanos(Math.max(1, Math.min(requestMillis, writeMillis) / 4));
        }
    }

    /** Notes that the client sends nothing more: an unfinished request ends, and a whole one still gets its answer. */
    void inputClosed() {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }

    /** Rejects the request, or resets the stream, if its time is over. */
    void check(long now, Limits limits) {
        if (request.isWhole() || pause.isPaused()) {
            // The time in which the proxy does not read does not count against the client.
            requestSince = now;
        } else if (!rejected && now - requestSince >= TimeUnit.MILLISECONDS.toNanos(limits.requestMillis())) {
            rejected = true;
            channel.pipeline()
                    .context(request)
                    .fireChannelRead(new ClientRequest.Rejected(
                            new Rejection(Rejection.Reason.SLOW, "request: did not arrive whole in time"),
                            AnswerStyle.LAST));
        }
        if (!answer.isWaiting() || answer.taken() != taken) {
            taken = answer.taken();
            takenSince = now;
        } else if (now - takenSince >= TimeUnit.MILLISECONDS.toNanos(limits.writeMillis())) {
            limits.slowReaders().inc();
            answer.giveUp();
            channel.close();
        }
    }
}
