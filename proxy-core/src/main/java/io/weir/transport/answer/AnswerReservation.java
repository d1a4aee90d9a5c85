package io.weir.transport.answer;

import io.weir.framing.BodyBuffer;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Reservation;
import io.weir.pipeline.RequestAnswer;

/**
 * The reservation of bytes in flight for a request and its answer, whose size is approximate. It lasts until the answer is sent
 * or certain never to be sent. Confined to its event loop.
 */
public final class AnswerReservation {

    /** Bytes around a result or an error. */
    private static final int FRAME_BYTES = 128;

    private final Reservation reservation;
    private long batched;

    /** Begins with the reservation of the request. */
    public AnswerReservation(Reservation reservation) {
        this.reservation = reservation;
    }

    /**
     * Counts a reply that waits for the other replies of its batch.
     *
     * @return the reply, or the one in its place if the holder's share has no room for it
     */
    public RpcReply keep(RpcReply reply) {
        RpcReply kept = hasRoom(reply) ? reply : RpcReply.NO_ROOM;
        long size = size(kept);
        batched += size;
        reservation.add(size);
        return kept;
    }

    /**
     * Counts the answer, including replies counted before.
     *
     * @return the answer, or the one in its place if the holder's share has no room for it
     */
    public RequestAnswer add(RequestAnswer answer) {
        boolean noRoom = answer instanceof RequestAnswer.One one && !hasRoom(one.reply());
        RequestAnswer kept = noRoom ? without((RequestAnswer.One) answer) : answer;
        reservation.add(Math.max(0, size(kept) - batched));
        return kept;
    }

    private static RequestAnswer without(RequestAnswer.One answer) {
        return new RequestAnswer.One(answer.id(), RpcReply.NO_ROOM, answer.context());
    }

    /** A small reply always has, so that the result of an executed call is not lost. */
    private boolean hasRoom(RpcReply reply) {
        long size = size(reply);
        return size <= BodyBuffer.SMALL_BYTES || reservation.permits(size);
    }

    /** Gives everything back. */
    public void close() {
        reservation.close();
    }

    private static long size(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one) {
            return size(one.reply());
        }
        if (answer instanceof RequestAnswer.Many many) {
            long sum = 0;
            for (RpcReply reply : many.replies()) {
                sum += size(reply);
            }
            return sum;
        }
        return FRAME_BYTES;
    }

    private static long size(RpcReply reply) {
        if (reply instanceof RpcReply.Result result) {
            return (long) FRAME_BYTES + result.value().length();
        }
        if (!(reply instanceof RpcReply.Failure failure)) {
            // The bytes of a stream are counted where they arrive.
            return FRAME_BYTES;
        }
        RpcError error = failure.error();
        int dataBytes = error.data() == null ? 0 : error.data().length();
        return (long) FRAME_BYTES + error.message().length() + dataBytes;
    }
}
