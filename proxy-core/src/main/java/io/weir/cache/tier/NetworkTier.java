package io.weir.cache.tier;

import io.weir.cache.tier.TierMeters.Lookup;
import io.weir.cache.tier.TierMeters.Store;
import io.weir.cache.tier.bytes.RecordStore.Found;
import io.weir.cache.tier.entry.BadEntryException;
import io.weir.cache.tier.entry.EntryName;
import io.weir.cache.tier.entry.TierEntry;
import io.weir.jsonrpc.RawJson;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A tier as one network sees it. Nothing here waits or throws because of the tier. Thread-safe. */
public final class NetworkTier {

    private final Tier tier;
    private final TierNamespace door;
    private final AdaptiveLookup habit = new AdaptiveLookup();

    /**
     * What is looked for.
     *
     * @param number of the block that the call is about; -1 where that is not known
     */
    public record Wanted(String method, RawJson params, long number) {}

    /** Bytes that a tier gave, to be opened where there is time for it. */
    public final class Parcel {

        private final EntryName name;
        private final byte[] bytes;
        private final Wanted wanted;

        private Parcel(EntryName name, byte[] bytes, Wanted wanted) {
            this.name = name;
            this.bytes = bytes;
            this.wanted = wanted;
        }

        /** How many bytes it has. */
        public int size() {
            return bytes.length;
        }

        /** The entry in it; the tier hears of it where it is none. */
        public TierEntry open() throws BadEntryException {
            try {
                return tier.codec().decode(bytes, name.space(), wanted.method(), wanted.params());
            } catch (BadEntryException e) {
                tier.bytes().damaged(name);
                throw e;
            }
        }
    }

    NetworkTier(Tier tier, String chain, ChainAnchors anchors, LongSupplier clock) {
        this.tier = tier;
        this.door = new TierNamespace(tier.bytes(), chain, anchors, clock);
    }

    /** What meters and the status page call it. */
    public String name() {
        return tier.bytes().name();
    }

    /** Whether others write to it too. */
    public boolean shared() {
        return tier.bytes().shared();
    }

    /** Whether it has results that nothing in them proves. */
    public boolean unproven() {
        return tier.bounds().unproven();
    }

    /** How long a call waits for it. */
    public long waitNanos() {
        return tier.bounds().waitNanos();
    }

    /** Whether it can be asked now. */
    public boolean isUp() {
        return tier.bytes().isUp();
    }

    /**
     * Looks for a result whose block is likely to be final.
     *
     * @param finalNumber the highest block that is known to be
     * @param sink called once, on any thread; null where there is none
     */
    public void find(Wanted wanted, long finalNumber, Consumer<@Nullable Parcel> sink) {
        door.whenOpen(-1, space -> {
            boolean open = space != null && tier.bytes().isUp();
            boolean likely = wanted.number() >= 0
                    ? wanted.number() <= Math.max(finalNumber, door.reach())
                    : open && habit.mayAsk();
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

    private @Nullable Parcel taken(EntryName name, Wanted wanted, Found found) {
        byte[] bytes = found.bytes();
        if (found.failed()) {
            count(Lookup.ERROR);
            return null;
        }
        if (wanted.number() < 0) {
            habit.note(bytes != null);
        }
        if (bytes == null) {
            count(Lookup.MISS);
            return null;
        }
        return new Parcel(name, bytes, wanted);
    }

    /** Notes what became of a question beyond what the tier itself can see. */
    public void count(Lookup outcome) {
        tier.meters().count(outcome);
    }

    /**
     * Has a result stored soon, or not at all.
     *
     * @param holds asked once it is known where to: a purge may have come meanwhile
     */
    public void offer(TierEntry entry, BooleanSupplier holds) {
        door.whenOpen(entry.number(), space -> {
            if (space == null || !holds.getAsBoolean()) {
                tier.meters().count(Store.DROPPED);
            } else {
                tier.writer().offer(space, entry);
            }
        });
    }

    /**
     * Leaves all entries of the network behind.
     *
     * @param done hears, on any thread, whether that holds after a restart too
     */
    public void renew(Consumer<Boolean> done) {
        door.renew(done);
    }
}
