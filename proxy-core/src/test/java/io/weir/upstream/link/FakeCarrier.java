package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fake client: requests wait until the test answers them. */
final class FakeCarrier implements BatchWindow.Carrier {

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

    /** Single calls, in the order in which they were sent. */
    final List<Asked> singles = new ArrayList<>();

    /** Batches likewise. */
    final List<Posted> batches = new ArrayList<>();

    int givenUp;
    boolean refuses;
    /** Whether batches wait for a connection: the test writes them. */
    boolean connecting;

    private long lastId = 100;

    /** A single call. */
    record Asked(RpcCall call, long deadlineNanos, Attempt attempt) {}

    /** A batch. */
    final class Posted {

        final Attempt attempt;
        final boolean anew;
        final long deadlineNanos;
        List<Long> ids = List.of();

        Posted(Attempt attempt, boolean anew, long deadlineNanos) {
            this.attempt = attempt;
            this.anew = anew;
            this.deadlineNanos = deadlineNanos;
        }

        /** Sends the batch and returns its bytes. */
        String write() {
            String text = attempt.write(new RequestWriter(), () -> ++lastId).toString();
            Matcher matcher = ID.matcher(text);
            ids = matcher.results().map(one -> Long.valueOf(one.group(1))).toList();
            return text;
        }

        int size() {
            return ids.size();
        }

        /** Answers it with this body. */
        void answer(int status, String body) {
            answer(status, body.getBytes(UTF_8));
        }

        /** Answers it with these bytes and gives them up. */
        void answer(int status, byte[] body) {
            attempt.end(ReplyVerdict.of(attempt, status, body, body.length, null));
        }

        /** Answers it with this body, after a head that gave a verdict. */
        void answer(int status, String body, Failed verdict) {
            byte[] bytes = body.getBytes(UTF_8);
            attempt.end(ReplyVerdict.of(attempt, status, bytes, bytes.length, verdict));
        }

        /** Answers each of its calls with its id, the last one first. */
        void answerAll() {
            List<String> answers = new ArrayList<>();
            for (long id : ids) {
                answers.add(0, "{\"id\":" + id + ",\"result\":" + id + "}");
            }
            answer(200, answers.toString());
        }

        void fail(Fault fault) {
            attempt.end(new Failed(fault, Executed.MAYBE, "saw " + fault, 0));
        }
    }

    @Override
    public void send(Attempt attempt, boolean anew, long deadlineNanos) {
        if (refuses) {
            attempt.end(new Failed(Fault.OVERLOADED, Executed.NO, "full", 0));
        } else if (attempt.batch() == null) {
            attempt.cancelledBy(given -> givenUp++);
            singles.add(new Asked(attempt.call(), deadlineNanos, attempt));
        } else {
            Posted posted = new Posted(attempt, anew, deadlineNanos);
            if (!connecting) {
                posted.write();
            }
            batches.add(posted);
        }
    }

    /** Ends the single call that was sent this number of calls ago. */
    void endSingle(int index, NodeOutcome outcome) {
        singles.get(index).attempt().end(outcome);
    }
}
