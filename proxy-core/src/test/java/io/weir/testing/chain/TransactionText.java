package io.weir.testing.chain;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.transaction.ContractAddress;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.testing.chain.SignedTransactions.Signed;
import io.weir.testing.chain.TestBlock.LogText;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** One transaction of a block, its receipt and its logs as JSON. Immutable. */
record TransactionText(Signed signed, BlockHeader header, String blockHash, int index) {

    /** What each transaction uses. */
    static final long GAS_USED = 30_000;

    /** What came of the transaction at this index. */
    static Receipt outcome(Signed signed, int index) {
        boolean succeeded = !signed.logs().isEmpty() || signed.transaction().nonce() % 2 == 0;
        return Receipt.of(signed.transaction().type(), succeeded, GAS_USED * (index + 1), signed.logs());
    }

    /** While it is in no block. */
    static String pending(Signed signed) {
        BigInteger price = signed.transaction().gasPrice();
        return "{\"blockHash\":null,\"blockNumber\":null,\"transactionIndex\":null,"
                + members(signed, price == null ? signed.transaction().maxFeePerGas() : price) + "}";
    }

    String mined() {
        return "{" + place() + "," + members(signed, price()) + "}";
    }

    private String place() {
        return "\"blockHash\":\"" + blockHash + "\",\"blockNumber\":\"" + Quantity.encode(header.number())
                + "\",\"transactionIndex\":\"" + Quantity.encode(index) + '"';
    }

    private BigInteger price() {
        Transaction transaction = signed.transaction();
        return transaction.gasPrice() != null
                ? transaction.gasPrice()
                : transaction.maxFeePerGas().min(header.baseFeePerGas().add(transaction.maxPriorityFeePerGas()));
    }

    private static String members(Signed signed, BigInteger price) {
        Transaction transaction = signed.transaction();
        StringBuilder text = new StringBuilder("\"hash\":\"" + signed.hash().hex() + '"');
        quantity(text, "type", BigInteger.valueOf(transaction.type().number()));
        text.append(",\"from\":\"").append(signed.sender().hex()).append('"');
        text.append(",\"to\":")
                .append(
                        transaction.to() == null
                                ? "null"
                                : '"' + transaction.to().hex() + '"');
        quantity(text, "nonce", BigInteger.valueOf(transaction.nonce()));
        quantity(text, "gas", BigInteger.valueOf(transaction.gas()));
        quantity(text, "gasPrice", price);
        quantity(text, "value", transaction.value());
        text.append(",\"input\":\"").append(transaction.input().hex()).append('"');
        quantity(text, "chainId", transaction.chainId());
        quantity(text, "maxFeePerGas", transaction.maxFeePerGas());
        quantity(text, "maxPriorityFeePerGas", transaction.maxPriorityFeePerGas());
        quantity(text, "maxFeePerBlobGas", transaction.maxFeePerBlobGas());
        if (transaction.type() == TransactionType.BLOB) {
            text.append(",\"blobVersionedHashes\":[\"")
                    .append(hexes(transaction.blobVersionedHashes()))
                    .append("\"]");
        }
        if (transaction.type() != TransactionType.LEGACY) {
            text.append(accessList(transaction));
            quantity(text, "yParity", transaction.v());
        }
        quantity(text, "v", transaction.v());
        quantity(text, "r", transaction.signature().r());
        quantity(text, "s", transaction.signature().s());
        return text.toString();
    }

    private static String accessList(Transaction transaction) {
        return transaction.accessList().stream()
                .map(entry -> "{\"address\":\"" + entry.address().hex() + "\",\"storageKeys\":[\""
                        + hexes(entry.storageKeys()) + "\"]}")
                .collect(Collectors.joining(",", ",\"accessList\":[", "]"));
    }

    private static String hexes(List<Hash32> hashes) {
        return hashes.stream().map(Hash32::hex).collect(Collectors.joining("\",\""));
    }

    private static void quantity(StringBuilder text, String name, BigInteger value) {
        if (value != null) {
            text.append(",\"")
                    .append(name)
                    .append("\":\"")
                    .append(Quantity.encode(value))
                    .append('"');
        }
    }

    /** @param before how many logs the block's earlier transactions have */
    List<LogText> logs(int before) {
        List<LogText> texts = new ArrayList<>();
        for (Log log : signed.logs()) {
            texts.add(new LogText(
                    log,
                    "{\"address\":\"" + log.address().hex() + "\",\"topics\":[\"" + hexes(log.topics())
                            + "\"],\"data\":\""
                            + log.data().hex() + "\"," + place() + ",\"transactionHash\":\""
                            + signed.hash().hex() + "\",\"logIndex\":\"" + Quantity.encode(before + texts.size())
                            + "\",\"removed\":false}"));
        }
        return texts;
    }

    String receipt(List<LogText> logs) {
        Receipt receipt = outcome(signed, index);
        Transaction transaction = signed.transaction();
        StringBuilder text =
                new StringBuilder("{\"transactionHash\":\"" + signed.hash().hex() + "\"," + place());
        quantity(text, "type", BigInteger.valueOf(transaction.type().number()));
        text.append(",\"from\":\"").append(signed.sender().hex()).append("\",\"to\":");
        boolean creates = transaction.to() == null;
        text.append(creates ? "null" : '"' + transaction.to().hex() + '"').append(",\"contractAddress\":");
        text.append(
                creates
                        ? '"'
                                + ContractAddress.create(signed.sender(), transaction.nonce())
                                        .hex()
                                + '"'
                        : "null");
        quantity(text, "status", receipt.succeeded() ? BigInteger.ONE : BigInteger.ZERO);
        quantity(text, "cumulativeGasUsed", BigInteger.valueOf(receipt.cumulativeGasUsed()));
        quantity(text, "gasUsed", BigInteger.valueOf(GAS_USED));
        quantity(text, "effectiveGasPrice", price());
        if (transaction.type() == TransactionType.BLOB) {
            int blobs = transaction.blobVersionedHashes().size();
            quantity(text, "blobGasUsed", BigInteger.valueOf(131_072L * blobs));
        }
        text.append(",\"logsBloom\":\"").append(receipt.bloom().hex()).append("\",\"logs\":[");
        text.append(logs.stream().map(LogText::text).collect(Collectors.joining(",")));
        return text.append("]}").toString();
    }
}
