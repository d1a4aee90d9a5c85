package io.weir.upstream.link;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watch over one socket. It pings a silent node, and reports a node that stays silent after a ping, a socket that is idle for long, and
 * one that has been open for long. Confined to its event loop.
 */
final class KeepAlive {

    /** Listener of the watch. Confined to the socket's event loop. */
    interface Listener {
        /** Returns whether no call is in flight. */
        boolean isIdle();

        /** Handles a socket that had no call for the maximum idle time. */
        void idleTooLong();

        /** Handles a node that sent nothing after a ping. */
        void silent();

        /** Handles that the socket has been open for the time to renew it, and again after each further such time. */
        void renewalDue();
    }

    private final Channel channel;
    private final SocketLimits limits;
    private final Listener listener;
    private @Nullable ScheduledFuture<?> ping;
    private @Nullable ScheduledFuture<?> idle;
    private long idleSinceNanos;
    private boolean heard;
    private boolean pinged;
    private long unrenewedMillis;

    KeepAlive(Channel channel, SocketLimits limits, Listener listener) {
        this.channel = channel;
        this.limits = limits;
        this.listener = listener;
    }

    /** Starts watching. */
    void start() {
        EventLoop loop = channel.eventLoop();
        long pause = limits.pingMillis();
        ping = loop.scheduleWithFixedDelay(this::pingIfSilent, pause, pause, TimeUnit.MILLISECONDS);
        idleFromNow();
    }

    /** Notes that data arrived. */
    void hear() {
        heard = true;
    }

    /** Notes that the last call has ended. */
    void idleFromNow() {
        idleSinceNanos = System.nanoTime();
        if (idle == null) {
            idle = channel.eventLoop().schedule(this::idleDue, limits.idleMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void idleDue() {
        idle = null;
        if (!listener.isIdle()) {
            return;
        }
        long rest = idleSinceNanos + TimeUnit.MILLISECONDS.toNanos(limits.idleMillis()) - System.nanoTime();
        if (rest <= 0) {
            listener.idleTooLong();
        } else {
            idle = channel.eventLoop().schedule(this::idleDue, rest, TimeUnit.NANOSECONDS);
        }
    }

    private void pingIfSilent() {
        unrenewedMillis += limits.pingMillis();
        if (unrenewedMillis >= limits.renewMillis()) {
            unrenewedMillis = 0;
            listener.renewalDue();
        }
        if (heard) {
            heard = false;
            pinged = false;
        } else if (pinged) {
            listener.silent();
        } else {
            pinged = true;
            channel.writeAndFlush(new PingWebSocketFrame(), channel.voidPromise());
        }
    }

    /** Stops watching. */
    void stop() {
        if (ping != null) {
            ping.cancel(false);
        }
        if (idle != null) {
            idle.cancel(false);
        }
    }
}
