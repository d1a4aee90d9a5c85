package io.weir.wallet.account;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map of bounded size that forgets the entry whose last use is longest ago. Thread-safe as {@link #ofMost} gives it. */
public final class LruCache<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private final int most;

    private LruCache(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    /** Returns an empty one of at most so many entries. Thread-safe; its own lock guards it. */
    public static <K, V> Map<K, V> ofMost(int most) {
        return Collections.synchronizedMap(new LruCache<>(most));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
