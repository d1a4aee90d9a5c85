package io.weir.subscription.delivery;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.access.Holding;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.ClientSession;
import io.weir.subscription.stream.FailoverFeed.Topic;
import io.weir.subscription.stream.LogCriteria;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Subscription of one connection. Its notifications wait until the answer with its id was written. Confined to the event loop of
 * its connection, except for its final fields and its caller.
 */
public final class Subscription implements StreamMember {

    private final String id;
    private final SubscriptionRequest request;
    private volatile Caller caller;
    private final ClientSession session;
    private final Holding holding;
    private final byte[] head;
    private final byte @Nullable [] reorganisationHead;
    private @Nullable BlockLink top;
    private long joined;
    private boolean open;
    private boolean ending;
    private boolean ended;
    private @Nullable Queue<Waiting> waiting;
    private long waitingBytes;

    /**
     * Notification that waits for the answer. Nobody modifies the arrays.
     *
     * @param head its beginning
     * @param rest what follows
     */
    record Waiting(byte[] head, byte[] rest) {}

    /** Creates a subscription that is not open. */
    public Subscription(String id, SubscriptionRequest request, Caller caller, ClientSession session) {
        this.id = id;
        this.request = request;
        this.caller = caller;
        this.session = session;
        this.holding = new Holding(caller, session.clientAddress());
        this.head = request.form().head(id);
        this.reorganisationHead = request.form().reorganisationHead(id);
    }

    /** Returns the id, in geth's form. */
    public String id() {
        return id;
    }

    @Override
    public SubscriptionKind kind() {
        return request.kind();
    }

    @Override
    public @Nullable LogCriteria criteria() {
        return request.criteria();
    }

    @Override
    public @Nullable RawJson subject() {
        return request.subject();
    }

    @Override
    public @Nullable Topic passed() {
        return request.passed();
    }

    @Override
    public EventLoop loop() {
        return session.loop();
    }

    @Override
    public Holding holding() {
        return holding;
    }

    /** Returns who subscribed, with the rights and bounds of the configuration in force. */
    public Caller caller() {
        return caller;
    }

    /** Sets the same caller of a later configuration, in whose rate and units later notifications count. */
    void caller(Caller next) {
        caller = next;
    }

    public ClientSession session() {
        return session;
    }

    @Override
    public void joined(long sequence) {
        joined = sequence;
    }

    @Override
    public void joinedAfter(BlockLink newest) {
        top = newest;
    }

    /** Returns the newest block of the stream when it joined; null for other sources. */
    public @Nullable BlockLink top() {
        return top;
    }

    SubscriptionRequest.Form form() {
        return request.form();
    }

    long joined() {
        return joined;
    }

    /** Returns the beginning of each notification. */
    byte[] head() {
        return head;
    }

    /** Returns the beginning of the notifications of blocks that are no longer canonical; null if it gets none. */
    byte @Nullable [] reorganisationHead() {
        return reorganisationHead;
    }

    boolean isOpen() {
        return open;
    }

    boolean isEnded() {
        return ended;
    }

    /** Adds a notification that waits for the answer. */
    void await(Waiting notification) {
        if (waiting == null) {
            waiting = new ArrayDeque<>();
        }
        waiting.add(notification);
        waitingBytes += notification.rest().length;
    }

    int waitingCount() {
        return waiting == null ? 0 : waiting.size();
    }

    long waitingBytes() {
        return waitingBytes;
    }

    /** Notes that the answer was written. Returns the notifications that waited for it, in order. */
    Queue<Waiting> open() {
        open = true;
        Queue<Waiting> late = waiting == null ? new ArrayDeque<>() : waiting;
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
