package io.weir.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.metrics.OutOfMemory;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A bound on an amount in use, such as the bytes or calls in flight. Thread-safe. */
public final class Budget {

    private final long max;
    private final AtomicLong taken = new AtomicLong();
    /** A share is there as long as somebody uses it. Null before the first. */
    private volatile @Nullable Cache<Object, Share> shares;

    /** One object for all look-ups, which a call makes several times. */
    private final Function<Object, Share> newShare = this::newShare;

    @SuppressWarnings("ThreadLocalUsage") // Belongs to this budget alone.
    private final ThreadLocal<@Nullable Reservation> handedOver = new ThreadLocal<>();

    public Budget(long max) {
        this.max = max;
    }

    /** Returns a budget without a bound, which only counts. */
    public static Budget unbounded() {
        return new Budget(Long.MAX_VALUE);
    }

    /** Takes an amount. Returns false and takes nothing if that exceeds the bound. */
    public boolean tryTake(long amount) {
        long before = taken.get();
        while (amount <= max - before) {
            if (taken.compareAndSet(before, before + amount)) {
                return true;
            }
            before = taken.get();
        }
        return false;
    }

    /** Takes an amount even over the bound, for something that exists already and cannot be rejected. */
    public void take(long amount) {
        taken.addAndGet(amount);
    }

    /** Gives back an amount that was taken. */
    public void give(long amount) {
        taken.addAndGet(-amount);
    }

    /** Returns whether anything more can be taken. */
    public boolean hasCapacity() {
        return taken.get() < max;
    }

    public long taken() {
        return taken.get();
    }

    public long max() {
        return max;
    }

    /** Returns a reservation that counts in no share, and has taken nothing yet. */
    public Reservation reserve() {
        return new Reservation(this, null);
    }

    /** Returns a reservation of a holder, which has taken nothing yet. */
    public Reservation reserve(Object holder) {
        return share(holder).reserve();
    }

    /** Returns the share of a holder, which is equal for all that is one holder's. */
    public Share share(Object holder) {
        Cache<Object, Share> made = shares;
        return (made == null ? makeShares() : made).get(holder, newShare);
    }

    private Share newShare(Object holder) {
        return new Share(this);
    }

    private synchronized Cache<Object, Share> makeShares() {
        Cache<Object, Share> made = shares;
        if (made == null) {
            made = Caffeine.newBuilder().weakValues().executor(OutOfMemory::run).build();
            shares = made;
        }
        return made;
    }

    /** Returns the reservation whose amount this thread is handing over, or null. */
    @Nullable
    Reservation handedOver() {
        return handedOver.get();
    }

    /** Sets the reservation whose amount this thread is handing over. Returns the previous one. */
    @Nullable
    Reservation handOver(@Nullable Reservation giver) {
        Reservation before = handedOver.get();
        handedOver.set(giver);
        return before;
    }

    /**
     * Budgets of holders, each of the same amount: API keys, and the addresses of clients. A budget is there as long as somebody refers to it,
     * or to a reservation of it. Thread-safe.
     */
    public static final class KeyBudgets {

        private static final int NETWORK_BYTES = 8;

        private final long max;
        private final Cache<Object, Budget> budgets =
                Caffeine.newBuilder().weakValues().executor(OutOfMemory::run).build();

        public KeyBudgets(long max) {
            this.max = max;
        }

        public Budget of(Object holder) {
            return budgets.get(holder, key -> new Budget(max));
        }

        /**
         * Returns the holder that a client's address stands for. For IPv6 that is the first address of the /64 network, because one client
         * may use all of its addresses. An IPv4 address represents itself.
         */
        public static InetAddress network(InetAddress address) {
            if (!(address instanceof Inet6Address)) {
                return address;
            }
            byte[] bytes = address.getAddress();
            Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
            try {
                return InetAddress.getByAddress(bytes);
            } catch (UnknownHostException e) {
                throw new IllegalStateException("address: " + bytes.length + " bytes (expected: 16)", e);
            }
        }
    }
}
