package io.weir.bench.subscription.chain;

import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.Log;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A log with its place in the chain. Immutable.
 *
 * @param index in the block
 * @param transaction the index of its transaction
 */
public record ChainLog(Block block, int index, int transaction, Log log) {

    /** Returns the log as nodes show it. */
    public String json(boolean removed) {
        String topics =
                log.topics().stream().map(topic -> '"' + topic.hex() + '"').collect(Collectors.joining(","));
        return """
                {"address":"%s","topics":[%s],"data":"%s",%s,"transactionHash":"%s","logIndex":"%s","removed":%s}""".formatted(
                        log.address().hex(),
                        topics,
                        log.data().hex(),
                        BlockText.place(block, transaction),
                        block.body().transfers().get(transaction).hash().hex(),
                        Quantity.encode(index),
                        removed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChainLog log && log.block == block && log.index == index;
    }

    @Override
    public int hashCode() {
        return 31 * block.hashCode() + index;
    }

    @Override
    public String toString() {
        return "log " + index + " of block " + block;
    }
}
