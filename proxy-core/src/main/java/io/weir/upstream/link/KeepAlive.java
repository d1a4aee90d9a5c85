package io.weir.upstream.link;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watch over one WebSocket. It pings a silent node, and reports a node that stays silent after a ping, and a socket that has been open for
 * long. Confined to its event loop.
 */
final class KeepAlive {

    /** Listener of the watch. Confined to the socket's event loop. */
    interface Listener {
        /** Handles a node that sent nothing after a ping. */
        void silent();

        /** Handles that the socket has been open for the time to renew it, and again after each further such time. */
        void renewalDue();
    }

    private final Channel channel;
    private final LinkLimits limits;
    private final Listener listener;
    private @Nullable ScheduledFuture<?> ping;
    private boolean heard;
    private boolean pinged;
    private long unrenewedMillis;

    KeepAlive(Channel channel, LinkLimits limits, Listener listener) {
        this.channel = channel;
        this.limits = limits;
        this.listener = listener;
    }

    /** Starts watching. */
    void start() {
        long pause = limits.pingMillis();
        ping = channel.eventLoop().scheduleWithFixedDelay(this::pingIfSilent, pause, pause, TimeUnit.MILLISECONDS);
    }

    /** Notes that data arrived. */
    void hear() {
        heard = true;
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
    }
}
