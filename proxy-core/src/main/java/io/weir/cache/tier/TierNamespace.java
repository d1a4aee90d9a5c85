package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.cache.tier.ChainAnchors.Anchor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Name space of one network's entries in a tier. A record holds the token of the present name space; a purge creates a new
 * one. A name space has an anchor: a final block at or above all blocks of its entries. It is used only after the nodes name
 * the same block as its anchor. So entries of another or a reset chain are never read. A hash proves a block, and not
 * that it is of this chain. Thread-safe.
 */
final class TierNamespace {

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RECHECK_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_WAITING = 256;
    private static final int MAX_RETIRED = 100;

    private final ByteTier records;
    private final String chain;
    private final ChainAnchors anchors;
    private final LongSupplier clock;
    private final List<Waiter> waiters = new ArrayList<>();
    private final Set<String> retired = new LinkedHashSet<>();
    private volatile @Nullable Space space;
    private volatile long recheckNanos;
    private long retryNanos;
    private int epoch;
    private boolean busy;
    private boolean mustErase;

    private record Space(String token, long reach) {}

    private record Waiter(long least, Consumer<@Nullable String> sink) {}

    /**
     * @param chain distinguishes the chain from all others
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    TierNamespace(ByteTier records, String chain, ChainAnchors anchors, LongSupplier clock) {
        this.records = records;
        this.chain = EntryCodec.VERSION + ':' + chain;
        this.anchors = anchors;
        this.clock = clock;
        this.retryNanos = clock.getAsLong();
    }

    /** Returns the highest block on which an entry may depend; -1 while closed. */
    long reach() {
        Space now = space;
        return now == null ? -1 : now.reach();
    }

    /** Returns a number that tells the name space apart from earlier ones; 0 while closed. */
    long generation() {
        Space now = space;
        return now == null ? 0 : Long.parseUnsignedLong(now.token(), 0, 16, 16);
    }

    /**
     * Opens the name space if needed, and delivers its path; null if it cannot be opened now.
     *
     * @param least the block that its anchor must be at or above
     * @param sink called once, on any thread
     */
    void whenOpen(long least, Consumer<@Nullable String> sink) {
        Space now = space;
        if (now != null && now.reach() >= least) {
            recheck(now);
            sink.accept(path(now));
            return;
        }
        int mine = -1;
        boolean waits;
        synchronized (this) {
            boolean early = !busy && clock.getAsLong() - retryNanos < 0;
            waits = records.isUp() && !early && waiters.size() < MAX_WAITING;
            if (waits) {
                waiters.add(new Waiter(least, sink));
                if (!busy) {
                    busy = true;
                    mine = epoch;
                }
            }
        }
        if (!waits) {
            sink.accept(null);
        } else if (mine >= 0) {
            begin(mine, now);
        }
    }

    private void begin(int mine, @Nullable Space now) {
        boolean erase;
        synchronized (this) {
            erase = mustErase;
        }
        if (erase) {
            discard(mine);
        } else if (now == null) {
            read(mine);
        } else {
            raise(mine, now);
        }
    }

    private void read(int mine) {
        records.readRecord(chain, found -> {
            String token = token(found.bytes());
            if (found.failed()) {
                settle(mine, null);
            } else if (found.bytes() == null) {
                create(mine);
            } else if (token == null || isRetired(token)) {
                discard(mine);
            } else {
                compare(mine, token);
            }
        });
    }

    private void compare(int mine, String token) {
        records.readRecord(anchorOf(token), found -> {
            Anchor anchor = Anchor.read(found.bytes());
            if (found.failed()) {
                settle(mine, null);
            } else if (anchor == null) {
                discard(mine);
            } else {
                anchors.hashAt(anchor.number(), hash -> {
                    if (hash == null) {
                        settle(mine, null);
                    } else if (hash.equals(anchor.hash())) {
                        settle(mine, new Space(token, anchor.number()));
                    } else {
                        discard(mine);
                    }
                });
            }
        });
    }

    private void discard(int mine) {
        records.eraseRecord(chain, gone -> {
            if (!gone) {
                settle(mine, null);
                return;
            }
            synchronized (this) {
                if (mine == epoch) {
                    mustErase = false;
                }
            }
            create(mine);
        });
    }

    private void create(int mine) {
        anchors.finalBlock(anchor -> {
            if (anchor == null) {
                settle(mine, null);
                return;
            }
            String token = UUID.randomUUID().toString().replace("-", "");
            records.writeRecord(anchorOf(token), anchor.bytes(), written -> {
                if (!written) {
                    settle(mine, null);
                    return;
                }
                records.claimRecord(chain, token.getBytes(US_ASCII), found -> {
                    boolean ours = token.equals(token(found.bytes()));
                    settle(mine, ours ? new Space(token, anchor.number()) : null);
                });
            });
        });
    }

    /** Raises the anchor, so that results of newer blocks may be stored too. */
    private void raise(int mine, Space now) {
        anchors.finalBlock(anchor -> {
            if (anchor == null || anchor.number() <= now.reach()) {
                settle(mine, now);
                return;
            }
            records.readRecord(anchorOf(now.token()), found -> {
                Anchor there = Anchor.read(found.bytes());
                if (found.failed() || there == null) {
                    settle(mine, null);
                } else if (there.number() >= anchor.number()) {
                    settle(mine, new Space(now.token(), there.number()));
                } else {
                    records.writeRecord(
                            anchorOf(now.token()),
                            anchor.bytes(),
                            written -> settle(mine, written ? new Space(now.token(), anchor.number()) : now));
                }
            });
        });
    }

    /** Ends an operation. If a renewal has overtaken it, its result is dropped. */
    private void settle(int mine, @Nullable Space result) {
        List<Waiter> ending;
        Space now;
        synchronized (this) {
            now = mine == epoch ? result : null;
            long time = clock.getAsLong();
            if (mine == epoch) {
                boolean better = now != null && !now.equals(space);
                space = now;
                recheckNanos = time + RECHECK_NANOS;
                retryNanos = better ? time : time + RETRY_NANOS;
            }
            busy = false;
            ending = List.copyOf(waiters);
            waiters.clear();
        }
        ending.forEach(waiter -> waiter.sink().accept(now != null && now.reach() >= waiter.least() ? path(now) : null));
    }

    /** Checks whether others, or another network of this chain, have created a new name space. */
    private void recheck(Space now) {
        long time = clock.getAsLong();
        if (time - recheckNanos < 0) {
            return;
        }
        recheckNanos = time + RECHECK_NANOS;
        records.readRecord(chain, found -> {
            if (found.failed() || now.token().equals(token(found.bytes()))) {
                return;
            }
            synchronized (this) {
                if (now.equals(space)) {
                    space = null;
                    retryNanos = clock.getAsLong();
                }
            }
        });
    }

    /**
     * Invalidates all present entries.
     *
     * @param done receives, on any thread, whether others and later starts will not find them either; if not, that is done
     *     before the tier is used again
     */
    void renew(Consumer<Boolean> done) {
        int mine;
        Space now;
        synchronized (this) {
            now = space;
            if (now != null) {
                retired.add(now.token());
                if (retired.size() > MAX_RETIRED) {
                    retired.remove(retired.iterator().next());
                }
            }
            space = null;
            mustErase = true;
            retryNanos = clock.getAsLong();
            mine = ++epoch;
        }
        if (now != null) {
            records.eraseRecord(anchorOf(now.token()), gone -> {});
        }
        records.eraseRecord(chain, gone -> {
            synchronized (this) {
                if (gone && mine == epoch) {
                    mustErase = false;
                }
            }
            done.accept(gone);
        });
    }

    private synchronized boolean isRetired(String token) {
        return retired.contains(token);
    }

    private String path(Space now) {
        return chain + ':' + now.token();
    }

    private String anchorOf(String token) {
        return chain + ':' + token + ":anchor";
    }

    private static @Nullable String token(byte @Nullable [] bytes) {
        String text = bytes == null ? "" : new String(bytes, US_ASCII);
        return text.matches("[0-9a-f]{32}") ? text : null;
    }
}
