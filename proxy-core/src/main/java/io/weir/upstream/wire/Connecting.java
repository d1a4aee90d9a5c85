package io.weir.upstream.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connection in the making: host lookup, connect to one of its addresses, TLS, protocol handshake. Ends once, within its
 * deadline. Confined to its event loop.
 */
final class Connecting<L extends NodeConnector.Line> {

    /** A name with more addresses than this belongs to a load balancer; a few attempts are enough. */
    private static final int MAX_ADDRESSES = 4;

    private static final Failed LATE = problem("no connection in time");

    private final NodeConnector connector;
    private final EventLoop loop;
    private final Supplier<L> lines;
    private final NodeConnector.Listener<L> listener;
    private final Deque<InetSocketAddress> addresses = new ArrayDeque<>();
    private long deadlineNanos;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable Channel channel;
    private boolean ended;

    Connecting(NodeConnector connector, EventLoop loop, Supplier<L> lines, NodeConnector.Listener<L> listener) {
        this.connector = connector;
        this.loop = loop;
        this.lines = lines;
        this.listener = listener;
    }

    void follow(Future<List<InetSocketAddress>> resolved, long timeoutMillis) {
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        deadlineNanos = System.nanoTime() + timeoutNanos;
        timer = loop.schedule(() -> fail(LATE), timeoutNanos, TimeUnit.NANOSECONDS);
        resolved.addListener(done -> {
            if (!done.isSuccess()) {
                fail(problem(done.cause()));
                return;
            }
            resolved.getNow().stream().limit(MAX_ADDRESSES).forEach(addresses::add);
            connect(problem("the host name was not found"));
        });
    }

    /** Tries the next address. If none is left, ends with the last address's problem. */
    private void connect(Failed before) {
        InetSocketAddress next = addresses.poll();
        if (ended || next == null) {
            fail(before);
            return;
        }
        // The remaining time is divided evenly, so that an address that drops packets does not use it all.
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        long tryMillis = Math.max(1, left / (addresses.size() + 1));
        L line = lines.get();
        ChannelFuture connected = connector.bootstrap(loop, line, tryMillis).connect(next);
        channel = connected.channel();
        connected.addListener(done -> {
            if (done.isSuccess()) {
                secure(line, connected.channel());
            } else {
                connect(problem(done.cause()));
            }
        });
    }

    private void secure(L line, Channel made) {
        SslHandler tls = made.pipeline().get(SslHandler.class);
        if (tls == null) {
            open(line, made);
            return;
        }
        tls.handshakeFuture().addListener(shaken -> {
            if (shaken.isSuccess()) {
                open(line, made);
            } else {
                fail(problem(TlsProblem.detail(shaken.cause())));
            }
        });
    }

    private void open(L line, Channel made) {
        if (ended) {
            return;
        }
        made.closeFuture().addListener(closed -> fail(problem("the connection broke at once")));
        line.open(made, problem -> {
            if (problem != null) {
                fail(problem);
            } else if (!made.isActive()) {
                fail(problem("the connection broke at once"));
            } else if (end()) {
                connector.count();
                line.ready(made);
                listener.ended(line, null);
            }
        });
    }

    private void fail(Failed problem) {
        if (!end()) {
            return;
        }
        if (channel != null) {
            channel.close();
        }
        listener.ended(null, problem);
    }

    /** Returns false if it has ended before. */
    private boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        if (timer != null) {
            timer.cancel(false);
        }
        return true;
    }

    private static Failed problem(String detail) {
        return ReplyVerdict.failed(Fault.CONNECT, Executed.NO, detail);
    }

    /** Returns the problem in words that name no address; messages of exceptions do. */
    private static Failed problem(Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return LATE;
        }
        if (cause instanceof UnknownHostException) {
            return problem("the host name was not found");
        }
        return problem(
                cause instanceof ConnectException ? "the connection was refused" : "no connection could be made");
    }
}
