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

    private final Channel channel;
    private final LinkLimits limits;
    private final Runnable silent;
    private final Runnable renewal;
    private @Nullable ScheduledFuture<?> ping;
    private boolean heard;
    private boolean pinged;
    private long unrenewedMillis;

    /**
     * Watches a socket from its start on.
     *
     * @param silent runs when the node sent nothing after a ping
     * @param renewal runs when the socket has been open for the time to renew it, and again after each further such time
     */
    KeepAlive(Channel channel, LinkLimits limits, Runnable silent, Runnable renewal) {
        this.channel = channel;
        this.limits = limits;
        this.silent = silent;
        this.renewal = renewal;
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
            renewal.run();
        }
        if (heard) {
            heard = false;
            pinged = false;
        } else if (pinged) {
            silent.run();
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
