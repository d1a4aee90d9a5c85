package io.weir.transport.answer;

import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Reservation;
import io.weir.pipeline.RequestAnswer;

/**
 * What a request and its answer take of the bytes in flight, until the answer has been sent or never will be. Confined to its
 * event loop.
 */
public final class AnswerShare {

    private final Reservation share;
    private long kept;

    /** Begins with what the request has taken. */
    public AnswerShare(Reservation share) {
        this.share = share;
    }

    /** Counts a reply that is kept until the others of its batch are there. */
    public void keep(RpcReply reply) {
        long size = AnswerSize.of(reply);
        kept += size;
        share.add(size);
    }

    /** Counts the answer, with what was kept of it. */
    public void add(RequestAnswer answer) {
        share.add(Math.max(0, AnswerSize.of(answer) - kept));
    }

    /** Gives everything back. */
    public void close() {
        share.close();
    }
}
