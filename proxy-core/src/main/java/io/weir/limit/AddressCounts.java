package io.weir.limit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections or bytes that each address holds, within a bound. The addresses of one IPv6 network of 64 bits count as one.
 * Thread-safe.
 */
public final class AddressCounts {

    private static final int NETWORK_BYTES = 8;

    private final long most;
    private final ConcurrentHashMap<InetAddress, Long> counts = new ConcurrentHashMap<>();

    /**
     * Begins without counts.
     *
     * @param most of one address; 0 for no bound
     */
    public AddressCounts(long most) {
        this.most = most;
    }

    /** Counts one more; false, and nothing is counted, where that is too much. */
    public boolean tryAdd(InetAddress address) {
        return tryAdd(address, 1);
    }

    /** Counts so many more; false, and nothing is counted, where that is too much. */
    public boolean tryAdd(InetAddress address, long amount) {
        if (most == 0) {
            return true;
        }
        boolean[] added = new boolean[1];
        counts.compute(network(address), (key, count) -> {
            long before = count == null ? 0 : count;
            added[0] = amount <= most - before;
            return added[0] ? Long.valueOf(before + amount) : count;
        });
        return added[0];
    }

    /** Counts one less, of those that were counted. */
    public void remove(InetAddress address) {
        remove(address, 1);
    }

    /** Counts so many less, of those that were counted. */
    public void remove(InetAddress address, long amount) {
        if (most != 0) {
            counts.computeIfPresent(network(address), (key, count) -> count <= amount ? null : count - amount);
        }
    }

    /** How many addresses have any. */
    public int addresses() {
        return counts.size();
    }

    /**
     * Returns the address that stands for a client: the first address of an IPv6 network of 64 bits, because one client may use all
     * of its addresses; an IPv4 address as it is.
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
