package io.weir.transport;

import io.netty.channel.Channel;
import io.weir.limit.AddressCounts;
import io.weir.transport.peer.ClientAddresses;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connections that are open, and the bound on their number. Thread-safe; one thread at a time may add. */
final class OpenConnections {

    private final int most;
    private final AddressCounts addresses;
    private final Predicate<InetAddress> exempt;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable CompletableFuture<Void> whenEmpty;

    /**
     * None is open yet.
     *
     * @param exempt peers whose connections count only together with all others: many clients come through them
     */
    OpenConnections(int most, int mostOfOneAddress, Predicate<InetAddress> exempt) {
        this.most = most;
        this.exempt = exempt;
        this.addresses = new AddressCounts(mostOfOneAddress);
    }

    /** What becomes of a new connection. */
    enum Verdict {
        /** It is counted until it closes. */
        WELCOME,
        /** It would be one too many, or no more are taken. */
        TOO_MANY,
        /** It would be one too many of its address. */
        TOO_MANY_OF_ADDRESS
    }

    /** Counts a connection until it closes, where it may come in. */
    Verdict add(Channel channel) {
        if (open.size() >= most || whenEmpty != null) {
            return Verdict.TOO_MANY;
        }
        InetAddress peer = ClientAddresses.peer(channel);
        InetAddress address = peer == null || exempt.test(peer) ? null : peer;
        if (address != null && !addresses.tryAdd(address)) {
            return Verdict.TOO_MANY_OF_ADDRESS;
        }
        open.add(channel);
        channel.closeFuture().addListener(closed -> remove(channel, address));
        return Verdict.WELCOME;
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
