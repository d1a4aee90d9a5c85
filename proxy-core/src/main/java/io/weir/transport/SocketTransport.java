package io.weir.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.metrics.OutOfMemory;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The system interface for sockets, as event loops and channels need it. Immutable.
 *
 * @param name for logs
 * @param io creates the I/O handlers of event loops
 * @param serverChannel accepts connections
 * @param clientChannel connects to nodes
 */
public record SocketTransport(
        String name,
        IoHandlerFactory io,
        Class<? extends ServerSocketChannel> serverChannel,
        Class<? extends SocketChannel> clientChannel) {

    /** Returns epoll, which takes less processor time, if the system has it, else NIO. */
    public static SocketTransport best() {
        return Epoll.isAvailable() ? epoll() : nio();
    }

    /**
     * Starts event loops for this transport.
     *
     * @param threads 0 for one per processor
     * @param name of the threads
     */
    public EventLoopGroup loops(int threads, String name) {
        return new EventLoops(threads, name, io);
    }

    /** Returns the failure of a listener to bind, for the operator. */
    public static IOException unbound(String block, String option, String host, int port, Throwable cause) {
        String reason = String.valueOf(cause.getMessage());
        boolean taken = reason.contains("in use");
        String problem = taken || reason.contains("denied")
                ? block + ".port: " + port + " on " + host + ": "
                        + (taken ? "taken by another program, such as a node or another proxy" : "not permitted")
                        + " (expected: a free port; " + option + " PORT names another)"
                : block + ".host: " + host + ": not found (expected: an address or a name of this machine)";
        return new IOException(problem, cause);
    }

    private static SocketTransport epoll() {
        return new SocketTransport(
                "epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class);
    }

    static SocketTransport nio() {
        return new SocketTransport(
                "nio", NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
    }

    /**
     * Event loops that report a timer that ran out of memory. Netty keeps such an error in a future that nobody reads.
     * Thread-safe.
     */
    private static final class EventLoops extends MultiThreadIoEventLoopGroup {

        EventLoops(int threads, String name, IoHandlerFactory io) {
            super(threads, new DefaultThreadFactory(name, true), io);
        }

        @Override
        protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... unused) {
            return new SingleThreadIoEventLoop(this, executor, io) {
                @Override
                public ScheduledFuture<?> schedule(Runnable timer, long delay, TimeUnit unit) {
                    return super.schedule(() -> OutOfMemory.run(timer), delay, unit);
                }
            };
        }
    }
}
