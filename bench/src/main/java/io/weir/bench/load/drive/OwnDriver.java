package io.weir.bench.load.drive;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Traffic;
import io.weir.bench.load.traffic.TrafficCheck;
import io.weir.transport.SocketTransport;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A driver on one event loop that checks every answer. At a constant rate it keeps to the times at which requests are meant to
 * leave. If all connections wait for answers, requests queue, and their latency counts from the planned time. A driver that waits
 * instead would leave out the very requests that a slow server harms ("coordinated omission"). Confined to the run's thread.
 */
public final class OwnDriver implements AutoCloseable {

    private static final long SECONDS_OF_GRACE = 10;

    private final SocketTransport transport = SocketTransport.best();
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.io());
    private final AnswerCheck check;

    /** Checks answers with the given check. */
    public OwnDriver(AnswerCheck check) {
        this.check = check;
    }

    /** Loads a server over HTTP. */
    public Outcome http(Target target, Traffic traffic, LoadPlan plan) throws IOException, InterruptedException {
        return http(target, traffic, plan, CallObserver.NONE);
    }

    /** Loads a server over HTTP, and tells an observer of each request. */
    public Outcome http(Target target, Traffic traffic, LoadPlan plan, CallObserver observer)
            throws IOException, InterruptedException {
        return drive(new Opening(transport, loop, target, false), traffic, plan, observer);
    }

    /** Loads a server over WebSocket, a request being a message. */
    public Outcome webSocket(Target target, Traffic traffic, LoadPlan plan) throws IOException, InterruptedException {
        return drive(new Opening(transport, loop, target, true), traffic, plan, CallObserver.NONE);
    }

    private Outcome drive(Opening opening, Traffic traffic, LoadPlan plan, CallObserver observer)
            throws IOException, InterruptedException {
        LoadRun run = new LoadRun(loop.next(), opening, new TrafficCheck(traffic, check), plan, observer);
        try {
            return run.start().get(plan.longest().toSeconds() + SECONDS_OF_GRACE, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the driver failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            run.stop();
            throw new IOException("the driver did not end in time", e);
        }
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
