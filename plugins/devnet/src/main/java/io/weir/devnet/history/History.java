package io.weir.devnet.history;

import io.weir.devnet.chain.BlockAssembler;
import io.weir.devnet.chain.BlockPlan;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.chain.SentTransaction;
import io.weir.devnet.execution.Fork;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Withdrawal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes the fixed blocks, genesis to {@link #LAST_BLOCK}. Thread-safe. */
public final class History {
    /** The number of the last fixed block. */
    public static final long LAST_BLOCK = 128;

    private static final long SECONDS_BETWEEN_BLOCKS = 12;
    private static final long BLOCKS_BETWEEN_WITHDRAWALS = 4;

    private History() {}

    /** The blocks, oldest first; the same at every call. */
    public static List<ChainBlock> blocks() {
        List<ChainBlock> blocks = new ArrayList<>();
        blocks.add(Genesis.block());
        while (blocks.size() <= LAST_BLOCK) {
            blocks.add(next(blocks));
        }
        return blocks;
    }

    private static ChainBlock next(List<ChainBlock> blocks) {
        int number = blocks.size();
        Fork fork = Fork.at(number);
        BlockAssembler assembler = new BlockAssembler(blocks.get(number - 1), plan(blocks, number));
        for (Draft draft : HistoryScript.transactions(number)) {
            long nonce = assembler.state().account(draft.from().address()).nonce();
            SentTransaction sent = draft.sign(nonce, fork);
            if (!assembler.add(sent)) {
                throw new IllegalStateException(
                        "transaction of block " + number + ": " + sent.transaction() + " (expected: one that fits)");
            }
        }
        return assembler.seal();
    }

    private static BlockPlan plan(List<ChainBlock> blocks, int number) {
        BlockPlan plan = BlockPlan.at(timestamp(number));
        if (Fork.at(number).includes(Fork.SHANGHAI) && number % BLOCKS_BETWEEN_WITHDRAWALS == 0) {
            plan = plan.withWithdrawals(withdrawals(number));
        }
        return switch (number) {
            case 12, 50 -> plan.withUncles(List.of(uncle(blocks, number - 1, 1)));
            case 30 -> plan.withUncles(List.of(uncle(blocks, number - 1, 1), uncle(blocks, number - 2, 2)));
            default -> plan;
        };
    }

    /** A block that another miner made in place of a block of the chain, too late. */
    private static BlockHeader uncle(List<ChainBlock> blocks, int number, int miner) {
        Bytes extraData = Bytes.wrap(("uncle " + miner).getBytes(StandardCharsets.US_ASCII));
        Address address = DevAccount.at(miner).address();
        BlockPlan plan = new BlockPlan(timestamp(number) + miner, address, extraData, List.of(), List.of());
        return new BlockAssembler(blocks.get(number - 1), plan).seal().header();
    }

    private static List<Withdrawal> withdrawals(int number) {
        long index = 2L * number;
        return List.of(
                new Withdrawal(index, 11, DevAccount.at(8).address(), 1_000_000L + number),
                new Withdrawal(index + 1, 12, DevAccount.at(9).address(), 2_000_000L + number));
    }

    private static long timestamp(int number) {
        return Genesis.TIMESTAMP + SECONDS_BETWEEN_BLOCKS * number;
    }
}
