package io.weir.subscription.stream;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** A clock that the test turns. Confined to one thread. */
final class HandTimer implements StreamTimer {

    private final Queue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::at));
    private long now = 1_000_000_000;

    private record Task(long at, Runnable action) {}

    @Override
    public long now() {
        return now;
    }

    @Override
    public void after(long nanos, Runnable action) {
        tasks.add(new Task(now + nanos, action));
    }

    /** Lets time pass, with what is due meanwhile. */
    void pass(long nanos) {
        long end = now + nanos;
        while (!tasks.isEmpty() && tasks.element().at() <= end) {
            Task task = tasks.remove();
            now = Math.max(now, task.at());
            task.action().run();
        }
        now = end;
    }
}
