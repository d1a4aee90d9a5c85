package io.weir.wallet.testing;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;

/** A scheduler whose tasks run when a test says so, on the test's thread. Tasks may come from any thread. */
public final class HandScheduler {
    private final List<Runnable> repeated = new CopyOnWriteArrayList<>();
    private final List<Runnable> delayed = new CopyOnWriteArrayList<>();

    /** Returns it as plugins know schedulers. */
    public ScheduledExecutorService asService() {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                HandScheduler.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "scheduleWithFixedDelay" -> future((Runnable) arguments[0], repeated);
                    case "schedule" -> future((Runnable) arguments[0], delayed);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static Object future(Runnable task, List<Runnable> tasks) {
        tasks.add(task);
        return Proxy.newProxyInstance(
                HandScheduler.class.getClassLoader(),
                new Class<?>[] {ScheduledFuture.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "cancel" -> tasks.remove(task);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** Runs what is repeated, once. */
    public void round() {
        List.copyOf(repeated).forEach(Runnable::run);
    }

    /** Runs the delayed tasks that there are now. */
    public void elapseAll() {
        List<Runnable> due = List.copyOf(delayed);
        delayed.removeAll(due);
        due.forEach(Runnable::run);
    }

    /** Returns whether a delayed task waits. */
    public boolean waits() {
        return !delayed.isEmpty();
    }

    /** Runs the delayed task that came first. */
    public void elapse() {
        if (!delayed.isEmpty()) {
            delayed.remove(0).run();
        }
    }
}
