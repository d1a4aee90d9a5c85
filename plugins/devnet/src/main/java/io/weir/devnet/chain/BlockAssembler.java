package io.weir.devnet.chain;

import io.weir.devnet.execution.Fork;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.block.Block;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockHeaderBuilder;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;

/** Makes the block after another: transactions one by one, then the header over all. Confined to one thread. */
public final class BlockAssembler {
    /** How many bytes of transactions a block takes, so that kept blocks have a bound. */
    private static final int MAX_BYTES = 256 * 1024;

    private final ChainBlock parent;
    private final BlockPlan plan;
    private final BlockContext context;
    private final List<MinedTransaction> mined = new ArrayList<>();
    private WorldState state;
    private long gasUsed;
    private long blobGasUsed;
    private int bytes;
    private int logs;

    /** Begins the block after another. */
    public BlockAssembler(ChainBlock parent, BlockPlan plan) {
        this.parent = parent;
        this.plan = plan;
        context = BlockContext.after(parent.header(), plan.miner());
        state = parent.state();
    }

    /** The state after the transactions so far. */
    public WorldState state() {
        return state;
    }

    /** Adds a transaction if there is room and it fits the state; answers whether it did. */
    public boolean add(SentTransaction sent) {
        Transaction transaction = sent.transaction();
        if (Long.compareUnsigned(transaction.gas(), context.gasLimit() - gasUsed) > 0
                || bytes + sent.sizeBytes() > MAX_BYTES
                || blobGasUsed + BlobGas.of(transaction) > BlobGas.limit(context.fork())
                || !Processing.fits(state, sent, context)) {
            return false;
        }
        Processing done = Processing.of(state, sent, context);
        state = done.state();
        gasUsed += done.gasUsed();
        blobGasUsed += BlobGas.of(transaction);
        bytes += sent.sizeBytes();
        mined.add(new MinedTransaction(
                sent, mined.size(), logs, receipt(transaction, done), done.gasUsed(), done.price(), done.created()));
        logs += done.logs().size();
        return true;
    }

    /** The block. Nothing may be added any more. */
    public ChainBlock seal() {
        state = Rewards.pay(state, context, plan);
        List<Transaction> transactions =
                mined.stream().map(each -> each.sent().transaction()).toList();
        List<Receipt> receipts = mined.stream().map(MinedTransaction::receipt).toList();
        BlockHeaderBuilder header = HeaderForge.header(parent.header(), parent.hash(), context, plan)
                .set(HeaderField.STATE_ROOT, state.root())
                .set(HeaderField.TRANSACTIONS_ROOT, BlockRoots.transactions(transactions))
                .set(HeaderField.RECEIPTS_ROOT, BlockRoots.receipts(receipts))
                .set(HeaderField.LOGS_BLOOM, Bloom.ofReceipts(receipts))
                .set(HeaderField.GAS_USED, gasUsed);
        if (context.fork().includes(Fork.CANCUN)) {
            header.set(HeaderField.BLOB_GAS_USED, blobGasUsed);
        }
        BlockHeader sealed = header.build();
        Block block = new Block(
                sealed,
                transactions,
                plan.uncles(),
                context.fork().includes(Fork.SHANGHAI) ? plan.withdrawals() : null);
        return ChainBlock.of(block, parent.totalDifficulty().add(sealed.difficulty()), mined, state);
    }

    private Receipt receipt(Transaction transaction, Processing done) {
        long cumulative = gasUsed;
        return context.fork().includes(Fork.BYZANTIUM)
                ? Receipt.of(transaction.type(), done.succeeded(), cumulative, done.logs())
                : Receipt.withRoot(done.state().root(), cumulative, done.logs());
    }
}
