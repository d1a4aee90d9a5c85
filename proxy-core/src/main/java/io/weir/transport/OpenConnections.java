package io.weir.transport;

import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The connections that are open, and the bound on their number. Thread-safe; one thread at a time may add. */
final class OpenConnections {

    private final int most;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable CompletableFuture<Void> whenEmpty;

    OpenConnections(int most) {
        this.most = most;
    }

    /** Counts a connection until it closes; false where it would be one too many, or no more are taken. */
    boolean add(Channel channel) {
        if (open.size() >= most || whenEmpty != null) {
            return false;
        }
        open.add(channel);
        channel.closeFuture().addListener(closed -> remove(channel));
        return true;
    }

    int count() {
        return open.size();
    }

    /** Takes no more; completes when the last one has closed. */
    CompletableFuture<Void> whenEmpty() {
        CompletableFuture<Void> empty = new CompletableFuture<>();
        whenEmpty = empty;
        if (open.isEmpty()) {
            empty.complete(null);
        }
        return empty;
    }

    /** Tells every connection of an event. */
    void tellAll(Object event) {
        open.forEach(channel -> channel.pipeline().fireUserEventTriggered(event));
    }

    /** Closes every connection at once. */
    void closeAll() {
        open.forEach(Channel::close);
    }

    private void remove(Channel channel) {
        open.remove(channel);
        CompletableFuture<Void> empty = whenEmpty;
        if (empty != null && open.isEmpty()) {
            empty.complete(null);
        }
    }
}
