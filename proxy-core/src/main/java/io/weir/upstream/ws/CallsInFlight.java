package io.weir.upstream.ws;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.NodeReply;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.BodyCollector;
import io.weir.upstream.wire.ReplyVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The calls under way on one socket, by the ids they were sent under, and the rules of which message is whose. Confined to its
 * event loop.
 *
 * <p>An answer that is malformed, but names an id, is about that call alone. One that names none leaves it in doubt which call
 * it was for: it is held against the one that was sent first. An object with neither an id nor a result nor an error is no
 * answer.
 */
final class CallsInFlight {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

    private static final Failed UNSENT =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the connection broke before the call was sent");

    /** What a message was. */
    enum Verdict {
        /** The answer to a call, good or bad. */
        ANSWER,
        /** Nothing for anybody here, which was counted. */
        UNASKED,
        /** An answer to nobody knows which call: no message can be trusted any more. */
        DOUBT
    }

    private final RequestWriter writer = new RequestWriter();
    private final ReplyReader reader = new ReplyReader();
    private final UnsolicitedMessages unasked;
    private final Map<Long, Entry> entries = new LinkedHashMap<>();
    private long lastId;

    CallsInFlight(UnsolicitedMessages unasked) {
        this.unasked = unasked;
    }

    /** One call under way. */
    final class Entry {

        private final long id;
        private final Attempt<RpcCall, NodeSocketHandler.Sent> attempt;
        private boolean written;

        private Entry(long id, Attempt<RpcCall, NodeSocketHandler.Sent> attempt) {
            this.id = id;
            this.attempt = attempt;
        }

        /** What is to be sent. The caller owns the buffer. */
        ByteBuf request(ByteBufAllocator allocator) {
            byte[] text =
                    writer.write(id, attempt.asked().method(), attempt.asked().params());
            return allocator.buffer(text.length).writeBytes(text);
        }

        /** Notes that it left whole: from now on the node may have carried it out. */
        void markWritten() {
            written = true;
        }
    }

    int count() {
        return entries.size();
    }

    /** Gives a call an id. */
    Entry add(NodeSocketHandler socket, Attempt<RpcCall, NodeSocketHandler.Sent> attempt) {
        Entry entry = new Entry(++lastId, attempt);
        entries.put(entry.id, entry);
        attempt.sentOver(new NodeSocketHandler.Sent(socket, entry.id));
        return entry;
    }

    /**
     * Reads a message, and ends the call that it answers.
     *
     * @param doubt run before a call is told, where the message leaves others in doubt
     */
    Verdict take(BodyCollector message, Runnable doubt) {
        NodeReply reply;
        try {
            reply = reader.read(message.bytes(), 0, message.length());
        } catch (MalformedReplyException e) {
            return takeMalformed(e, doubt);
        }
        // An error without an id can be told apart from others only where there is no other.
        boolean only = ReplyVerdict.isNameless(reply) && entries.size() == 1;
        long id = only ? entries.keySet().iterator().next() : number(reply.id());
        return answer(id, ReplyVerdict.ofReply(reply.reply()));
    }

    private Verdict takeMalformed(MalformedReplyException e, Runnable doubt) {
        Failed failed = ReplyVerdict.ofMalformed(e, "");
        if (e.id() != null && e.reason() != MalformedReplyException.Reason.BAD_ID) {
            return answer(number(e.id()), failed);
        }
        if (e.reason() == MalformedReplyException.Reason.NEITHER_RESULT_NOR_ERROR) {
            unasked.count(UnsolicitedMessages.Kind.NOTIFICATION);
            return Verdict.UNASKED;
        }
        if (entries.isEmpty()) {
            unasked.count(UnsolicitedMessages.Kind.UNREADABLE);
        }
        doubt.run();
        endFirst(failed);
        return Verdict.DOUBT;
    }

    private Verdict answer(long id, NodeOutcome outcome) {
        if (!entries.containsKey(id)) {
            boolean asked = id > 0 && id <= lastId;
            unasked.count(asked ? UnsolicitedMessages.Kind.LATE : UnsolicitedMessages.Kind.UNKNOWN_ID);
            return Verdict.UNASKED;
        }
        end(id, outcome);
        return Verdict.ANSWER;
    }

    private static long number(RawJson id) {
        String text = id.toString();
        return NUMBER.matcher(text).matches() ? Long.parseLong(text) : -1;
    }

    /** Ends the call that an answer that was given up was for: the one named, or the only one. */
    void lost(long id, Failed reason) {
        if (entries.containsKey(id)) {
            end(id, reason);
        } else if (entries.size() == 1) {
            endFirst(reason);
        }
    }

    /** Ends the call that was sent first. */
    void endFirst(NodeOutcome outcome) {
        if (!entries.isEmpty()) {
            end(entries.keySet().iterator().next(), outcome);
        }
    }

    void end(long id, NodeOutcome outcome) {
        Entry entry = entries.remove(id);
        if (entry != null) {
            entry.attempt.end(outcome);
        }
    }

    /** Ends all; those that were never sent whole as not executed, where the connection is the reason. */
    void endAll(NodeOutcome outcome) {
        boolean broken = outcome instanceof Failed failed && failed.fault() == Fault.DISCONNECTED;
        // Emptied before they are told, because they may ask again.
        List<Entry> ended = new ArrayList<>(entries.values());
        entries.clear();
        for (Entry entry : ended) {
            entry.attempt.end(broken && !entry.written ? UNSENT : outcome);
        }
    }
}
