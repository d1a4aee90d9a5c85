package io.weir.devnet.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Withdrawal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The free choices of a block, beside its transactions. Immutable.
 *
 * @param timestamp in seconds since 1970
 * @param withdrawals empty before Shanghai
 */
public record BlockPlan(
        long timestamp, Address miner, Bytes extraData, List<BlockHeader> uncles, List<Withdrawal> withdrawals) {
    /** The address that earns the fees of the devnet's blocks: "weir" and a two. */
    public static final Address MINER = Address.fromHex("0x7765697200000000000000000000000000000002");

    /** The extra data of blocks. */
    public static final Bytes EXTRA_DATA = Bytes.wrap("Weir devnet".getBytes(StandardCharsets.US_ASCII));

    /** A block of the devnet without uncles and withdrawals. */
    public static BlockPlan at(long timestamp) {
        return new BlockPlan(timestamp, MINER, EXTRA_DATA, List.of(), List.of());
    }

    /** The plan with uncles. */
    public BlockPlan withUncles(List<BlockHeader> headers) {
        return new BlockPlan(timestamp, miner, extraData, headers, withdrawals);
    }

    /** The plan with withdrawals. */
    public BlockPlan withWithdrawals(List<Withdrawal> payments) {
        return new BlockPlan(timestamp, miner, extraData, uncles, payments);
    }
}
