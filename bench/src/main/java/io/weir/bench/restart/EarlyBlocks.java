package io.weir.bench.restart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Traffic;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.BlockText;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls for the first blocks of a chain, with their answers. Immutable and thread-safe.
 *
 * @param calls one after the other
 */
record EarlyBlocks(Traffic calls, AnswerCheck check) {

    /** Returns the calls for some blocks, in order from the first one of the chain. */
    static EarlyBlocks of(List<Block> oldest) {
        List<byte[]> bodies = new ArrayList<>();
        List<byte[]> results = new ArrayList<>();
        for (Block block : oldest) {
            String params = "[\"0x" + Long.toHexString(block.number()) + "\",true]";
            bodies.add(("{\"jsonrpc\":\"2.0\",\"id\":" + block.number()
                            + ",\"method\":\"eth_getBlockByNumber\",\"params\":" + params + "}")
                    .getBytes(ISO_8859_1));
            results.add(BlockText.block(block, true).getBytes(ISO_8859_1));
        }
        // The id of a call is the number of its block.
        return new EarlyBlocks(
                new Traffic.Sequence(bodies), new AnswerCheck(call -> results.get(Integer.parseInt(call.id()))));
    }
}
