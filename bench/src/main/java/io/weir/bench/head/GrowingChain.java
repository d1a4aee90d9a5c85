package io.weir.bench.head;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A chain of empty blocks with right hashes, to which blocks are added while nodes serve it. Thread-safe; one thread adds. */
public final class GrowingChain {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Address MINER = new Address(Bytes.fromHex("0x00000000000000000000000000000000deadbeef"));
    private static final Hash32 STATE = Hash32.fromHex("0x" + "2a".repeat(32));

    private final List<Block> blocks = new CopyOnWriteArrayList<>();
    private final Map<String, Block> byHash = new ConcurrentHashMap<>();

    /**
     * A block. Immutable.
     *
     * @param json as nodes show it
     * @param addedNanos when nodes had it first, on the clock of {@link System#nanoTime}
     */
    public record Block(int number, String hash, byte[] json, long addedNanos) {}

    /** Adds the next block with a timestamp in seconds, and returns it. */
    public Block add(long timestamp) {
        int number = blocks.size();
        String parent =
                number == 0 ? "0x" + "0".repeat(64) : blocks.get(number - 1).hash();
        BlockHeader header = BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, Hash32.fromHex(parent))
                .set(HeaderField.SHA3_UNCLES, BlockRoots.NO_OMMERS)
                .set(HeaderField.MINER, MINER)
                .set(HeaderField.STATE_ROOT, STATE)
                .set(HeaderField.TRANSACTIONS_ROOT, BlockRoots.transactions(List.of()))
                .set(HeaderField.RECEIPTS_ROOT, BlockRoots.receipts(List.of()))
                .set(HeaderField.LOGS_BLOOM, Bloom.ofReceipts(List.of()))
                .set(HeaderField.DIFFICULTY, BigInteger.ZERO)
                .set(HeaderField.NUMBER, number)
                .set(HeaderField.GAS_LIMIT, 30_000_000L)
                .set(HeaderField.GAS_USED, 0L)
                .set(HeaderField.TIMESTAMP, timestamp)
                .set(HeaderField.EXTRA_DATA, Bytes.EMPTY)
                .set(HeaderField.MIX_HASH, STATE)
                .set(HeaderField.NONCE, Bytes.fromHex("0x" + "0".repeat(16)))
                .set(HeaderField.BASE_FEE_PER_GAS, BigInteger.valueOf(7))
                .build();
        ObjectNode json = JSON.createObjectNode();
        header.forEachHex((field, hex) -> json.put(field.jsonName(), hex));
        String hash = header.hash().hex();
        json.put("hash", hash).put("size", "0x200");
        json.putArray("uncles");
        json.putArray("transactions");
        Block block = new Block(number, hash, JSON.writeValueAsBytes(json), System.nanoTime());
        byHash.put(hash, block);
        blocks.add(block);
        return block;
    }

    /** Returns the number of the newest block. */
    int head() {
        return blocks.size() - 1;
    }

    /** Returns a block by its hash, its number in hex or a tag; null if there is none. */
    @Nullable
    Block find(String name) {
        int head = head();
        return switch (name) {
            case "latest", "pending" -> blocks.get(head);
            case "earliest" -> blocks.get(0);
            case "safe" -> blocks.get(Math.max(0, head - 32));
            case "finalized" -> blocks.get(Math.max(0, head - 64));
            default -> name.length() == 66 ? byHash.get(name) : atHeight(Integer.decode(name));
        };
    }

    private @Nullable Block atHeight(int number) {
        return number < blocks.size() ? blocks.get(number) : null;
    }

    /** Returns when nodes had each block first. */
    Map<Integer, Long> addedNanos() {
        Map<Integer, Long> added = new HashMap<>();
        blocks.forEach(block -> added.put(block.number(), block.addedNanos()));
        return added;
    }
}
