package io.weir.admin;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of the admin listener, up to a bound. A new connection is always taken: over the bound another one is closed,
 * so that idle connections cannot stop a health check. Confined to the one event loop of the listener.
 */
final class AdminConnections {

    /** Whoever has one IPv6 address has a whole block of this size. */
    private static final int IPV6_PREFIX_BYTES = 8;

    private final int most;
    private final Counter closed;

    /** In the order of their last requests, or of their arrival where they sent none; and whether a request is being answered. */
    private final Map<Channel, Boolean> answering = new LinkedHashMap<>();

    /**
     * Holds none yet.
     *
     * @param most that are open at once
     * @param closed counts those that were closed for others
     */
    AdminConnections(int most, Counter closed) {
        this.most = most;
        this.closed = closed;
    }

    /** Takes a new connection, and closes another one where too many are open. */
    void add(Channel connection) {
        if (answering.size() >= most) {
            closeOne();
        }
        answering.put(connection, false);
        connection.closeFuture().addListener(gone -> answering.remove(connection));
    }

    /** Notes that a connection has sent a request. */
    void begin(Channel connection) {
        if (answering.remove(connection) != null) {
            answering.put(connection, true);
        }
    }

    /** Notes that a connection's request was answered. */
    void end(Channel connection) {
        answering.replace(connection, false);
    }

    /**
     * Closes one connection of the address that has the most: one that waits for no answer, where there is one, and of these the one
     * whose last request is the longest ago.
     */
    private void closeOne() {
        Map<Object, Integer> counts = new HashMap<>();
        answering.keySet().forEach(connection -> counts.merge(holder(connection), 1, Integer::sum));
        Channel victim = null;
        int rank = -1;
        for (Map.Entry<Channel, Boolean> entry : answering.entrySet()) {
            Integer count = counts.get(holder(entry.getKey()));
            int mine = (count == null ? 0 : count) * 2 + (entry.getValue() ? 0 : 1);
            if (mine > rank) {
                victim = entry.getKey();
                rank = mine;
            }
        }
        if (victim != null) {
            closed.inc();
            answering.remove(victim);
            victim.close();
        }
    }

    private static Object holder(Channel connection) {
        @Nullable
        InetAddress address =
                connection.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
        if (address instanceof Inet6Address) {
            byte[] prefix = Arrays.copyOf(address.getAddress(), IPV6_PREFIX_BYTES);
            return Arrays.toString(prefix);
        }
        return address == null ? List.of() : address;
    }
}
