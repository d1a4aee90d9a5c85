package io.weir.transport.request;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RequestReader;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import org.slf4j.LoggerFactory;

/** The reader and runner of request bodies, within the bound on calls in flight. Thread-safe. */
public final class RequestDispatcher {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(RequestDispatcher.class));
    private static final RpcReply.Failure OVERLOADED =
            new RpcReply.Failure(ErrorCode.INTERNAL_ERROR.error("overloaded"), RpcReply.FailureKind.UNAVAILABLE, 1);

    private final RequestReader reader;
    private final Budget calls;
    private final RejectionCounters rejections;

    RequestDispatcher(RequestReader reader, Budget calls, RejectionCounters rejections) {
        this.reader = reader;
        this.calls = calls;
        this.rejections = rejections;
    }

    /** Reads a body, which the sender gives up. */
    RequestBody read(BodyBuffer body) {
        return reader.read(body.array(), 0, body.length());
    }

    /**
     * Runs a body.
     *
     * @param sink gets the answer once, on the loop
     */
    void run(RequestBody read, Admission.Granted granted, EventLoop loop, AnswerSink sink) {
        // A batch larger than the bound may still run alone.
        long count = Math.min(read.count(), calls.max());
        if (!calls.tryTake(count)) {
            rejections.count(Rejection.Reason.OVERLOAD);
            boolean batch = read instanceof RequestBody.Batch;
            sink.accept(new RequestAnswer.Refused(RequestItem.waitingIds(read.items()), OVERLOADED, batch));
            return;
        }
        Running running = new Running(count, sink);
        try {
            granted.network().runner().run(read, granted.caller(), loop, running);
        } catch (RuntimeException | Error e) {
            LOG.warn("request failed", e);
            running.accept(new RequestAnswer.One(RawJson.NULL, RpcReply.unavailable("internal error"), null));
        }
    }

    /** A body that waits for its answer. It counts only one answer. Confined to its event loop. */
    private final class Running implements AnswerSink {

        private final long count;
        private final AnswerSink sink;
        private boolean done;

        Running(long count, AnswerSink sink) {
            this.count = count;
            this.sink = sink;
        }

        @Override
        public void keep(RpcReply reply) {
            sink.keep(reply);
        }

        @Override
        public void accept(RequestAnswer answer) {
            if (!done) {
                done = true;
                calls.give(count);
                sink.accept(answer);
            }
        }
    }
}
