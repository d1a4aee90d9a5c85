package io.weir.limit;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A bound on what is in flight, in bytes or in calls. Thread-safe. */
public final class Budget {

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    @SuppressWarnings("ThreadLocalUsage") // Of this budget alone.
    private final ThreadLocal<@Nullable Reservation> handedOver = new ThreadLocal<>();

    /** Nothing is taken yet of so much. */
    public Budget(long most) {
        this.most = most;
    }

    /** One that only counts. */
    public static Budget unbounded() {
        return new Budget(Long.MAX_VALUE);
    }

    /** Takes, or leaves all as it is and says false where that would be too much. */
    public boolean tryTake(long amount) {
        long before = taken.get();
        while (amount <= most - before) {
            if (taken.compareAndSet(before, before + amount)) {
                return true;
            }
            before = taken.get();
        }
        return false;
    }

    /** Takes what is there already and cannot be refused, over the bound too. */
    public void take(long amount) {
        taken.addAndGet(amount);
    }

    /** Gives back what was taken. */
    public void give(long amount) {
        taken.addAndGet(-amount);
    }

    /** Whether anything more can be taken. */
    public boolean hasRoom() {
        return taken.get() < most;
    }

    /** How much is taken. */
    public long taken() {
        return taken.get();
    }

    /** How much may be taken. */
    public long most() {
        return most;
    }

    /** What one holder takes, beginning with nothing. */
    public Reservation share() {
        return new Reservation(this);
    }

    /** The share that is being handed over on this thread, or null. */
    @Nullable
    Reservation handedOver() {
        return handedOver.get();
    }

    /** Says which share is being handed over on this thread; returns the one before. */
    @Nullable
    Reservation handOver(@Nullable Reservation share) {
        Reservation before = handedOver.get();
        handedOver.set(share);
        return before;
    }
}
