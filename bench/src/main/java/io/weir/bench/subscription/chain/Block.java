package io.weir.bench.subscription.chain;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.trie.TrieRoot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block of a {@link ForkingChain}. Thread-safe. */
public final class Block {

    private static final Hash32 NO_REQUESTS =
            Hash32.fromHex("0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

    private final BlockHeader header;
    private final String hash;
    private final int event;
    private final Body body;
    private final long addedNanos;
    private volatile @Nullable Block parent;
    private volatile @Nullable String head;
    private volatile @Nullable List<ChainLog> logs;

    private Block(BlockHeader header, int event, Body body, @Nullable Block parent) {
        this.header = header;
        this.hash = header.hash().hex();
        this.event = event;
        this.body = body;
        this.parent = parent;
        this.addedNanos = System.nanoTime();
    }

    /**
     * Makes a block.
     *
     * @param event the position of the block in the history of the chain
     * @param serial differs from block to block, so that equal branches have different hashes
     */
    static Block of(@Nullable Block parent, int event, long serial, Body body) {
        long number = parent == null ? 0 : parent.number() + 1;
        BlockHeader header = BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, parent == null ? Hash32.ZERO : Hash32.fromHex(parent.hash))
                .set(HeaderField.SHA3_UNCLES, BlockRoots.NO_OMMERS)
                .hex(HeaderField.MINER, "0x00000000000000000000000000000000000000aa")
                .set(HeaderField.STATE_ROOT, TrieRoot.EMPTY)
                .set(HeaderField.TRANSACTIONS_ROOT, body.transactionsRoot())
                .set(HeaderField.RECEIPTS_ROOT, body.receiptsRoot())
                .set(HeaderField.LOGS_BLOOM, body.bloom())
                .set(HeaderField.DIFFICULTY, 0)
                .set(HeaderField.NUMBER, number)
                .set(HeaderField.GAS_LIMIT, 30_000_000)
                .set(HeaderField.GAS_USED, body.transfers().size() * Transfer.GAS_USED)
                .set(HeaderField.TIMESTAMP, System.currentTimeMillis() / 1000)
                .set(
                        HeaderField.EXTRA_DATA,
                        Bytes.wrap(
                                ByteBuffer.allocate(Long.BYTES).putLong(serial).array()))
                .set(HeaderField.MIX_HASH, Hash32.ZERO)
                .hex(HeaderField.NONCE, "0x0000000000000000")
                .set(HeaderField.BASE_FEE_PER_GAS, 12_000_000_000L)
                .set(HeaderField.WITHDRAWALS_ROOT, TrieRoot.EMPTY)
                .set(HeaderField.BLOB_GAS_USED, 0)
                .set(HeaderField.EXCESS_BLOB_GAS, 0)
                .set(HeaderField.PARENT_BEACON_BLOCK_ROOT, Hash32.ZERO)
                .set(HeaderField.REQUESTS_HASH, NO_REQUESTS)
                .build();
        return new Block(header, event, body, parent);
    }

    public long number() {
        return header.number();
    }

    public String hash() {
        return hash;
    }

    /** Returns the position in the history of the chain: nodes that follow the chain up to it know the block. */
    public int event() {
        return event;
    }

    /** Returns when the block was made, on the clock of {@link System#nanoTime}. */
    public long addedNanos() {
        return addedNanos;
    }

    /** Returns the block before; null for the first one and for those that the chain has forgotten. */
    public @Nullable Block parent() {
        return parent;
    }

    void forgetParent() {
        parent = null;
    }

    long timestamp() {
        return header.timestamp();
    }

    Body body() {
        return body;
    }

    /** Returns the header with its hash, as geth announces it. */
    public String head() {
        String known = head;
        if (known == null) {
            StringBuilder text = new StringBuilder(2048).append('{');
            header.forEachHex((field, hex) -> text.append('"')
                    .append(field.jsonName())
                    .append("\":\"")
                    .append(hex)
                    .append("\","));
            known = text.append("\"hash\":\"").append(hash).append("\"}").toString();
            head = known;
        }
        return known;
    }

    /** Returns the logs in their order. */
    public List<ChainLog> logs() {
        List<ChainLog> known = logs;
        if (known == null) {
            List<ChainLog> made = new ArrayList<>();
            for (int i = 0; i < body.transfers().size(); i++) {
                for (Log log : body.transfers().get(i).logs()) {
                    made.add(new ChainLog(this, made.size(), i, log));
                }
            }
            known = List.copyOf(made);
            logs = known;
        }
        return known;
    }

    /** Returns whether this is the other block or descends from it. */
    public boolean descendsFrom(Block other) {
        Block at = this;
        while (at != null && at.number() > other.number()) {
            at = at.parent;
        }
        return at == other;
    }

    @Override
    public String toString() {
        return number() + "/" + hash.substring(0, 10);
    }
}
