package io.weir.admin;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.weir.limit.AddressCounts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

    private final int max;
    private final Counter closed;

    /** In the order of their last requests, or of their arrival where they sent none; and whether a request is being answered. */
    private final Map<Channel, Boolean> answering = new LinkedHashMap<>();

    /**
     * Holds none yet.
     *
     * @param max connections that are open at once
     * @param closed counts those that were closed for others
     */
    AdminConnections(int max, Counter closed) {
        this.max = max;
        this.closed = closed;
    }

    /** Takes a new connection, and closes another one where too many are open. */
    void add(Channel connection) {
        if (answering.size() >= max) {
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
        return address == null ? List.of() : AddressCounts.network(address);
    }
}
