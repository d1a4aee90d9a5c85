package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.verify.Verification.Part;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Positions of the parts of a block or of its receipts, by which answers are cut out of its bytes. Immutable. */
public interface ResultLayout {

    /** Returns its bytes in memory. */
    int weightBytes();

    /** Returns the number of the block's transactions. */
    int size();

    /** Returns the hash of a transaction, in lower case. */
    String hash(RawJson result, int index);

    /** Returns the hashes of all transactions, in order and in lower case. */
    default List<String> hashes(RawJson result) {
        return IntStream.range(0, size()).mapToObj(i -> hash(result, i)).toList();
    }

    /**
     * Returns the answer to a question about the block; null if the result does not contain it.
     *
     * @param result whose layout this is
     * @param index the position of the transaction requested by its hash; -1 if none is
     * @param proven whether the result's hash and roots were proven, and the position of its block is known
     * @param allLogs whether the chain's receipts and blooms hold all of its logs
     */
    @Nullable
    Slice answer(RawJson result, BlockQuestion question, int index, boolean proven, boolean allLogs);

    /**
     * Answer from a cached block or its receipts. Immutable.
     *
     * @param proven the proven parts, as clients see them; empty if nothing was proven
     * @param whole whether it is the cached result itself and not a slice of it
     */
    record Slice(RawJson value, String proven, boolean whole) {

        static Slice of(RawJson value, String proven) {
            return new Slice(value, proven, false);
        }

        /** Returns the same with the place of the proven parts' block. */
        public Slice placed() {
            return new Slice(value, Part.placed(proven), whole);
        }

        static RawJson quantity(int number) {
            return RawJson.of("\"0x" + Integer.toHexString(number) + '"');
        }
    }
}
