package io.weir.bench.load.chain;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.ethereum.trie.TrieRoot;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A block with its receipts, and how both look in JSON. Immutable. */
record BenchBlock(
        BlockHeader header,
        Hash32 hash,
        List<BenchTransaction> transactions,
        byte[] withTransactions,
        byte[] withHashes) {

    static final BigInteger BASE_FEE_WEI = BigInteger.valueOf(12_000_000_000L);
    private static final Hash32 NO_REQUESTS =
            Hash32.fromHex("0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    private static final int SECONDS_PER_BLOCK = 12;
    private static final long FIRST_TIME = 1_700_000_000;

    static BenchBlock of(int number, Hash32 parent, List<BenchTransaction> transactions) {
        List<Receipt> receipts = receipts(transactions);
        BlockHeader header = header(number, parent, transactions, receipts);
        Hash32 hash = header.hash();
        BlockJson json = new BlockJson(header, hash);
        return new BenchBlock(
                header, hash, transactions, json.block(transactions, true), json.block(transactions, false));
    }

    private static List<Receipt> receipts(List<BenchTransaction> transactions) {
        List<Receipt> receipts = new ArrayList<>();
        for (BenchTransaction transaction : transactions) {
            Log log = new Log(transaction.token(), transaction.topics(), transaction.amount());
            long gas = (receipts.size() + 1) * BenchTransaction.GAS_USED;
            receipts.add(Receipt.of(TransactionType.DYNAMIC_FEE, true, gas, List.of(log)));
        }
        return receipts;
    }

    private static BlockHeader header(
            int number, Hash32 parent, List<BenchTransaction> transactions, List<Receipt> receipts) {
        List<Transaction> signed =
                transactions.stream().map(BenchTransaction::transaction).toList();
        return BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, parent)
                .set(HeaderField.SHA3_UNCLES, BlockRoots.NO_OMMERS)
                .hex(HeaderField.MINER, "0x00000000000000000000000000000000000000aa")
                .set(HeaderField.STATE_ROOT, Hash32.keccak(new byte[] {(byte) number, (byte) (number >> 8)}))
                .set(HeaderField.TRANSACTIONS_ROOT, BlockRoots.transactions(signed))
                .set(HeaderField.RECEIPTS_ROOT, BlockRoots.receipts(receipts))
                .set(HeaderField.LOGS_BLOOM, Bloom.ofReceipts(receipts))
                .set(HeaderField.DIFFICULTY, 0)
                .set(HeaderField.NUMBER, number)
                .set(HeaderField.GAS_LIMIT, 30_000_000)
                .set(HeaderField.GAS_USED, receipts.size() * BenchTransaction.GAS_USED)
                .set(HeaderField.TIMESTAMP, FIRST_TIME + (long) number * SECONDS_PER_BLOCK)
                .set(HeaderField.EXTRA_DATA, Bytes.wrap("weir bench".getBytes(US_ASCII)))
                .set(HeaderField.MIX_HASH, Hash32.ZERO)
                .hex(HeaderField.NONCE, "0x0000000000000000")
                .set(HeaderField.BASE_FEE_PER_GAS, BASE_FEE_WEI)
                .set(HeaderField.WITHDRAWALS_ROOT, TrieRoot.EMPTY)
                .set(HeaderField.BLOB_GAS_USED, 0)
                .set(HeaderField.EXCESS_BLOB_GAS, 0)
                .set(HeaderField.PARENT_BEACON_BLOCK_ROOT, Hash32.ZERO)
                .set(HeaderField.REQUESTS_HASH, NO_REQUESTS)
                .build();
    }

    /** A transaction of the block. */
    byte[] transaction(int index) {
        return new BlockJson(header, hash)
                .transaction(transactions.get(index), index)
                .getBytes(US_ASCII);
    }

    /** All receipts of the block, as a list. */
    byte[] receipts() {
        return IntStream.range(0, transactions.size())
                .mapToObj(i -> new String(receipt(i), US_ASCII))
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(US_ASCII);
    }

    /** A receipt of the block. */
    byte[] receipt(int index) {
        return new BlockJson(header, hash)
                .receipt(transactions.get(index), index)
                .getBytes(US_ASCII);
    }

    /**
     * The logs of the block, without brackets around them.
     *
     * @param each logs of each transaction; its receipt has one
     */
    String logs(int each) {
        BlockJson json = new BlockJson(header, hash);
        List<String> logs = new ArrayList<>();
        for (int index = 0; index < transactions.size(); index++) {
            for (int i = 0; i < each; i++) {
                logs.add(json.log(transactions.get(index), index, logs.size()));
            }
        }
        return String.join(",", logs);
    }
}
