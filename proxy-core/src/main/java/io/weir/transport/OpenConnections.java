package io.weir.transport;

import io.netty.channel.Channel;
import io.weir.limit.AddressCounts;
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
    private final AddressCounts addresses;
    private final Predicate<InetAddress> exempt;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable CompletableFuture<Void> whenEmpty;

    /** @param exempt peers with many clients, whose connections count only in the total */
    OpenConnections(int max, int maxOfOneAddress, Predicate<InetAddress> exempt) {
        this.max = max;
        this.exempt = exempt;
        this.addresses = new AddressCounts(maxOfOneAddress);
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
        InetAddress address = peer == null || exempt.test(peer) ? null : peer;
        if (address != null && !addresses.tryAdd(address)) {
            return AddOutcome.TOO_MANY_OF_ADDRESS;
        }
        open.add(channel);
        channel.closeFuture().addListener(closed -> remove(channel, address));
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

    private void remove(Channel channel, @Nullable InetAddress address) {
        if (address != null) {
            addresses.remove(address);
        }
        open.remove(channel);
        CompletableFuture<Void> empty = whenEmpty;
        if (empty != null && open.isEmpty()) {
            empty.complete(null);
        }
    }
}
