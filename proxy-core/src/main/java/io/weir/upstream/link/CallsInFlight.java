package io.weir.upstream.link;

import io.weir.framing.BodyBuffer;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Calls in flight on one socket, by the ids they were sent with, and the rules that match messages to calls. Confined to its
 * event loop.
 *
 * <p>A malformed answer with an id affects that call alone. Without an id the affected call is in doubt, and the call that
 * was sent first is taken. An object with neither an id nor a result nor an error is no answer, and neither is a text that begins no
 * object.
 */
final class CallsInFlight {

    private static final Failed UNSENT =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the connection broke before the call was sent");

    /** Result of reading a message. */
    enum Reading {
        /** The answer to a call, good or bad. */
        ANSWER,
        /** Neither an answer nor a message with an id, such as a subscription's notification. */
        NOTIFICATION,
        /** A message for no call, which was counted. */
        UNSOLICITED,
        /** An answer to an unknown call: no further message can be trusted. */
        DOUBT
    }

    /** Kind of a message that answers no call in flight. */
    enum Unsolicited {
        /** The answer to a call that was given up. */
        LATE,
        /** An answer with an id that was never used. */
        UNKNOWN_ID,
        /** Neither an answer nor a message with an id, such as a subscription's notification. */
        NOTIFICATION,
        /** Text that begins no object, or a damaged object while no call was in flight. */
        UNREADABLE;

        static EnumCounters<Unsolicited> counters(Meters meters, String network, String upstream) {
            return new EnumCounters<>(
                    meters, Meter.UPSTREAM_UNSOLICITED_MESSAGES, Unsolicited.class, network, upstream);
        }
    }

    private final Consumer<Attempt> giveBack;
    private final EnumCounters<Unsolicited> unsolicited;
    private final Map<Long, Entry> entries = new LinkedHashMap<>();
    private long lastId;

    /** @param giveBack takes the place of a call that is over */
    CallsInFlight(Consumer<Attempt> giveBack, EnumCounters<Unsolicited> unsolicited) {
        this.giveBack = giveBack;
        this.unsolicited = unsolicited;
    }

    /** Call in flight. Confined to its event loop. */
    static final class Entry {

        private final Attempt attempt;
        private boolean written;

        private Entry(Attempt attempt) {
            this.attempt = attempt;
        }

        /** Notes that the request was sent completely. From now on the node may have executed the call. */
        void markWritten() {
            written = true;
        }
    }

    int count() {
        return entries.size();
    }

    Entry add(long id, Attempt attempt) {
        Entry entry = new Entry(attempt);
        lastId = id;
        entries.put(id, entry);
        return entry;
    }

    void addTo(List<Attempt> all) {
        entries.values().forEach(entry -> all.add(entry.attempt));
    }

    /**
     * Reads a message, and ends the call that it answers.
     *
     * @param doubt runs before a call ends, if the message makes others doubtful
     */
    Reading take(BodyBuffer message, Runnable doubt) {
        NodeReply reply;
        try {
            reply = ReplyReader.read(message.array(), 0, message.length());
        } catch (MalformedReplyException e) {
            if (!beginsObject(message)) {
                unsolicited.count(Unsolicited.UNREADABLE);
                return Reading.UNSOLICITED;
            }
            return takeMalformed(e, doubt);
        }
        // An error without an id belongs to a known call only if there is just one.
        boolean only = ReplyVerdict.isNameless(reply) && entries.size() == 1;
        long id = only ? entries.keySet().iterator().next() : reply.id().toNumber();
        return answer(id, ReplyVerdict.ofReply(reply.reply()));
    }

    /** Returns whether a message may be a damaged answer. Balancers send other texts, such as {@code keepalive}. */
    private static boolean beginsObject(BodyBuffer message) {
        int at = 0;
        while (at < message.length() && message.array()[at] <= ' ' && message.array()[at] >= 0) {
            at++;
        }
        return at < message.length() && message.array()[at] == '{';
    }

    private Reading takeMalformed(MalformedReplyException e, Runnable doubt) {
        RawJson id = e.reason() == MalformedReplyException.Reason.BAD_ID ? null : e.id();
        if (id == null && e.reason() == MalformedReplyException.Reason.NEITHER_RESULT_NOR_ERROR) {
            return Reading.NOTIFICATION;
        }
        Failed failed = ReplyVerdict.ofMalformed(e, "");
        if (id != null) {
            return answer(id.toNumber(), failed);
        }
        if (entries.isEmpty()) {
            unsolicited.count(Unsolicited.UNREADABLE);
        }
        doubt.run();
        endFirst(failed);
        return Reading.DOUBT;
    }

    private Reading answer(long id, NodeOutcome outcome) {
        if (!entries.containsKey(id)) {
            boolean asked = id > 0 && id <= lastId;
            unsolicited.count(asked ? Unsolicited.LATE : Unsolicited.UNKNOWN_ID);
            return Reading.UNSOLICITED;
        }
        end(id, outcome);
        return Reading.ANSWER;
    }

    /** Ends the call of an abandoned answer: the one named, or the only one. */
    void lost(long id, Failed reason) {
        if (entries.containsKey(id)) {
            end(id, reason);
        } else if (entries.size() == 1) {
            endFirst(reason);
        }
    }

    void endFirst(NodeOutcome outcome) {
        if (!entries.isEmpty()) {
            end(entries.keySet().iterator().next(), outcome);
        }
    }

    private void end(long id, NodeOutcome outcome) {
        Entry entry = entries.remove(id);
        if (entry != null) {
            giveBack.accept(entry.attempt);
            entry.attempt.end(outcome);
        }
    }

    /** Ends a call. A late answer is ignored. */
    void end(Attempt attempt, NodeOutcome outcome) {
        if (entries.values().removeIf(entry -> entry.attempt.equals(attempt))) {
            giveBack.accept(attempt);
            attempt.end(outcome);
        }
    }

    /** Ends all calls. If the connection broke, those never sent completely end as not executed. */
    void endAll(NodeOutcome outcome) {
        boolean broken = outcome instanceof Failed failed && failed.fault() == Fault.DISCONNECTED;
        // Emptied before they end, because their owners may send again.
        List<Entry> ended = new ArrayList<>(entries.values());
        entries.clear();
        ended.forEach(entry -> giveBack.accept(entry.attempt));
        for (Entry entry : ended) {
            entry.attempt.end(broken && !entry.written ? UNSENT : outcome);
        }
    }
}
