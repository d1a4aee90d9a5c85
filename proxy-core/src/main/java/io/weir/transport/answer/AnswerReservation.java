package io.weir.transport.answer;

import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Reservation;
import io.weir.pipeline.RequestAnswer;

/**
 * The reservation of bytes in flight for a request and its answer. It lasts until the answer is sent or certain never
 * to be sent. Confined to its event loop.
 */
public final class AnswerReservation {

    private final Reservation reservation;
    private long batched;

    /** Begins with the reservation of the request. */
    public AnswerReservation(Reservation reservation) {
        this.reservation = reservation;
    }

    /** Counts a reply that waits for the other replies of its batch. */
    public void keep(RpcReply reply) {
        long size = AnswerSize.of(reply);
        batched += size;
        reservation.add(size);
    }

    /** Counts the answer, including replies counted before. */
    public void add(RequestAnswer answer) {
        reservation.add(Math.max(0, AnswerSize.of(answer) - batched));
    }

    /** Gives everything back. */
    public void close() {
        reservation.close();
    }
}
