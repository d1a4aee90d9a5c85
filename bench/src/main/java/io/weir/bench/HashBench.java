package io.weir.bench;

import io.weir.bench.fixture.LargeBlock;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Keccak;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.transaction.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The hashes that answers are held against. Each input differs from the last. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HashBench {

    private static final int DIFFERENT = 16;

    private final List<BlockHeader> headers = new ArrayList<>();
    private final List<List<Transaction>> lists = new ArrayList<>();
    private byte[] hashed = new byte[Hash32.SIZE_BYTES];
    private int next;

    public HashBench() {
        LargeBlock large = new LargeBlock();
        for (int i = 0; i < DIFFERENT; i++) {
            BlockHeaderBuilder copy = BlockHeader.builder();
            large.header().forEachHex(copy::hex);
            headers.add(copy.hex(HeaderField.NUMBER, Quantity.encode(LargeBlock.NUMBER + i))
                    .build());
            List<Transaction> rotated = new ArrayList<>(large.transactions());
            Collections.rotate(rotated, i);
            lists.add(rotated);
        }
    }

    /** Keccak-256 of 32 bytes. */
    @Benchmark
    public byte[] keccak() {
        hashed = Keccak.hash(hashed);
        return hashed;
    }

    /** A header's hash: its RLP written, about 600 bytes, and hashed. */
    @Benchmark
    public Hash32 header() {
        next = (next + 1) % DIFFERENT;
        // Not BlockHeader.hash, which is found once and kept.
        return Hash32.keccak(headers.get(next).rlp());
    }

    /** The root of the trie of 200 transactions, each of them written first. */
    @Benchmark
    public Hash32 transactionsRoot() {
        next = (next + 1) % DIFFERENT;
        return BlockRoots.transactions(lists.get(next));
    }
}
