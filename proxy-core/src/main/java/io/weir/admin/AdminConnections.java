package io.weir.admin;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.weir.limit.Budget.KeyBudgets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of the admin listener, up to a bound. A new connection is always accepted. Over the bound
 * another one is closed, so that idle connections cannot block a health check. Confined to the listener's only event
 * loop.
 */
final class AdminConnections {

    private final int max;
    private final Counter closed;

    /**
     * The connections, and whether each has a request in progress. The order is that of their last requests, or of
     * their arrival if they sent none.
     */
    private final Map<Channel, Boolean> answering = new LinkedHashMap<>();

    /**
     * @param max maximum of open connections
     * @param closed counts the connections closed for new ones
     */
    AdminConnections(int max, Counter closed) {
        this.max = max;
        this.closed = closed;
    }

    /** Adds a new connection, and closes another one if too many are open. */
    void add(Channel connection) {
        if (answering.size() >= max) {
            closeOne();
        }
        answering.put(connection, false);
        connection.closeFuture().addListener(gone -> answering.remove(connection));
    }

    /** Records that a connection has sent a request. */
    void begin(Channel connection) {
        if (answering.remove(connection) != null) {
            answering.put(connection, true);
        }
    }

    /** Records that a connection's request was answered. */
    void end(Channel connection) {
        answering.replace(connection, false);
    }

    /**
     * Closes one connection of the address that has the most. It prefers connections without a request in progress, and
     * among these the one with the oldest last request.
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
        return address == null ? List.of() : KeyBudgets.network(address);
    }
}
