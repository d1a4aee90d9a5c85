package io.weir.subscription.delivery;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.access.Caller;
import io.weir.access.RateGate;
import io.weir.pipeline.ClientSession;
import io.weir.subscription.log.LogCriteria;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Subscription of one connection. Its notifications wait until the answer with its id was written. Confined to the event loop of
 * its connection, except for its final fields.
 */
public final class Subscription implements StreamMember {

    private static final String HEAD =
            "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\"";

    private final String id;
    private final SubscriptionKind kind;
    private final @Nullable LogCriteria criteria;
    private final Caller caller;
    private final ClientSession session;
    private final byte[] head;
    private @Nullable RateGate rate;
    private long joined;
    private boolean open;
    private boolean ending;
    private boolean ended;
    private @Nullable Queue<byte[]> waiting;
    private long waitingBytes;

    /**
     * Creates a subscription that is not open.
     *
     * @param criteria of the logs; null for other kinds
     */
    public Subscription(
            String id, SubscriptionKind kind, @Nullable LogCriteria criteria, Caller caller, ClientSession session) {
        this.id = id;
        this.kind = kind;
        this.criteria = criteria;
        this.caller = caller;
        this.session = session;
        this.rate = caller.rate();
        this.head = (HEAD + id + '"').getBytes(US_ASCII);
    }

    /** Returns the id, in geth's form. */
    public String id() {
        return id;
    }

    @Override
    public SubscriptionKind kind() {
        return kind;
    }

    @Override
    public @Nullable LogCriteria criteria() {
        return criteria;
    }

    /** Returns who subscribed. */
    public Caller caller() {
        return caller;
    }

    /** Returns the rate limit that notifications count in; null if there is none. */
    @Nullable
    RateGate rate() {
        return rate;
    }

    /** Sets the rate limit that later notifications count in. */
    void rate(@Nullable RateGate next) {
        rate = next;
    }

    /** Returns the connection. */
    public ClientSession session() {
        return session;
    }

    @Override
    public void joined(long sequence) {
        joined = sequence;
    }

    long joined() {
        return joined;
    }

    /** Returns the beginning of each notification. */
    byte[] head() {
        return head;
    }

    boolean isOpen() {
        return open;
    }

    boolean isEnded() {
        return ended;
    }

    /** Adds a notification that waits for the answer. */
    void await(byte[] rest) {
        if (waiting == null) {
            waiting = new ArrayDeque<>();
        }
        waiting.add(rest);
        waitingBytes += rest.length;
    }

    int waitingCount() {
        return waiting == null ? 0 : waiting.size();
    }

    long waitingBytes() {
        return waitingBytes;
    }

    /** Notes that the answer was written. Returns the notifications that waited for it, in order. */
    Queue<byte[]> open() {
        open = true;
        Queue<byte[]> late = waiting == null ? new ArrayDeque<>() : waiting;
        waiting = null;
        waitingBytes = 0;
        return late;
    }

    /** Notes that it ends once its answer and the waiting notifications were written. */
    void ending() {
        ending = true;
    }

    boolean isEnding() {
        return ending;
    }

    /** Ends it: nothing is sent any more. */
    void end() {
        ended = true;
        waiting = null;
        waitingBytes = 0;
    }
}
