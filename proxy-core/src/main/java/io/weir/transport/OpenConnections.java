package io.weir.transport;

import io.netty.channel.Channel;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.limit.Reservation;
import io.weir.transport.request.ClientAddresses;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The open connections, and the bound on their number. Thread-safe; one thread at a time may add. */
final class OpenConnections {

    private final int max;
    private final @Nullable KeyBudgets addresses;
    private final Predicate<InetAddress> exempt;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable CompletableFuture<Void> whenEmpty;

    /**
     * @param maxOfOneAddress 0 for no bound
     * @param exempt peers with many clients, whose connections count only in the total
     */
    OpenConnections(int max, int maxOfOneAddress, Predicate<InetAddress> exempt) {
        this.max = max;
        this.exempt = exempt;
        this.addresses = maxOfOneAddress == 0 ? null : new KeyBudgets(maxOfOneAddress);
    }

    enum AddOutcome {
        /** The connection is counted until it closes. */
        COUNTED,
        /** The connection exceeds the total, or no more are accepted. */
        TOO_MANY,
        /** The connection exceeds the bound of its address. */
        TOO_MANY_OF_ADDRESS
    }

    /** Counts a connection until it closes, unless it exceeds a bound. */
    AddOutcome add(Channel channel) {
        if (open.size() >= max || whenEmpty != null) {
            return AddOutcome.TOO_MANY;
        }
        InetAddress peer = ClientAddresses.peer(channel);
        Reservation place = addresses == null || peer == null || exempt.test(peer)
                ? null
                : addresses.of(KeyBudgets.network(peer)).reserve();
        if (place != null && !place.tryAdd(1)) {
            return AddOutcome.TOO_MANY_OF_ADDRESS;
        }
        open.add(channel);
        channel.closeFuture().addListener(closed -> remove(channel, place));
        return AddOutcome.COUNTED;
    }

    int count() {
        return open.size();
    }

    /** Accepts no more connections. The future completes when the last one has closed. */
    CompletableFuture<Void> whenEmpty() {
        CompletableFuture<Void> empty = new CompletableFuture<>();
        whenEmpty = empty;
        if (open.isEmpty()) {
            empty.complete(null);
        }
        return empty;
    }

    /** Fires a user event on every connection. */
    void fireEvent(Object event) {
        open.forEach(channel -> channel.pipeline().fireUserEventTriggered(event));
    }

    /** Closes every connection at once. */
    void closeAll() {
        open.forEach(Channel::close);
    }

    private void remove(Channel channel, @Nullable Reservation place) {
        if (place != null) {
            place.close();
        }
        open.remove(channel);
        CompletableFuture<Void> empty = whenEmpty;
        if (empty != null && open.isEmpty()) {
            empty.complete(null);
        }
    }
}
