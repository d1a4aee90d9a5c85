package io.weir.subscription.node;

import io.weir.method.params.kind.HexText;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Memory of the newest hashes, of bounded size. It holds the last 64 bits of each. Confined to one thread.
 */
final class RecentHashes {

    private final Set<Long> hashes = new LinkedHashSet<>();
    private final int max;

    /** @param max maximum number of hashes; the oldest one is forgotten first */
    RecentHashes(int max) {
        this.max = max;
    }

    /** Adds a hash. Returns whether it is new. */
    boolean add(HexText hash) {
        if (!hashes.add(hash.toLong())) {
            return false;
        }
        if (hashes.size() > max) {
            Iterator<Long> oldest = hashes.iterator();
            oldest.next();
            oldest.remove();
        }
        return true;
    }

    /** Forgets all hashes. */
    void clear() {
        hashes.clear();
    }
}
