package io.weir.transport;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.metrics.OutOfMemory;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Event loops that report a timer that ran out of memory. Netty keeps such an error in a future that nobody reads.
 * Thread-safe.
 */
final class EventLoops extends MultiThreadIoEventLoopGroup {

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
