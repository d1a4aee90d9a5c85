package io.weir.devnet.chain;

import io.weir.devnet.execution.Fork;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Withdrawal;
import java.math.BigInteger;

/** The rewards of a block beside fees: to miners until Paris, as withdrawals since Shanghai. Thread-safe. */
final class Rewards {
    private static final BigInteger ETHER = BigInteger.TEN.pow(18);
    private static final BigInteger GWEI = BigInteger.TEN.pow(9);
    private static final long UNCLE_PARTS = 8;
    private static final BigInteger NEPHEW_PARTS = BigInteger.valueOf(32);

    private Rewards() {}

    static WorldState pay(WorldState state, BlockContext block, BlockPlan plan) {
        WorldState paid = state;
        if (!block.fork().includes(Fork.PARIS)) {
            BigInteger reward = reward(block.fork());
            BigInteger miner = reward;
            for (BlockHeader uncle : plan.uncles()) {
                BigInteger parts = BigInteger.valueOf(UNCLE_PARTS - (block.number() - uncle.number()));
                paid = paid.credit(uncle.miner(), reward.multiply(parts).divide(BigInteger.valueOf(UNCLE_PARTS)));
                miner = miner.add(reward.divide(NEPHEW_PARTS));
            }
            paid = paid.credit(block.miner(), miner);
        }
        for (Withdrawal withdrawal : plan.withdrawals()) {
            paid = paid.credit(withdrawal.address(), GWEI.multiply(BigInteger.valueOf(withdrawal.amountGwei())));
        }
        return paid;
    }

    private static BigInteger reward(Fork fork) {
        long ethers = fork.includes(Fork.CONSTANTINOPLE) ? 2 : fork.includes(Fork.BYZANTIUM) ? 3 : 5;
        return ETHER.multiply(BigInteger.valueOf(ethers));
    }
}
