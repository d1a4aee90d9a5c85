package io.weir.upstream.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.jsonrpc.RawJson;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connection to a node as its link uses it. Subclasses frame the messages and find the call of each answer. A connection closes if the
 * position of the next answer is in doubt. Confined to its event loop.
 */
abstract class NodeConnectionHandler extends ChannelInboundHandlerAdapter implements NodeConnector.Line {

    static final Failed BROKEN = ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "the connection broke");

    final Link link;
    private @Nullable Channel channel;
    private boolean used;
    private boolean withheld;
    private boolean retiring;
    private boolean dismissed;
    private boolean placesGiven;
    /** Whether the link offers the connection to calls. */
    boolean offered;
    /** Since when the connection carries no call. */
    long idleSinceNanos;

    NodeConnectionHandler(Link link) {
        this.link = link;
    }

    /** Makes the connection usable. From now on the link hears of its end. */
    @Override
    public void ready(Channel connected) {
        channel = connected;
    }

    /** Notes the end of the channel. Returns false if the connection never became ready: its connector reports that. */
    final boolean detach() {
        boolean ready = channel != null;
        channel = null;
        return ready;
    }

    /** Returns the channel; null before the connection is ready, and after its end. */
    final @Nullable Channel channel() {
        return channel;
    }

    final boolean isActive() {
        return channel != null && channel.isActive();
    }

    /** Returns whether another call may be sent. */
    final boolean hasCapacity() {
        return isActive() && !retiring && !withheld && calls() < link.limits().maxCalls();
    }

    /** Returns whether the connection has completed a call. */
    final boolean isUsed() {
        return used;
    }

    final void markUsed() {
        used = true;
    }

    /** Withholds the connection from calls until it is known which node it leads to. Calls find it unused then. */
    final void withhold(boolean on) {
        withheld = on;
        used = false;
    }

    final boolean isWithheld() {
        return withheld;
    }

    final boolean isRetiring() {
        return retiring;
    }

    /** Returns whether this side closed the connection, for reasons that say nothing about the node. */
    final boolean isDismissed() {
        return dismissed;
    }

    /** Returns whether the node ended the connection after a call. */
    final boolean isLost() {
        return used && !dismissed;
    }

    final void stopAccepting() {
        if (!retiring && link.isMultiplexed()) {
            // The places are those of the connection that comes after it.
            List<Attempt> all = new ArrayList<>();
            addCalls(all);
            all.forEach(this::giveBack);
            placesGiven = true;
        }
        retiring = true;
        link.withdraw(this);
    }

    /** Gives back the place of a call, which this connection carries no more. */
    final void giveBack(Attempt attempt) {
        if (!placesGiven) {
            link.giveBack(attempt);
        }
    }

    /** Takes no other call, and closes after the last answer. */
    final void retire() {
        stopAccepting();
        if (calls() == 0) {
            dismissed = true;
            disconnect();
        }
    }

    /** Closes at once. Calls in flight end with this outcome. */
    final void close(NodeOutcome outcome) {
        dismissed = true;
        stopAccepting();
        end(outcome);
    }

    abstract int calls();

    abstract void addCalls(List<Attempt> all);

    /**
     * Sends a call while there is capacity.
     *
     * @param id of the call, or of the first call of a batch
     */
    abstract void send(Attempt attempt, long id, RawJson text);

    /** Ends a call without an answer in time. */
    abstract void giveUp(Attempt attempt, Failed late);

    /**
     * Drops the answer to a call that its caller gave up.
     *
     * @param reason ends the connection if the answer takes too long
     * @return whether the connection takes no other call before that answer has passed
     */
    abstract boolean discardAnswer(Attempt attempt, Failed reason);

    /** Disconnects, and ends the calls in flight with this outcome. */
    abstract void end(NodeOutcome outcome);

    /** Disconnects without a call in flight. */
    abstract void disconnect();

    /** Protocol of a node's connections. Thread-safe. */
    interface Codec {

        /** Returns the handler of a new connection, or of a try to make one. */
        NodeConnectionHandler connection(Link link);

        /** Returns whether a connection carries many calls at once, and another one can be made while its last calls end. */
        boolean isMultiplexed();

        /** Returns the pause after failures, which links for calls obey and all update; null if the protocol needs none. */
        @Nullable
        ReconnectPause pause();
    }
}
