package io.weir.load;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;

/** How many connections each address has, and the bound on them. Thread-safe. */
public final class AddressCounts {

    private final int most;
    private final ConcurrentHashMap<InetAddress, Integer> counts = new ConcurrentHashMap<>();

    /**
     * Nobody has any yet.
     *
     * @param most of one address; 0 for no bound
     */
    public AddressCounts(int most) {
        this.most = most;
    }

    /** Counts one more; false, and nothing is counted, where that is too much. */
    public boolean tryAdd(InetAddress address) {
        if (most == 0) {
            return true;
        }
        boolean[] added = new boolean[1];
        counts.compute(address, (key, count) -> {
            int before = count == null ? 0 : count;
            added[0] = before < most;
            return added[0] ? Integer.valueOf(before + 1) : count;
        });
        return added[0];
    }

    /** Counts one less, of those that were counted. */
    public void remove(InetAddress address) {
        counts.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
    }

    /** How many addresses have any. */
    public int addresses() {
        return counts.size();
    }
}
