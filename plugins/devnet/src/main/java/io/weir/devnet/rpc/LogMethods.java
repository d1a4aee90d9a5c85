package io.weir.devnet.rpc;

import io.weir.devnet.chain.Chain;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.MinedTransaction;
import io.weir.devnet.json.ReceiptJson;
import io.weir.devnet.parameter.BlockParameter;
import io.weir.devnet.parameter.Failures;
import io.weir.devnet.parameter.LogFilter;
import io.weir.devnet.parameter.Parameters;
import io.weir.ethereum.block.Receipt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Logs of a block or of a range of blocks, both bounded. Thread-safe. */
final class LogMethods {
    private final Chain chain;
    private final BlockLookup blocks;
    private final LogBounds bounds;

    LogMethods(Chain chain, BlockLookup blocks, LogBounds bounds) {
        this.chain = chain;
        this.blocks = blocks;
        this.bounds = bounds;
    }

    void addTo(MethodSink table) {
        table.add("eth_getLogs", 1, 1, this::logs);
    }

    private JsonNode logs(Parameters parameters) {
        LogFilter filter = parameters.logFilter(0);
        ArrayNode found = JsonNodeFactory.instance.arrayNode();
        if (filter.block() != null) {
            ChainBlock block = blocks.byHash(filter.block());
            if (block == null) {
                throw Failures.failed("unknown block");
            }
            collect(block, filter, found);
            return found;
        }
        long first = blocks.number(filter.from());
        long last = blocks.number(filter.to());
        checkRange(first, last);
        for (long number = first; number <= last; number++) {
            collect(blocks.require(BlockParameter.at(number)), filter, found);
        }
        return found;
    }

    private void checkRange(long first, long last) {
        if (first > last) {
            throw Failures.invalidParams("invalid block range params");
        }
        if (last > chain.head().number()) {
            throw Failures.invalidParams("block range extends beyond current head block");
        }
        if (last - first >= bounds.maxBlocks()) {
            throw Failures.invalidParams("block range is too wide: " + (last - first + 1)
                    + " blocks (expected: at most " + bounds.maxBlocks() + ")");
        }
    }

    private void collect(ChainBlock block, LogFilter filter, ArrayNode found) {
        if (!filter.mayMatch(block.header().logsBloom())) {
            return;
        }
        for (MinedTransaction mined : block.transactions()) {
            Receipt receipt = mined.receipt();
            for (int i = 0; i < receipt.logs().size(); i++) {
                if (filter.matches(receipt.logs().get(i))) {
                    if (found.size() == bounds.maxLogs()) {
                        throw Failures.limitExceeded("query returned more than " + bounds.maxLogs() + " results");
                    }
                    found.add(ReceiptJson.log(block, mined, i));
                }
            }
        }
    }
}
