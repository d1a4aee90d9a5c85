package io.weir.upstream.ws;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Watches one socket: asks a silent node for a sign, and tells when none comes, or no call. Confined to its event loop. */
final class KeepAlive {

    /** Hears of what was watched for. */
    interface Listener {
        /** Whether no call is under way. */
        boolean isIdle();

        /** No call came for as long as a socket may be unused. */
        void idleLong();

        /** The node gave no sign though it was asked for one. */
        void silent();
    }

    private final Channel channel;
    private final SocketLimits limits;
    private final Listener listener;
    private final ScheduledFuture<?> ping;
    private @Nullable ScheduledFuture<?> idle;
    private long idleSinceNanos;
    private boolean heard;
    private boolean pinged;

    /** Begins to watch a socket that is open and idle. */
    KeepAlive(Channel channel, SocketLimits limits, Listener listener) {
        this.channel = channel;
        this.limits = limits;
        this.listener = listener;
        EventLoop loop = channel.eventLoop();
        long pause = limits.pingMillis();
        ping = loop.scheduleWithFixedDelay(this::askForSign, pause, pause, TimeUnit.MILLISECONDS);
        idleFromNow();
    }

    /** Notes that something came. */
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
            listener.idleLong();
        } else {
            idle = channel.eventLoop().schedule(this::idleDue, rest, TimeUnit.NANOSECONDS);
        }
    }

    private void askForSign() {
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

    /** Ends. */
    void stop() {
        ping.cancel(false);
        if (idle != null) {
            idle.cancel(false);
        }
    }
}
