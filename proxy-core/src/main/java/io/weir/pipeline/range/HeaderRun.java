package io.weir.pipeline.range;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Hex;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Proven headers of consecutive blocks. Each known one is the parent of the next one, if that is known. Immutable. */
final class HeaderRun {

    /** Blocks of a run: a file of runs costs little more than its headers, and a call for a few old blocks reads few others. */
    static final int LENGTH = 64;

    private static final int FACT_BYTES = 700;

    private final long first;
    private final @Nullable Fact[] facts;

    /**
     * The proven facts of a header. Immutable.
     *
     * @param rlp the header as it is hashed; null once the run is stored
     */
    record Fact(long number, Hash32 hash, Hash32 parent, Bloom bloom, byte @Nullable [] rlp) {

        /** Returns the facts of a header. */
        static Fact of(BlockHeader header) {
            Bloom bloom = header.logsBloom();
            return new Fact(
                    header.number(),
                    header.hash(),
                    header.parentHash(),
                    bloom.equals(Bloom.EMPTY) ? Bloom.EMPTY : bloom,
                    header.rlp());
        }

        private Fact withoutRlp() {
            return new Fact(number, hash, parent, bloom, null);
        }
    }

    private HeaderRun(long first, @Nullable Fact[] facts) {
        this.first = first;
        this.facts = facts;
    }

    /** Returns the index of the run that holds a block. */
    static long indexOf(long number) {
        return number / LENGTH;
    }

    /** Returns a run of which nothing is known. */
    static HeaderRun empty(long index) {
        return new HeaderRun(index * LENGTH, new Fact[LENGTH]);
    }

    /**
     * Reads a stored run, and proves it by the hashes of its headers.
     *
     * @return null if it is not the whole run, or if a header is not the parent of the next one
     */
    static @Nullable HeaderRun read(long index, RawJson stored) {
        try {
            List<RawJson> headers = JsonArray.elements(stored, LENGTH + 1);
            Fact[] facts = new Fact[LENGTH];
            if (headers.size() != LENGTH) {
                return null;
            }
            for (int i = 0; i < LENGTH; i++) {
                String text = headers.get(i).toString();
                BlockHeader header = BlockHeader.decode(Hex.decode(text.substring(1, text.length() - 1)));
                facts[i] = Fact.of(header).withoutRlp();
                if (header.number() != index * LENGTH + i
                        || (i > 0 && !header.parentHash().equals(facts[i - 1].hash()))) {
                    return null;
                }
            }
            return new HeaderRun(index * LENGTH, facts);
        } catch (InvalidParamsException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return null;
        }
    }

    /** Returns the run with further headers of its blocks; the same run if one does not fit the known ones. */
    HeaderRun with(Collection<Fact> headers) {
        @Nullable Fact[] more = facts.clone();
        for (Fact header : headers) {
            int at = (int) (header.number() - first);
            if (more[at] == null) {
                more[at] = header;
            }
        }
        for (int i = 1; i < LENGTH; i++) {
            Fact below = more[i - 1];
            Fact fact = more[i];
            if (below != null && fact != null && !fact.parent().equals(below.hash())) {
                return this;
            }
        }
        return new HeaderRun(first, more);
    }

    /** Returns what is known of a block of the run; null if nothing is. */
    @Nullable
    Fact get(long number) {
        return facts[(int) (number - first)];
    }

    /** Returns whether all headers of some blocks of the run are known. */
    boolean has(long from, long to) {
        for (long number = from; number <= to; number++) {
            if (get(number) == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of the last block. */
    long last() {
        return first + LENGTH - 1;
    }

    /** Returns whether all headers are known and can be stored. */
    boolean isStorable() {
        return Arrays.stream(facts).allMatch(fact -> fact != null && fact.rlp() != null);
    }

    /** Returns the text in which the run is stored: a list of its headers, in hex. */
    RawJson text() {
        StringBuilder text = new StringBuilder("[");
        for (Fact fact : facts) {
            byte[] rlp = fact == null ? null : fact.rlp();
            if (rlp == null) {
                throw new IllegalStateException("header: not known (expected: all of the run)");
            }
            text.append(text.length() > 1 ? "," : "")
                    .append('"')
                    .append(Hex.encode(rlp))
                    .append('"');
        }
        return RawJson.of(text.append(']').toString());
    }

    /** Returns the run as it is kept once it is stored. */
    HeaderRun stored() {
        return new HeaderRun(
                first,
                Arrays.stream(facts)
                        .map(fact -> fact == null ? null : fact.withoutRlp())
                        .toArray(Fact[]::new));
    }

    /** Returns about how many bytes of the heap it takes. */
    int size() {
        int size = 0;
        for (Fact fact : facts) {
            size += fact == null ? 0 : FACT_BYTES + (fact.rlp() == null ? 0 : fact.rlp().length);
        }
        return size;
    }
}
