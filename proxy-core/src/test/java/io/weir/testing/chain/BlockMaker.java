package io.weir.testing.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.block.Withdrawal;
import io.weir.testing.chain.SignedTransactions.Signed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Puts blocks together, of the fields that Prague has, and of uncles besides. Confined to one thread. */
final class BlockMaker {

    private static final long BASE_FEE = 7;
    private static final Address MINER = Address.ZERO;

    private final Random random;
    private final long firstSeconds;
    private final long blockMillis;

    /**
     * Makes blocks at even distances.
     *
     * @param firstSeconds time of the first block, since 1970
     */
    BlockMaker(Random random, long firstSeconds, long blockMillis) {
        this.random = random;
        this.firstSeconds = firstSeconds;
        this.blockMillis = blockMillis;
    }

    /** @param parentHash null for the first block */
    TestBlock block(long number, Hash32 parentHash, List<Signed> transactions) {
        List<BlockHeader> uncles = number > 2 && random.nextInt(3) == 0
                ? List.of(header(number - 1, Hash32.ZERO, Parts.of(List.of(), List.of(), List.of())))
                : List.of();
        List<Withdrawal> withdrawals =
                number % 3 == 1 ? List.of(new Withdrawal(number, 7, SignedTransactions.contract(1), 1_000)) : List.of();
        BlockHeader header = header(number, parentHash, Parts.of(transactions, uncles, withdrawals));
        return new TestBlock(header, transactions, uncles, text(withdrawals));
    }

    /** What a header holds on to. */
    private record Parts(List<Signed> transactions, List<Receipt> receipts, Hash32 uncles, Hash32 withdrawals) {
        static Parts of(List<Signed> transactions, List<BlockHeader> uncles, List<Withdrawal> withdrawals) {
            List<Receipt> receipts = new ArrayList<>();
            for (Signed signed : transactions) {
                receipts.add(TransactionText.outcome(signed, receipts.size()));
            }
            return new Parts(transactions, receipts, BlockRoots.ommers(uncles), BlockRoots.withdrawals(withdrawals));
        }
    }

    private BlockHeader header(long number, Hash32 parentHash, Parts parts) {
        Hash32 transactions = BlockRoots.transactions(
                parts.transactions().stream().map(Signed::transaction).toList());
        return BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, parentHash)
                .set(HeaderField.SHA3_UNCLES, parts.uncles())
                .set(HeaderField.MINER, MINER)
                .set(HeaderField.STATE_ROOT, some())
                .set(HeaderField.TRANSACTIONS_ROOT, transactions)
                .set(HeaderField.RECEIPTS_ROOT, BlockRoots.receipts(parts.receipts()))
                .hex(HeaderField.LOGS_BLOOM, Bloom.ofReceipts(parts.receipts()).hex())
                .hex(HeaderField.DIFFICULTY, "0x0")
                .hex(HeaderField.NUMBER, hex(number))
                .hex(HeaderField.GAS_LIMIT, "0x1c9c380")
                .hex(
                        HeaderField.GAS_USED,
                        hex(TransactionText.GAS_USED * parts.receipts().size()))
                .hex(HeaderField.TIMESTAMP, hex(firstSeconds + blockMillis * number / 1_000))
                .hex(HeaderField.EXTRA_DATA, "0x")
                .set(HeaderField.MIX_HASH, some())
                .hex(HeaderField.NONCE, "0x0000000000000000")
                .hex(HeaderField.BASE_FEE_PER_GAS, hex(BASE_FEE + number % 5))
                .set(HeaderField.WITHDRAWALS_ROOT, parts.withdrawals())
                .hex(HeaderField.BLOB_GAS_USED, "0x0")
                .hex(HeaderField.EXCESS_BLOB_GAS, "0x0")
                .set(HeaderField.PARENT_BEACON_BLOCK_ROOT, Hash32.ZERO)
                .set(HeaderField.REQUESTS_HASH, Hash32.ZERO)
                .build();
    }

    /** What tells blocks apart that are alike otherwise. */
    private Hash32 some() {
        byte[] bytes = new byte[Hash32.SIZE_BYTES];
        random.nextBytes(bytes);
        return Hash32.wrap(bytes);
    }

    private static String text(List<Withdrawal> withdrawals) {
        StringBuilder text = new StringBuilder("[");
        for (Withdrawal withdrawal : withdrawals) {
            text.append("{\"index\":\"").append(hex(withdrawal.index()));
            text.append("\",\"validatorIndex\":\"").append(hex(withdrawal.validatorIndex()));
            text.append("\",\"address\":\"").append(withdrawal.address().hex());
            text.append("\",\"amount\":\"").append(hex(withdrawal.amountGwei())).append("\"}");
        }
        return text.append(']').toString();
    }

    static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }

    /** Bytes that depend on a block and on something else, as what its state holds. */
    static Bytes state(TestBlock block, String what) {
        return Hash32.keccak(
                        block.header().stateRoot().toArray(), what.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .bytes();
    }
}
