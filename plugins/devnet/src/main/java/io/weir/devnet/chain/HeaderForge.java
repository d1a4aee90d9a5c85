package io.weir.devnet.chain;

import io.weir.devnet.execution.Fork;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.HeaderField;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Fills the fields of a header that follow from its parent and its fork. Hashes of the parent's hash stand for a proof of work, a
 * beacon chain's randomness and its root. They have the right shape and prove nothing. Thread-safe.
 */
final class HeaderForge {
    static final BigInteger LEAST_DIFFICULTY = BigInteger.valueOf(131_072);

    /** SHA-256 of nothing: a block without requests. */
    private static final Hash32 NO_REQUESTS =
            Hash32.fromHex("0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

    private static final Bytes NO_NONCE = Bytes.wrap(new byte[8]);
    private static final BigInteger DIFFICULTY_DIVISOR = BigInteger.valueOf(2048);

    private HeaderForge() {}

    static BlockHeaderBuilder header(BlockHeader parent, Hash32 parentHash, BlockContext block, BlockPlan plan) {
        Fork fork = block.fork();
        BlockHeaderBuilder header = BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, parentHash)
                .set(HeaderField.SHA3_UNCLES, BlockRoots.ommers(plan.uncles()))
                .set(HeaderField.MINER, plan.miner())
                .set(HeaderField.DIFFICULTY, difficulty(parent, plan, fork))
                .set(HeaderField.NUMBER, block.number())
                .set(HeaderField.GAS_LIMIT, block.gasLimit())
                .set(HeaderField.TIMESTAMP, plan.timestamp())
                .set(HeaderField.EXTRA_DATA, plan.extraData())
                .set(HeaderField.MIX_HASH, derived("mix", parentHash))
                .set(HeaderField.NONCE, fork.includes(Fork.PARIS) ? NO_NONCE : nonce(parentHash));
        if (block.baseFee() != null) {
            header.set(HeaderField.BASE_FEE_PER_GAS, block.baseFee());
        }
        if (fork.includes(Fork.SHANGHAI)) {
            header.set(HeaderField.WITHDRAWALS_ROOT, BlockRoots.withdrawals(plan.withdrawals()));
        }
        if (fork.includes(Fork.CANCUN)) {
            header.set(HeaderField.EXCESS_BLOB_GAS, BlobGas.nextExcess(parent))
                    .set(HeaderField.PARENT_BEACON_BLOCK_ROOT, derived("beacon", parentHash));
        }
        if (fork.includes(Fork.PRAGUE)) {
            header.set(HeaderField.REQUESTS_HASH, NO_REQUESTS);
        }
        return header;
    }

    /** Homestead's rule, and Byzantium's, which counts uncles (EIP-100); the bomb is too far away to be seen. */
    private static BigInteger difficulty(BlockHeader parent, BlockPlan plan, Fork fork) {
        if (fork.includes(Fork.PARIS)) {
            return BigInteger.ZERO;
        }
        long seconds = plan.timestamp() - parent.timestamp();
        long step = 1 - seconds / 10;
        if (fork.includes(Fork.BYZANTIUM)) {
            boolean uncles = !parent.sha3Uncles().equals(BlockRoots.NO_OMMERS);
            step = (uncles ? 2 : 1) - seconds / 9;
        }
        BigInteger change =
                parent.difficulty().divide(DIFFICULTY_DIVISOR).multiply(BigInteger.valueOf(Math.max(step, -99)));
        return parent.difficulty().add(change).max(LEAST_DIFFICULTY);
    }

    private static Bytes nonce(Hash32 parentHash) {
        return Bytes.copyOf(derived("nonce", parentHash).toArray(), 0, NO_NONCE.size());
    }

    private static Hash32 derived(String what, Hash32 parentHash) {
        return Hash32.keccak(what.getBytes(StandardCharsets.US_ASCII), parentHash.toArray());
    }
}
