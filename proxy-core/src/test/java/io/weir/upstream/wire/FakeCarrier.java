package io.weir.upstream.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.OutcomeSink;
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
    record Asked(RpcCall call, long deadlineNanos, OutcomeSink sink) {}

    /** A batch. */
    final class Posted {

        final Message message;
        final boolean anew;
        final long deadlineNanos;
        final OutcomeSink sink;
        List<Long> ids = List.of();

        Posted(Message message, boolean anew, long deadlineNanos, OutcomeSink sink) {
            this.message = message;
            this.anew = anew;
            this.deadlineNanos = deadlineNanos;
            this.sink = sink;
        }

        /** Sends the batch and returns its bytes. */
        String write() {
            String text = message.write(new RequestWriter(), () -> ++lastId).toString();
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
            sink.accept(message.read(status, body, body.length));
        }

        /** Answers it with this body, after a head that gave a verdict. */
        void answer(int status, String body, Failed verdict) {
            byte[] bytes = body.getBytes(UTF_8);
            sink.accept(message.read(status, bytes, bytes.length, verdict));
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
            sink.accept(new Failed(fault, Executed.MAYBE, "saw " + fault, 0));
        }
    }

    @Override
    public void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        if (refuses) {
            sink.accept(new Failed(Fault.OVERLOADED, Executed.NO, "full", 0));
        } else {
            sink.begun(() -> givenUp++);
            singles.add(new Asked(call, deadlineNanos, sink));
        }
    }

    @Override
    public void post(Message message, boolean anew, long deadlineNanos, OutcomeSink sink) {
        if (refuses) {
            sink.accept(new Failed(Fault.OVERLOADED, Executed.NO, "full", 0));
            return;
        }
        Posted posted = new Posted(message, anew, deadlineNanos, sink);
        if (!connecting) {
            posted.write();
        }
        batches.add(posted);
    }

    /** Ends the single call that was sent this number of calls ago. */
    void endSingle(int index, NodeOutcome outcome) {
        singles.get(index).sink().accept(outcome);
    }
}
