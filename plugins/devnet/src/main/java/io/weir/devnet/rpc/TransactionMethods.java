package io.weir.devnet.rpc;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.MinedTransaction;
import io.weir.devnet.chain.SentTransaction;
import io.weir.devnet.json.ReceiptJson;
import io.weir.devnet.json.TransactionJson;
import io.weir.devnet.mining.Mempool;
import io.weir.devnet.mining.TransactionRejected;
import io.weir.devnet.parameter.BlockParameter;
import io.weir.devnet.parameter.BlockParameter.Tag;
import io.weir.devnet.parameter.Failures;
import io.weir.devnet.parameter.Parameters;
import io.weir.ethereum.Hash32;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

/** Transactions and their receipts, and sending. Thread-safe. */
final class TransactionMethods {
    private final Chain chain;
    private final BlockLookup blocks;
    private final Mempool pool;

    TransactionMethods(Chain chain, BlockLookup blocks, Mempool pool) {
        this.chain = chain;
        this.blocks = blocks;
        this.pool = pool;
    }

    void addTo(MethodSink table) {
        table.add("eth_getTransactionByHash", 1, 1, this::byHash);
        table.add("eth_getTransactionReceipt", 1, 1, this::receipt);
        table.add("eth_getTransactionByBlockNumberAndIndex", 2, 2, this::byNumberAndIndex);
        table.add(
                "eth_getTransactionByBlockHashAndIndex",
                2,
                2,
                p -> inBlock(blocks.byHash(p.hash(0)), p.index(1), false));
        table.add("eth_sendRawTransaction", 1, 1, this::send);
    }

    private JsonNode byHash(Parameters parameters) {
        Hash32 hash = parameters.hash(0);
        // The pool first: what is mined in between is in the chain before it leaves the pool.
        SentTransaction waiting = pool.get(hash);
        Chain.Place place = chain.transaction(hash);
        if (place != null) {
            return TransactionJson.mined(place.block(), place.transaction());
        }
        return waiting == null ? NullNode.getInstance() : TransactionJson.pending(waiting);
    }

    private JsonNode receipt(Parameters parameters) {
        Chain.Place place = chain.transaction(parameters.hash(0));
        return place == null ? NullNode.getInstance() : ReceiptJson.of(place.block(), place.transaction());
    }

    private JsonNode byNumberAndIndex(Parameters parameters) {
        BlockParameter parameter = parameters.blockNumber(0);
        long index = parameters.index(1);
        return inBlock(blocks.find(parameter), index, parameter.tag() == Tag.PENDING);
    }

    private JsonNode send(Parameters parameters) {
        try {
            return StringNode.valueOf(
                    pool.add(parameters.bytes(0).toArray()).hash().hex());
        } catch (TransactionRejected e) {
            throw Failures.failed(e.reason());
        }
    }

    private static JsonNode inBlock(@Nullable ChainBlock block, long index, boolean pending) {
        if (block == null || index >= block.transactions().size()) {
            return NullNode.getInstance();
        }
        MinedTransaction mined = block.transactions().get((int) index);
        return pending ? TransactionJson.pending(mined.sent()) : TransactionJson.mined(block, mined);
    }
}
