package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.weir.framing.BodyBuffer;
import io.weir.jsonrpc.reply.ResultStart;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.wire.ReplyVerdict;
import org.jspecify.annotations.Nullable;

/**
 * The body of the answer that arrives over a connection: it is collected, goes on to its client, or is dropped. Confined to its event
 * loop.
 */
final class AnswerBody {

    /** Bytes of an unread body that are awaited so that the connection can be kept. */
    private static final int MAX_DRAINED_BYTES = 1 << 16;

    private final PassingResult.Line connection;
    private final AnswerResources shared;
    private final LinkLimits limits;

    private @Nullable BodyBuffer body;
    /** The length of the body; -1 if it is unknown. */
    private long declared;

    /** Collected bytes from which on it is tried to let the result go on. */
    private long passFrom;

    /** The result that goes on while it arrives. Null for most answers. */
    private @Nullable PassingResult passing;

    private int drained;

    /** The bytes of an answer that has ended, until its taker has it. */
    private @Nullable BodyBuffer whole;

    AnswerBody(PassingResult.Line connection, AnswerResources shared) {
        this.connection = connection;
        this.shared = shared;
        this.limits = shared.limits();
    }

    /**
     * Begins with the body behind a head.
     *
     * @param length of the body; -1 if it is unknown
     * @param verdict that of the head alone; null if the body counts
     * @param mayBodySayMore whether the body is read although there is a verdict
     * @param call whose answer it is
     * @return the flaw of the answer; null if there is none so far
     */
    @Nullable
    Failed begin(NodeAnswerHead head, long length, @Nullable Failed verdict, boolean mayBodySayMore, Attempt call) {
        drained = 0;
        declared = length;
        passFrom = Long.MAX_VALUE;
        if (verdict == null) {
            return begin(head.isSuccess(), call);
        }
        if (mayBodySayMore && declared <= MAX_DRAINED_BYTES) {
            collect(MAX_DRAINED_BYTES, declared, call);
        }
        return null;
    }

    private @Nullable Failed begin(boolean success, Attempt call) {
        boolean large = success && declared > limits.streamFrom();
        if (large && !call.isCollected()) {
            // Its array is not made before it is known that the result must be collected.
            passFrom = 1;
            collect(limits.maxResponseBytes(), -1, call);
        } else if (declared > limits.maxResponseBytes()) {
            return ReplyVerdict.tooLarge();
        } else {
            passFrom = success && declared < 0 ? limits.streamFrom() + 1L : Long.MAX_VALUE;
            collect(limits.maxResponseBytes(), declared, call);
        }
        return null;
    }

    private void collect(int maxBytes, long length, Attempt call) {
        body = BodyBuffer.ofNode((int) length, maxBytes, limits.bytes().reserve(call.holder()));
    }

    /** Takes the next bytes, which remain the caller's. Returns the flaw of the answer; null if there is none so far. */
    @Nullable
    Failed take(ByteBuf content) {
        if (passing != null) {
            return passing.take(content);
        }
        if (body == null) {
            drained += content.readableBytes();
            return drained > MAX_DRAINED_BYTES ? Failed.of(Flaw.NOT_HTTP, "no HTTP") : null;
        }
        return switch (body.add(content)) {
            case ADDED -> null;
            case TOO_LARGE -> ReplyVerdict.tooLarge();
            case OVER_BUDGET, MALFORMED -> ReplyVerdict.overBudget();
        };
    }

    /** Lets the result go on if it has begun, is large, and its call allows it. Returns the flaw of the answer; null if there is none. */
    @Nullable
    Failed passOn(Attempt wanted) {
        BodyBuffer collected = body;
        if (collected == null || collected.length() < passFrom) {
            return null;
        }
        if (declared < 0 && wanted.isCollected()) {
            passFrom = Long.MAX_VALUE;
            return null;
        }
        int start = ResultStart.find(collected.array(), collected.length());
        if (start == ResultStart.LATER) {
            return null;
        }
        passFrom = Long.MAX_VALUE;
        PassingResult result = start < 0
                ? null
                : PassingResult.offer(connection, shared, collected.reservation(), wanted, declared - start);
        if (result != null) {
            return start(result, collected, start);
        }
        if (declared > limits.maxResponseBytes()) {
            return ReplyVerdict.tooLarge();
        }
        collected.expect((int) declared);
        return null;
    }

    private @Nullable Failed start(PassingResult result, BodyBuffer collected, int start) {
        if (body != collected) {
            // Its taker gave it up at once.
            result.close();
            return null;
        }
        body = null;
        passing = result;
        return result.start(collected.array(), start, collected.length());
    }

    /** Sends on what the result that goes on has brought. */
    void flush() {
        if (passing != null) {
            passing.flush();
        }
    }

    /** Drops what arrived, and what is still to come. */
    void forget() {
        if (body != null) {
            body.reservation().close();
            body = null;
        }
        if (whole != null) {
            // It could not be read.
            whole.reservation().close();
            whole = null;
        }
        PassingResult broken = passing;
        if (broken != null) {
            passing = null;
            broken.broken();
        }
    }

    /**
     * Ends with the end of the answer, and returns its meaning, or the verdict of its head.
     *
     * @param verdict that of the head alone; null if the body counts
     */
    @Nullable
    NodeOutcome end(Attempt wanted, int status, @Nullable Failed verdict) {
        PassingResult passed = passing;
        if (passed != null) {
            passing = null;
            NodeOutcome outcome = passed.finish(wanted, status);
            connection.read(true);
            return outcome;
        }
        BodyBuffer collected = body;
        body = null;
        whole = collected;
        if (collected == null) {
            return verdict;
        }
        return ReplyVerdict.of(wanted, status, collected.array(), collected.length(), verdict);
    }

    /** Runs the task that takes the outcome, and hands over what was collected meanwhile. */
    void handOver(Runnable taker) {
        BodyBuffer collected = whole;
        whole = null;
        if (collected == null) {
            taker.run();
        } else {
            collected.reservation().handOver(taker);
        }
    }
}
