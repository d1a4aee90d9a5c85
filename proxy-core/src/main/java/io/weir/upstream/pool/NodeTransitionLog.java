package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of the changes of one node's health, one line each. If the health changes more often, the log has one line a second
 * with the state at that time. A node that stays down for another reason has a line a minute at most: after the first reason is
 * mended, the operator looks for the next. Confined to its event loop.
 */
final class NodeTransitionLog {

    private static final Logger LOG = LoggerFactory.getLogger(NodeTransitionLog.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long REASON_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String network;
    private final Node node;
    private final EventLoop loop;
    private final LongSupplier clock;
    private Health logged = Health.UNKNOWN;
    private String reason = "";
    private long loggedNanos;
    private boolean waiting;
    private boolean disputed;

    NodeTransitionLog(String network, Node node, EventLoop loop, LongSupplier clock) {
        this.network = network;
        this.node = node;
        this.loop = loop;
        this.clock = clock;
        this.loggedNanos = clock.getAsLong() - PAUSE_NANOS;
    }

    /** Notes that the health, or the reason for it, may have changed. */
    void note() {
        NodeState state = node.state();
        long since = clock.getAsLong() - loggedNanos;
        if (waiting || state.health() == logged) {
            if (logged == Health.DOWN
                    && since >= REASON_PAUSE_NANOS
                    && !state.detail().equals(reason)) {
                log();
            }
            return;
        }
        long early = PAUSE_NANOS - since;
        if (early <= 0) {
            log();
        } else {
            waiting = true;
            loop.schedule(
                    () -> {
                        waiting = false;
                        note();
                    },
                    early,
                    TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Notes what other nodes contradict, though it costs no calls. Disputes begin rarely, so each one has its line.
     *
     * @param reason null if they do not
     */
    void disputed(@Nullable String reason) {
        if (reason != null && !disputed) {
            LOG.warn("upstream {} of network {} {}", node.id(), network, reason);
        }
        disputed = reason != null;
    }

    /** Notes that the node left a block that no other node had. Such nodes are distrusted for minutes, so each time has its line. */
    void distrusted() {
        LOG.warn(
                "upstream {} of network {} named a block that no other node had, and left it; its next heads count once another node names them",
                node.id(),
                network);
    }

    private void log() {
        NodeState state = node.state();
        logged = state.health();
        reason = state.detail();
        loggedNanos = clock.getAsLong();
        if (logged == Health.HEALTHY) {
            LOG.info("upstream {} of network {} is healthy", node.id(), network);
        } else {
            LOG.warn(
                    "upstream {} of network {} is out ({}): {}",
                    node.id(),
                    network,
                    logged.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    state.detail());
        }
    }
}
