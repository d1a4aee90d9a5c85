package io.weir.transport.head;

import io.weir.load.AddressCounts;
import io.weir.load.Share;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What one connection holds of unfinished request heads, counted in the bytes in flight and for its address. Confined to its
 * event loop.
 */
public final class HeadAccount implements AutoCloseable {

    /** Requests that wait may take so much over the bound of all bytes in flight: one read of a socket that holds few of them. */
    private static final long ALWAYS_ALLOWED = 80 << 10;

    private final Share share;
    private final AddressCounts addresses;
    private final @Nullable InetAddress address;
    private long ofAddress;

    /**
     * Begins with nothing.
     *
     * @param share counts in the bytes in flight
     * @param address whose bytes are counted in {@code addresses}, or null where there is no bound
     */
    public HeadAccount(Share share, AddressCounts addresses, @Nullable InetAddress address) {
        this.share = share;
        this.addresses = addresses;
        this.address = address;
    }

    /**
     * Counts an unfinished head, and requests that were read and wait for others.
     *
     * @return false, and nothing more is counted, where that is too much
     */
    boolean set(long unfinished, long waiting) {
        long amount = unfinished + waiting;
        if (amount < share.taken()) {
            share.lowerTo(amount);
        }
        if (amount < ofAddress) {
            give(ofAddress - amount);
        }
        boolean always = unfinished == 0 && waiting <= ALWAYS_ALLOWED;
        return addToAddress(amount - ofAddress) && add(amount - share.taken(), always);
    }

    private boolean addToAddress(long more) {
        if (address == null || more <= 0) {
            return true;
        }
        boolean added = addresses.tryAdd(address, more);
        ofAddress += added ? more : 0;
        return added;
    }

    private boolean add(long more, boolean always) {
        if (more <= 0 || share.tryAdd(more)) {
            return true;
        }
        if (always) {
            share.add(more);
        }
        return always;
    }

    private void give(long less) {
        ofAddress -= less;
        if (address != null) {
            addresses.remove(address, less);
        }
    }

    /** Whether nothing is counted. */
    boolean isEmpty() {
        return share.taken() == 0 && ofAddress == 0;
    }

    /** Gives everything back. */
    @Override
    public void close() {
        share.close();
        give(ofAddress);
    }
}
