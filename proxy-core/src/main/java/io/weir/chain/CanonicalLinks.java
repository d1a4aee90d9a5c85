package io.weir.chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hashes of one chain's canonical blocks by number, from the head down to a bound, with gaps. Immutable.
 *
 * <p>A block that was read has a slot: its own hash and its parent's are known. Of a block that only its child named, the
 * hash alone is known. An edited copy shares all chunks but the edited ones.
 */
public final class CanonicalLinks {

    /** Blocks of one chunk. */
    static final int CHUNK = 128;

    private static final int SHIFT = 7;

    private final int max;
    private final long bottom;
    private final long top;
    private final long firstChunk;
    private final @Nullable Chunk[] chunks;

    /**
     * Blocks of a range of numbers. Never changed after it was published.
     *
     * @param hashes null where none is known
     * @param stamps 0 where the block was not read
     */
    private record Chunk(@Nullable String[] hashes, long[] stamps) {

        static Chunk copyOf(@Nullable Chunk chunk) {
            return chunk == null
                    ? new Chunk(new String[CHUNK], new long[CHUNK])
                    : new Chunk(chunk.hashes.clone(), chunk.stamps.clone());
        }
    }

    private CanonicalLinks(int max, long bottom, long top, long firstChunk, @Nullable Chunk[] chunks) {
        this.max = max;
        this.bottom = bottom;
        this.top = top;
        this.firstChunk = firstChunk;
        this.chunks = chunks;
    }

    /** Returns links without a block; they never hold more than a bound. */
    static CanonicalLinks empty(int max) {
        return new CanonicalLinks(max, 0, -1, 0, new Chunk[0]);
    }

    /** Returns the number of the newest block; -1 if none is known. */
    public long top() {
        return top;
    }

    /** Returns the lowest number of a block that may be known. Blocks that fell below it once do not return. */
    public long bottom() {
        return bottom;
    }

    /** Returns the hash of the block at a height, or null if it is not known. */
    public @Nullable String hash(long number) {
        // The parent of the lowest block is known too.
        if (number < 0 || number > top || number < bottom - 1) {
            return null;
        }
        Chunk chunk = chunk(number);
        return chunk == null ? null : chunk.hashes[index(number)];
    }

    /** Returns the block at a height, or null if it was not read. */
    public @Nullable Slot at(long number) {
        String hash = hash(number);
        long stamp = stamp(number);
        if (hash == null || stamp == 0) {
            return null;
        }
        String parent = number == 0 ? BlockLink.NO_PARENT : held(number - 1);
        return parent == null ? null : new Slot(new BlockLink(number, hash, parent), stamp);
    }

    private long stamp(long number) {
        Chunk chunk = number < bottom || number > top ? null : chunk(number);
        return chunk == null ? 0 : chunk.stamps[index(number)];
    }

    /** Returns a known hash, also one below the bound that its chunk still holds. */
    private @Nullable String held(long number) {
        Chunk chunk = chunk(number);
        return chunk == null ? null : chunk.hashes[index(number)];
    }

    /** Returns the lowest known height above another one; -1 if there is none. */
    public long knownAbove(long number) {
        long from = Math.max(number + 1, Math.max(0, bottom - 1));
        while (from <= top) {
            if (chunk(from) == null) {
                from = ((from >> SHIFT) + 1) << SHIFT;
            } else if (hash(from) != null) {
                return from;
            } else {
                from++;
            }
        }
        return -1;
    }

    /** Returns the highest known height up to another one; -1 if there is none. */
    public long knownUpTo(long number) {
        long from = Math.min(number, top);
        long lowest = Math.max(0, bottom - 1);
        while (from >= lowest) {
            if (chunk(from) == null) {
                from = ((from >> SHIFT) << SHIFT) - 1;
            } else if (hash(from) != null) {
                return from;
            } else {
                from--;
            }
        }
        return -1;
    }

    /** Returns the lowest height to which a known block is linked without a gap. */
    long linkedTo(long number) {
        long lowest = number;
        while (hash(lowest - 1) != null) {
            lowest--;
        }
        return lowest;
    }

    /** Returns the number of blocks that were read. */
    int size() {
        int size = 0;
        for (long number = knownAbove(-1); number >= 0; number = knownAbove(number)) {
            size += stamp(number) == 0 ? 0 : 1;
        }
        return size;
    }

    /** Returns the blocks that were read in a range of heights, newest first. */
    List<BlockLink> links(long from, long to) {
        List<BlockLink> links = new ArrayList<>();
        for (long number = knownUpTo(to); number >= from && number >= 0; number = knownUpTo(number - 1)) {
            Slot slot = at(number);
            if (slot != null) {
                links.add(slot.block());
            }
        }
        return links;
    }

    /** Returns these links without the blocks above a height, which becomes the top. */
    CanonicalLinks upTo(long number) {
        if (number >= top) {
            return this;
        }
        int length = (int) Math.max(0, (number >> SHIFT) - firstChunk + 1);
        if (number < 0 || number < bottom - 1 || length == 0) {
            return empty(max);
        }
        @Nullable Chunk[] kept = Arrays.copyOf(chunks, length);
        kept[length - 1] = cleared(kept[length - 1], index(number) + 1, CHUNK);
        return new CanonicalLinks(max, bottom, number, firstChunk, kept);
    }

    CanonicalLinks from(long number) {
        @Nullable Chunk[] kept = chunks.clone();
        int at = (int) Math.min(chunks.length, Math.max(0, (number >> SHIFT) - firstChunk));
        Arrays.fill(kept, 0, at, null);
        if (at < kept.length && number >> SHIFT >= firstChunk) {
            kept[at] = cleared(kept[at], 0, index(number));
        }
        return new CanonicalLinks(max, bottom, top, firstChunk, kept);
    }

    private static @Nullable Chunk cleared(@Nullable Chunk chunk, int from, int to) {
        if (chunk == null) {
            return null;
        }
        Chunk copy = Chunk.copyOf(chunk);
        Arrays.fill(copy.hashes, from, to, null);
        Arrays.fill(copy.stamps, from, to, 0);
        return copy;
    }

    /**
     * Returns these links with a block that was read, and its parent's hash unless another hash is known there.
     *
     * @param stamp of the slot; not 0
     */
    CanonicalLinks with(BlockLink block, long stamp) {
        CanonicalLinks links = with(block.number(), block.hash(), stamp);
        long below = block.number() - 1;
        return below < 0 || links.held(below) != null ? links : links.with(below, block.parentHash(), 0);
    }

    private CanonicalLinks with(long number, String hash, long stamp) {
        long newTop = Math.max(top, number);
        long newBottom = Math.max(bottom, newTop - max + 1);
        long lowest = Math.max(0, newBottom - 1);
        if (number < lowest) {
            return this;
        }
        long wanted = chunks.length == 0 ? number >> SHIFT : Math.min(firstChunk, number >> SHIFT);
        long newFirst = Math.max(lowest >> SHIFT, wanted);
        @Nullable Chunk[] moved = new Chunk[(int) ((newTop >> SHIFT) - newFirst) + 1];
        for (int i = 0; i < chunks.length; i++) {
            long at = firstChunk + i - newFirst;
            if (at >= 0) {
                moved[(int) at] = chunks[i];
            }
        }
        int at = (int) ((number >> SHIFT) - newFirst);
        Chunk chunk = Chunk.copyOf(moved[at]);
        chunk.hashes[index(number)] = hash;
        chunk.stamps[index(number)] = stamp;
        moved[at] = chunk;
        return new CanonicalLinks(max, newBottom, newTop, newFirst, moved);
    }

    private @Nullable Chunk chunk(long number) {
        long at = (number >> SHIFT) - firstChunk;
        return at < 0 || at >= chunks.length ? null : chunks[(int) at];
    }

    private static int index(long number) {
        return (int) (number & (CHUNK - 1));
    }
}
