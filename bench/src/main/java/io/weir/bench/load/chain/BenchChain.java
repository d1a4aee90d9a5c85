package io.weir.bench.load.chain;

import io.weir.ethereum.Hash32;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A chain made anew in each process, always the same. Has {@link #FULL_BLOCKS} final blocks of three transactions; one of them,
 * {@link #LARGE}, has about 175 KB. Empty blocks follow up to {@link #HEAD}. Makes each block on request. All hashes, roots and
 * signatures are right, so that a proxy that verifies may keep them. Immutable.
 */
public final class BenchChain {

    /** The chain's id. */
    public static final long CHAIN_ID = 1;

    /** Blocks with transactions: 1 to this. */
    public static final int FULL_BLOCKS = 128;

    /** The block of about 175 KB. */
    public static final int LARGE = 100;

    /** The newest block. */
    public static final int HEAD = 400;

    /** The newest final block. */
    public static final int FINALIZED = HEAD - 64;

    private static final int TRANSACTIONS = 3;
    private static final int TRANSACTIONS_OF_LARGE = 212;

    private final List<BenchBlock> blocks;
    private final Map<String, BenchBlock> byHash = new HashMap<>();
    private final Map<String, Place> byTransaction = new HashMap<>();

    /** A transaction's place. */
    record Place(BenchBlock block, int index) {}

    /** Makes the chain: a second or two of signing and hashing. */
    public BenchChain() {
        // Parents come first, since a block names the hash of the one before; what takes long, the signing, is done
        // beside.
        List<List<BenchTransaction>> signed = IntStream.rangeClosed(0, HEAD)
                .parallel()
                .mapToObj(number -> BenchTransaction.of(number, count(number)))
                .toList();
        BenchBlock[] all = new BenchBlock[HEAD + 1];
        Hash32 parent = Hash32.ZERO;
        for (int number = 0; number <= HEAD; number++) {
            all[number] = BenchBlock.of(number, parent, signed.get(number));
            parent = all[number].hash();
        }
        blocks = List.of(all);
        for (BenchBlock block : blocks) {
            byHash.put(block.hash().hex(), block);
            for (int i = 0; i < block.transactions().size(); i++) {
                byTransaction.put(block.transactions().get(i).hash().hex(), new Place(block, i));
            }
        }
    }

    private static int count(int number) {
        if (number == 0 || number > FULL_BLOCKS) {
            return 0;
        }
        return number == LARGE ? TRANSACTIONS_OF_LARGE : TRANSACTIONS;
    }

    /** The block of a number; null beyond the head. */
    @Nullable
    BenchBlock block(long number) {
        return number < 0 || number > HEAD ? null : blocks.get((int) number);
    }

    /** The block of a hash. */
    @Nullable
    BenchBlock block(String hash) {
        return byHash.get(hash);
    }

    /** The position of a transaction. */
    @Nullable
    Place place(String transactionHash) {
        return byTransaction.get(transactionHash);
    }

    /** The hash of a transaction in a full block. */
    public String transactionHash(int block, int index) {
        BenchBlock full = Objects.requireNonNull(block(block), "block");
        return full.transactions()
                .get(index % full.transactions().size())
                .hash()
                .hex();
    }

    /** The hash of a block. */
    public String blockHash(int block) {
        return Objects.requireNonNull(block(block), "block").hash().hex();
    }
}
