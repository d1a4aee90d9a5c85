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

/** A block of a {@link ForkingChain}, made here. Thread-safe. */
final class MadeBlock extends Block {

    private static final Hash32 NO_REQUESTS =
            Hash32.fromHex("0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

    private final BlockHeader header;
    private final Body body;

    private MadeBlock(BlockHeader header, int event, Body body, @Nullable Block parent) {
        super(header.number(), header.hash().hex(), event, parent);
        this.header = header;
        this.body = body;
    }

    /**
     * Makes a block.
     *
     * @param event the position of the block in the history of the chain
     * @param serial differs from block to block, so that equal branches have different hashes
     */
    static MadeBlock of(@Nullable Block parent, int event, long serial, Body body) {
        long number = parent == null ? 0 : parent.number() + 1;
        BlockHeader header = BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, parent == null ? Hash32.ZERO : Hash32.fromHex(parent.hash()))
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
        return new MadeBlock(header, event, body, parent);
    }

    long timestamp() {
        return header.timestamp();
    }

    Body body() {
        return body;
    }

    @Override
    String makeHead() {
        StringBuilder text = new StringBuilder(2048).append('{');
        header.forEachHex((field, hex) -> text.append('"')
                .append(field.jsonName())
                .append("\":\"")
                .append(hex)
                .append("\","));
        return text.append("\"hash\":\"").append(hash()).append("\"}").toString();
    }

    @Override
    List<ChainLog> makeLogs() {
        List<ChainLog> made = new ArrayList<>();
        for (int i = 0; i < body.transfers().size(); i++) {
            for (Log log : body.transfers().get(i).logs()) {
                made.add(new ChainLog(this, made.size(), i, log));
            }
        }
        return made;
    }

    @Override
    String json(ChainLog log, boolean removed) {
        return BlockText.log(this, log, removed);
    }
}
