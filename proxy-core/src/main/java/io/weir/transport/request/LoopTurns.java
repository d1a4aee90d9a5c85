package io.weir.transport.request;

import io.netty.channel.EventLoop;
import io.weir.metrics.RateLimitedLogger;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/**
 * Long work of many connections in turns: an event loop does one piece between two checks of its sockets. Thread-safe;
 * the work itself is confined to its event loop.
 */
public final class LoopTurns {

    private final RateLimitedLogger log = new RateLimitedLogger(LoggerFactory.getLogger(LoopTurns.class));
    private final ConcurrentHashMap<EventLoop, Turns> loops = new ConcurrentHashMap<>();

    /**
     * Adds work. Must be called on the loop.
     *
     * @param work does one piece, and returns whether there is more
     * @param failed ends the work after a piece that threw; the failure is in the log
     */
    public void add(EventLoop loop, BooleanSupplier work, Runnable failed) {
        BooleanSupplier piece = () -> {
            try {
                return work.getAsBoolean();
            } catch (RuntimeException | Error e) {
                log.warn("work on an event loop failed", e);
                failed.run();
                return false;
            }
        };
        loops.computeIfAbsent(loop, Turns::new).add(piece);
    }

    /** The work of one event loop, in turns. Confined to its event loop. */
    private static final class Turns {

        private final EventLoop loop;
        private final Queue<BooleanSupplier> waiting = new ArrayDeque<>();
        private boolean scheduled;

        Turns(EventLoop loop) {
            this.loop = loop;
        }

        void add(BooleanSupplier work) {
            waiting.add(work);
            schedule();
        }

        private void schedule() {
            if (!scheduled && !waiting.isEmpty()) {
                scheduled = true;
                // Scheduled, not executed, because a loop runs all executed tasks before it checks its sockets again.
                loop.schedule(this::turn, 0, TimeUnit.NANOSECONDS);
            }
        }

        private void turn() {
            scheduled = false;
            BooleanSupplier work = waiting.remove();
            try {
                if (work.getAsBoolean()) {
                    waiting.add(work);
                }
            } finally {
                schedule();
            }
        }
    }
}
