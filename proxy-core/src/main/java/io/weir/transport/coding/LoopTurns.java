package io.weir.transport.coding;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Long work of many connections in turns: an event loop does one piece between two checks of its sockets. Thread-safe;
 * the work itself is confined to its event loop.
 */
public final class LoopTurns {

    private final ConcurrentHashMap<EventLoop, Turns> loops = new ConcurrentHashMap<>();

    /**
     * Adds work. Must be called on the loop.
     *
     * @param work does one piece, and returns whether there is more
     */
    public void add(EventLoop loop, BooleanSupplier work) {
        loops.computeIfAbsent(loop, Turns::new).add(work);
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
                // Scheduled instead of executed, because a loop runs all executed tasks before it checks its sockets
                // again.
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
