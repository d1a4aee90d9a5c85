package io.weir.devnet.rpc;

import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.json.BlockJson;
import io.weir.devnet.json.ReceiptJson;
import io.weir.devnet.parameter.BlockParameter;
import io.weir.devnet.parameter.BlockParameter.Tag;
import io.weir.devnet.parameter.Parameters;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

/** Blocks, uncles, and the receipts of a block. Thread-safe. */
final class BlockMethods {
    private final BlockLookup blocks;

    BlockMethods(BlockLookup blocks) {
        this.blocks = blocks;
    }

    void addTo(MethodSink table) {
        table.add("eth_getBlockByHash", 2, 2, p -> block(blocks.byHash(p.hash(0)), false, p.truth(1)));
        table.add("eth_getBlockByNumber", 2, 2, this::byNumber);
        table.add("eth_getBlockReceipts", 1, 1, this::receipts);
        ToIntFunction<ChainBlock> transactions = block -> block.transactions().size();
        table.add("eth_getBlockTransactionCountByHash", 1, 1, p -> count(blocks.byHash(p.hash(0)), transactions));
        table.add(
                "eth_getBlockTransactionCountByNumber", 1, 1, p -> count(blocks.find(p.blockNumber(0)), transactions));
        ToIntFunction<ChainBlock> uncles = block -> block.block().ommers().size();
        table.add("eth_getUncleCountByBlockHash", 1, 1, p -> count(blocks.byHash(p.hash(0)), uncles));
        table.add("eth_getUncleCountByBlockNumber", 1, 1, p -> count(blocks.find(p.blockNumber(0)), uncles));
        table.add("eth_getUncleByBlockHashAndIndex", 2, 2, p -> uncle(blocks.byHash(p.hash(0)), p.index(1)));
        table.add("eth_getUncleByBlockNumberAndIndex", 2, 2, p -> uncle(blocks.find(p.blockNumber(0)), p.index(1)));
    }

    private JsonNode byNumber(Parameters parameters) {
        BlockParameter parameter = parameters.blockNumber(0);
        boolean whole = parameters.truth(1);
        return block(blocks.find(parameter), parameter.tag() == Tag.PENDING, whole);
    }

    /** Nothing has happened in a pending block, so its receipts are those of the latest. */
    private JsonNode receipts(Parameters parameters) {
        BlockParameter parameter = parameters.blockOrDecimal(0);
        ChainBlock block = parameter.tag() == Tag.PENDING ? blocks.head() : blocks.find(parameter);
        return block == null ? NullNode.getInstance() : ReceiptJson.ofBlock(block);
    }

    private static JsonNode block(@Nullable ChainBlock block, boolean pending, boolean whole) {
        if (block == null) {
            return NullNode.getInstance();
        }
        return pending ? BlockJson.pending(block, whole) : BlockJson.of(block, whole);
    }

    private static JsonNode count(@Nullable ChainBlock block, ToIntFunction<ChainBlock> counted) {
        return block == null ? NullNode.getInstance() : StringNode.valueOf(Quantity.encode(counted.applyAsInt(block)));
    }

    private static JsonNode uncle(@Nullable ChainBlock block, long index) {
        List<BlockHeader> uncles = block == null ? List.of() : block.block().ommers();
        return index < uncles.size() ? BlockJson.uncle(uncles.get((int) index)) : NullNode.getInstance();
    }
}
