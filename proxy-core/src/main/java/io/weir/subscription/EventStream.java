package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RpcReply;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.stream.ChainStream;
import io.weir.subscription.stream.GapPatience;
import io.weir.subscription.stream.StreamTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One stream of events for all subscriptions and filters of a network. It runs while there are any; else nothing is asked.
 * Confined to its event loop, except for methods marked as thread-safe.
 */
final class EventStream implements EventSource {

    private static final long FIND_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long FIND_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final RpcReply.Failure NO_HEAD = RpcReply.unavailable("no upstream named the head of the chain");

    private final EventLoop loop;
    private final ChainFollower follower;
    private final ChainStream.Headers headers;
    private final StreamEvents events;
    private final List<Joining> joining = new ArrayList<>();
    private @Nullable ChainStream blocks;
    private int members;

    /** Member that waits for the stream to begin. Immutable. */
    private record Joining(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {

        boolean isLate() {
            return System.nanoTime() - deadlineNanos >= 0;
        }
    }

    EventStream(EventLoop loop, ChainFollower follower, ChainStream.Headers headers, StreamEvents events) {
        this.loop = loop;
        this.follower = follower;
        this.headers = headers;
        this.events = events;
    }

    @Override
    public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
        loop.execute(() -> {
            Joining next = new Joining(member, deadlineNanos, joined);
            count(member, 1);
            ChainStream known = blocks;
            if (known != null) {
                join(next, known.top());
                return;
            }
            joining.add(next);
            if (joining.size() == 1) {
                find();
            }
        });
    }

    @Override
    public void leave(StreamMember member) {
        if (!loop.isShuttingDown()) {
            loop.execute(() -> count(member, -1));
        }
    }

    private void count(StreamMember member, int change) {
        members += change;
        events.count(member, change);
        if (members == 0) {
            end();
        }
    }

    private void join(Joining next, BlockLink newest) {
        events.joined(next.member, newest);
        next.joined.accept(null);
    }

    private void find() {
        follower.find(System.nanoTime() + FIND_NANOS, this::found);
    }

    private void found(@Nullable BlockLink head) {
        if (head != null) {
            begin(head);
            return;
        }
        // Nodes are not known at once after a start.
        List<Joining> late = joining.stream().filter(Joining::isLate).toList();
        joining.removeAll(late);
        late.forEach(one -> {
            count(one.member, -1);
            one.joined.accept(NO_HEAD);
        });
        if (!joining.isEmpty()) {
            loop.schedule(this::find, FIND_AGAIN_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void begin(BlockLink head) {
        List<Joining> waiting = List.copyOf(joining);
        joining.clear();
        ChainStream begun = new ChainStream(
                head, follower, headers, StreamTimer.of(loop), events, ChainStream.MAX_GAP, GapPatience.MAX_NANOS);
        blocks = begun;
        events.began(head);
        waiting.forEach(one -> join(one, head));
        follower.follow(begun::advance, begun::giveUp);
        begun.readBelow();
    }

    private void end() {
        ChainStream ending = blocks;
        if (ending != null) {
            follower.stop();
            ending.close();
            events.ended();
            blocks = null;
        }
    }
}
