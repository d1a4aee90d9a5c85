package io.weir.cache.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.cache.tier.EntryCodec.BadEntryException;
import io.weir.cache.tier.RecordStore.ReadResult;
import io.weir.cache.tier.Tier.TierMeters.Lookup;
import io.weir.cache.tier.Tier.TierMeters.Store;
import io.weir.cache.tier.TierEntry.EntryName;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.RateLimitedLogger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Tier from the view of one network. No method blocks or throws because of the tier. Thread-safe. */
public final class NetworkTier {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(NetworkTier.class));

    private static final String NOTE = ":note";

    private final Tier tier;
    private final TierNamespace namespace;

    /** Its name space, which ends when a node is caught, tells which unproven entries count; null if none do. */
    private final @Nullable TierNamespace unproven;

    private final AdaptiveLookup adaptiveLookup = new AdaptiveLookup();

    /**
     * Requested result. Immutable.
     *
     * @param number of the block that the call is about; -1 if unknown
     */
    public record Wanted(String method, RawJson params, long number) {}

    /** Bytes from a tier, which the caller decodes on a suitable thread. */
    public final class Parcel {

        private final EntryName name;
        private final byte[] bytes;
        private final Wanted wanted;

        private Parcel(EntryName name, byte[] bytes, Wanted wanted) {
            this.name = name;
            this.bytes = bytes;
            this.wanted = wanted;
        }

        /** Returns the number of bytes. */
        public int size() {
            return bytes.length;
        }

        /** Returns the decoded entry. */
        public TierEntry open() throws BadEntryException {
            return tier.codec().decode(bytes, name.space(), wanted.method(), wanted.params());
        }

        /** Removes the entry, because it was refused, so that another can take its place. */
        public void discard() {
            tier.bytes().discard(name);
        }
    }

    NetworkTier(Tier tier, String network, String chain, ChainAnchors anchors, LongSupplier clock) {
        this.tier = tier;
        this.namespace = new TierNamespace(tier.bytes(), chain, anchors, clock);
        this.unproven = tier.bytes().shared()
                ? null
                : new TierNamespace(tier.bytes(), chain + ":unproven:" + network, ChainAnchors.NONE, clock);
    }

    /** Returns the name in metrics and on the status page. */
    public String name() {
        return tier.bytes().name();
    }

    /** Returns whether others write to it too. */
    public boolean shared() {
        return tier.bytes().shared();
    }

    /** Returns how long a call waits for it. */
    public long waitNanos() {
        return tier.bounds().waitNanos();
    }

    /** Returns whether it can be asked now. */
    public boolean isUp() {
        return tier.bytes().isUp();
    }

    /**
     * Looks up a result whose block is likely to be final.
     *
     * @param finalNumber the highest block that is known to be final
     * @param sink called once, on any thread; null if there is no result
     */
    public void find(Wanted wanted, long finalNumber, Consumer<@Nullable Parcel> sink) {
        whenOpen(-1, space -> {
            boolean open = space != null && tier.bytes().isUp();
            boolean likely = wanted.number() >= 0
                    ? wanted.number() <= Math.max(finalNumber, namespace.reach())
                    : open && adaptiveLookup.mayAsk();
            if (!open || space == null) {
                count(Lookup.SKIPPED);
                sink.accept(null);
            } else if (!likely) {
                sink.accept(null);
            } else {
                ask(EntryName.of(space, wanted.method(), wanted.params()), wanted, sink);
            }
        });
    }

    private void ask(EntryName name, Wanted wanted, Consumer<@Nullable Parcel> sink) {
        boolean asked = tier.tryGet(name, found -> sink.accept(taken(name, wanted, found)));
        if (!asked) {
            count(Lookup.SKIPPED);
            sink.accept(null);
        }
    }

    private @Nullable Parcel taken(EntryName name, Wanted wanted, ReadResult found) {
        byte[] bytes = found.bytes();
        if (found.failed()) {
            count(Lookup.ERROR);
            return null;
        }
        if (wanted.number() < 0) {
            adaptiveLookup.note(bytes != null);
        }
        if (bytes == null) {
            count(Lookup.MISS);
            return null;
        }
        return new Parcel(name, bytes, wanted);
    }

    /** Counts the outcome of a lookup that the tier itself cannot see; null if it has counted it. */
    public void count(@Nullable Lookup outcome) {
        if (outcome != null) {
            tier.meters().count(outcome);
        }
    }

    /** Opens both name spaces if needed, and delivers the path of entries; null if they cannot be opened now. */
    private void whenOpen(long least, Consumer<@Nullable String> sink) {
        namespace.whenOpen(least, space -> {
            if (space == null || unproven == null) {
                sink.accept(space);
            } else {
                unproven.whenOpen(-1, path -> sink.accept(path == null ? null : space));
            }
        });
    }

    /**
     * Stores a result soon, or drops it.
     *
     * @param holds checked when the name space is known, because a purge may have happened in the meantime
     */
    public void offer(TierEntry entry, BooleanSupplier holds) {
        whenOpen(entry.number(), space -> {
            // In this order: if a node is caught in between, the entry is one of before.
            long generation = unproven == null ? 0 : unproven.generation();
            if (space != null && holds.getAsBoolean()) {
                tier.writer().offer(space, entry.of(generation));
            } else {
                tier.meters().count(Store.DROPPED);
            }
        });
    }

    /** Reads the note about the network's entries. The sink gets it on any thread; empty if there is none, null if it cannot be read now. */
    public void readNote(Consumer<@Nullable String> sink) {
        namespace.whenOpen(-1, space -> {
            if (space == null) {
                sink.accept(null);
            } else {
                tier.bytes().readRecord(space + NOTE, found -> {
                    byte[] bytes = found.bytes();
                    sink.accept(found.failed() ? null : bytes == null ? "" : new String(bytes, US_ASCII));
                });
            }
        });
    }

    /** Writes the note about the network's entries, which ends with them. The sink gets, on any thread, whether it is written. */
    public void writeNote(String note, Consumer<Boolean> sink) {
        namespace.whenOpen(-1, space -> {
            if (space == null) {
                sink.accept(false);
            } else {
                tier.bytes().writeRecord(space + NOTE, note.getBytes(US_ASCII), sink);
            }
        });
    }

    /**
     * Prepares the tier for entries of blocks up to a height, if it can be used now. Otherwise each of them would wait for that.
     *
     * @param done runs once, on any thread
     */
    public void whenReaching(long number, Runnable done) {
        whenOpen(number, space -> done.run());
    }

    /** Returns how many further results may wait to be stored. */
    public int freeResults() {
        return tier.writer().freeResults();
    }

    /** Returns how many bytes these may have together. */
    public long freeBytes() {
        return tier.writer().freeBytes();
    }

    /** Returns whether an entry counts without a proof: this proxy stored it, and caught no node since. */
    public boolean trusts(TierEntry entry) {
        return unproven != null && entry.generation() != 0 && entry.generation() == unproven.generation();
    }

    /** Abandons all unproven entries, also after a restart: a node was caught, and may have given any of them. */
    public void abandonUnproven() {
        if (unproven != null) {
            unproven.renew(done -> {
                if (!done) {
                    LOG.warn("tier " + name()
                            + ": unproven results of a node that gave a false answer may count again after a restart");
                }
            });
        }
    }

    /**
     * Invalidates all entries of the network.
     *
     * @param done receives, on any thread, whether that is durable across a restart
     */
    public void renew(Consumer<Boolean> done) {
        namespace.renew(done);
    }

    /**
     * Decision whether to ask a tier for results that may be as new as the head. It asks always at first, and rarely after many
     * consecutive misses, so that traffic at the head does not pay for it. Thread-safe.
     */
    private static final class AdaptiveLookup {

        private static final long MISSES = 64;
        private static final long EVERY = 16;

        private final AtomicLong misses = new AtomicLong();

        boolean mayAsk() {
            long now = misses.get();
            return now < MISSES || misses.getAndIncrement() % EVERY == 0;
        }

        void note(boolean found) {
            if (found) {
                misses.set(0);
            } else if (misses.get() < MISSES) {
                misses.incrementAndGet();
            }
        }
    }
}
