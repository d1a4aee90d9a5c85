package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A block as large as those of mainnet, right in all its hashes: transfers of tokens by as many senders as it has transactions,
 * with one log each, and every fourth with three. Immutable.
 */
final class LargeBlock {

    static final int TRANSACTIONS = 200;
    static final long NUMBER = 23_000_000;

    private static final BigInteger GWEI = BigInteger.valueOf(1_000_000_000);
    private static final long GAS = 60_000;

    final BlockHeader header;
    final List<Transaction> transactions = new ArrayList<>();
    /** The answer to {@code eth_getBlockByNumber} with full transactions. */
    final byte[] block;
    /** The answer to {@code eth_getBlockReceipts}. */
    final byte[] receipts;

    LargeBlock() {
        List<Address> senders = new ArrayList<>();
        List<Receipt> results = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            BigInteger key = BigInteger.valueOf(1_000_003L * (i + 1));
            senders.add(Secp256k1.address(key));
            transactions.add(transaction(i).sign(key));
            results.add(Receipt.of(transactions.get(i).type(), true, GAS * (i + 1), logs(i)));
        }
        header = header(transactions, results);
        block = blockText(senders).getBytes(UTF_8);
        receipts = receiptsText(senders, results).getBytes(UTF_8);
    }

    private static Hash32 hash(String text) {
        return Hash32.keccak(text.getBytes(UTF_8));
    }

    private static Address token(int index) {
        return Address.ofHash(hash("token " + index % 40));
    }

    private static Transaction transaction(int index) {
        boolean legacy = index % 5 == 0;
        var builder = Transaction.builder(legacy ? TransactionType.LEGACY : TransactionType.DYNAMIC_FEE)
                .chainId(1)
                .nonce(index)
                .gas(GAS * 2)
                .to(token(index))
                .input(Bytes.wrap(new byte[68]));
        return legacy
                ? builder.gasPrice(GWEI).build()
                : builder.maxFeePerGas(GWEI)
                        .maxPriorityFeePerGas(BigInteger.ONE)
                        .build();
    }

    private static List<Log> logs(int index) {
        List<Log> logs = new ArrayList<>();
        for (int i = 0; i < (index % 4 == 0 ? 3 : 1); i++) {
            logs.add(new Log(
                    token(index + i),
                    List.of(hash("Transfer"), hash("from " + index), hash("to " + index)),
                    Bytes.wrap(new byte[32])));
        }
        return logs;
    }

    private static BlockHeader header(List<Transaction> transactions, List<Receipt> results) {
        return BlockHeader.builder()
                .set(HeaderField.PARENT_HASH, hash("parent"))
                .set(HeaderField.SHA3_UNCLES, BlockRoots.NO_OMMERS)
                .set(HeaderField.MINER, Address.ZERO)
                .set(HeaderField.STATE_ROOT, hash("state"))
                .set(HeaderField.TRANSACTIONS_ROOT, BlockRoots.transactions(transactions))
                .set(HeaderField.RECEIPTS_ROOT, BlockRoots.receipts(results))
                .hex(HeaderField.LOGS_BLOOM, Bloom.ofReceipts(results).hex())
                .hex(HeaderField.DIFFICULTY, "0x0")
                .hex(HeaderField.NUMBER, Quantity.encode(NUMBER))
                .hex(HeaderField.GAS_LIMIT, "0x2aea540")
                .hex(HeaderField.GAS_USED, Quantity.encode(GAS * TRANSACTIONS))
                .hex(HeaderField.TIMESTAMP, "0x68a00000")
                .hex(HeaderField.EXTRA_DATA, "0x")
                .set(HeaderField.MIX_HASH, hash("mix"))
                .hex(HeaderField.NONCE, "0x0000000000000000")
                .hex(HeaderField.BASE_FEE_PER_GAS, "0x7")
                .set(HeaderField.WITHDRAWALS_ROOT, BlockRoots.withdrawals(List.of()))
                .hex(HeaderField.BLOB_GAS_USED, "0x0")
                .hex(HeaderField.EXCESS_BLOB_GAS, "0x0")
                .set(HeaderField.PARENT_BEACON_BLOCK_ROOT, Hash32.ZERO)
                .set(HeaderField.REQUESTS_HASH, Hash32.ZERO)
                .build();
    }

    private String blockText(List<Address> senders) {
        StringBuilder text = new StringBuilder("{");
        member(text, "hash", header.hash().hex());
        header.forEachHex((field, value) -> member(text.append(','), field.jsonName(), value));
        text.append(",\"size\":\"0x9c40\",\"uncles\":[],\"withdrawals\":[],\"transactions\":[");
        for (int i = 0; i < TRANSACTIONS; i++) {
            text.append(i == 0 ? "" : ",").append(transactionText(i, senders.get(i)));
        }
        return text.append("]}").toString();
    }

    private String transactionText(int index, Address sender) {
        Transaction transaction = transactions.get(index);
        boolean legacy = transaction.gasPrice() != null;
        StringBuilder text = new StringBuilder("{").append(place(index)).append(',');
        member(text, "hash", transaction.hash().hex());
        member(text.append(','), "type", legacy ? "0x0" : "0x2");
        member(text.append(','), "from", sender.hex());
        member(text.append(','), "to", token(index).hex());
        member(text.append(','), "nonce", Quantity.encode(transaction.nonce()));
        member(text.append(','), "gas", Quantity.encode(transaction.gas()));
        member(text.append(','), "gasPrice", price(transaction));
        member(text.append(','), "value", "0x0");
        member(text.append(','), "input", transaction.input().hex());
        member(text.append(','), "chainId", "0x1");
        Signature signature = Objects.requireNonNull(transaction.signature());
        member(text.append(','), "v", Quantity.encode(transaction.v()));
        member(text.append(','), "r", Quantity.encode(signature.r()));
        member(text.append(','), "s", Quantity.encode(signature.s()));
        if (!legacy) {
            member(
                    text.append(','),
                    "maxFeePerGas",
                    Quantity.encode(Objects.requireNonNull(transaction.maxFeePerGas())));
            member(
                    text.append(','),
                    "maxPriorityFeePerGas",
                    Quantity.encode(Objects.requireNonNull(transaction.maxPriorityFeePerGas())));
            member(text.append(','), "yParity", Quantity.encode(transaction.v()));
            text.append(",\"accessList\":[]");
        }
        return text.append('}').toString();
    }

    private static String price(Transaction transaction) {
        return Quantity.encode(transaction.gasPrice() == null ? BigInteger.valueOf(8) : transaction.gasPrice());
    }

    private String place(int index) {
        return "\"blockHash\":\"" + header.hash().hex() + "\",\"blockNumber\":\"" + Quantity.encode(NUMBER)
                + "\",\"transactionIndex\":\"" + Quantity.encode(index) + '"';
    }

    private String receiptsText(List<Address> senders, List<Receipt> results) {
        StringBuilder text = new StringBuilder("[");
        int logs = 0;
        for (int i = 0; i < TRANSACTIONS; i++) {
            text.append(i == 0 ? "{" : ",{").append(place(i));
            Transaction transaction = transactions.get(i);
            String transactionHash = transaction.hash().hex();
            member(text.append(','), "transactionHash", transactionHash);
            member(text.append(','), "type", transaction.gasPrice() != null ? "0x0" : "0x2");
            member(text.append(','), "from", senders.get(i).hex());
            member(text.append(','), "to", token(i).hex());
            text.append(",\"contractAddress\":null,");
            member(text, "status", "0x1");
            member(text.append(','), "cumulativeGasUsed", Quantity.encode(GAS * (i + 1)));
            member(text.append(','), "gasUsed", Quantity.encode(GAS));
            member(text.append(','), "effectiveGasPrice", price(transaction));
            member(text.append(','), "logsBloom", results.get(i).bloom().hex());
            text.append(",\"logs\":[");
            for (Log log : results.get(i).logs()) {
                text.append(text.charAt(text.length() - 1) == '[' ? "" : ",")
                        .append(logText(log, i, logs++, transactionHash));
            }
            text.append("]}");
        }
        return text.append(']').toString();
    }

    private String logText(Log log, int index, int logIndex, String transactionHash) {
        String topics = log.topics().stream().map(Hash32::hex).collect(Collectors.joining("\",\"", "[\"", "\"]"));
        StringBuilder text = new StringBuilder("{").append(place(index)).append(',');
        member(text, "address", log.address().hex());
        text.append(",\"topics\":").append(topics).append(',');
        member(text, "data", log.data().hex());
        member(text.append(','), "transactionHash", transactionHash);
        member(text.append(','), "logIndex", Quantity.encode(logIndex));
        return text.append(",\"removed\":false}").toString();
    }

    private static void member(StringBuilder text, String name, String value) {
        text.append('"').append(name).append("\":\"").append(value).append('"');
    }
}
