package io.weir.bench.load.chain;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A block, its transactions, receipts and logs as JSON-RPC shows them. Immutable. */
record BlockJson(BlockHeader header, Hash32 hash) {

    byte[] block(List<BenchTransaction> transactions, boolean full) {
        StringBuilder text = new StringBuilder(4096).append('{');
        header.forEachHex((field, hex) -> text.append('"')
                .append(field.jsonName())
                .append("\":\"")
                .append(hex)
                .append("\","));
        String list = IntStream.range(0, transactions.size())
                .mapToObj(i -> full
                        ? transaction(transactions.get(i), i)
                        : '"' + transactions.get(i).hash().hex() + '"')
                .collect(Collectors.joining(","));
        return text.append("\"hash\":\"%s\",\"transactions\":[%s],\"uncles\":[],\"size\":\"0x455\",\"withdrawals\":[]}"
                        .formatted(hash.hex(), list))
                .toString()
                .getBytes(US_ASCII);
    }

    String transaction(BenchTransaction of, int index) {
        Transaction transaction = of.transaction();
        var signature = Objects.requireNonNull(transaction.signature(), "signature");
        return """
                {%s,"hash":"%s","type":"0x2","nonce":"%s","gasPrice":"%s","maxFeePerGas":"%s","maxPriorityFeePerGas":"%s",\
                "gas":"%s","from":"%s","to":"%s","value":"0x0","input":"%s","accessList":[],"chainId":"0x1",\
                "v":"%4$s","yParity":"%4$s","r":"%s","s":"%s"}""".replace("%4$s", Quantity.encode(signature.yParity())).formatted(
                place(index),
                of.hash().hex(),
                Quantity.encode(transaction.nonce()),
                Quantity.encode(price()),
                Quantity.encode(Objects.requireNonNull(transaction.maxFeePerGas(), "maxFeePerGas")),
                Quantity.encode(BenchTransaction.TIP_WEI),
                Quantity.encode(transaction.gas()),
                of.sender().hex(),
                of.token().hex(),
                transaction.input().hex(),
                Quantity.encode(signature.r()),
                Quantity.encode(signature.s()));
    }

    String receipt(BenchTransaction of, int index) {
        Log log = new Log(of.token(), of.topics(), of.amount());
        return """
                {%s,"transactionHash":"%s","type":"0x2","status":"0x1","from":"%s","to":"%s","contractAddress":null,\
                "cumulativeGasUsed":"%s","gasUsed":"%s","effectiveGasPrice":"%s","logsBloom":"%s","logs":[%s]}""".formatted(
                        place(index),
                        of.hash().hex(),
                        of.sender().hex(),
                        of.token().hex(),
                        Quantity.encode((index + 1) * BenchTransaction.GAS_USED),
                        Quantity.encode(BenchTransaction.GAS_USED),
                        Quantity.encode(price()),
                        Bloom.ofLogs(List.of(log)).hex(),
                        log(of, index, index));
    }

    /** @param logIndex in the block */
    String log(BenchTransaction of, int index, int logIndex) {
        String topics =
                of.topics().stream().map(topic -> '"' + topic.hex() + '"').collect(Collectors.joining(","));
        return """
                {%s,"transactionHash":"%s","address":"%s","topics":[%s],"data":"%s","logIndex":"%s","removed":false}""".formatted(
                        place(index),
                        of.hash().hex(),
                        of.token().hex(),
                        topics,
                        of.amount().hex(),
                        Quantity.encode(logIndex));
    }

    private String place(int index) {
        return "\"blockHash\":\"%s\",\"blockNumber\":\"%s\",\"blockTimestamp\":\"%s\",\"transactionIndex\":\"%s\""
                .formatted(
                        hash.hex(),
                        Quantity.encode(header.number()),
                        Quantity.encode(header.timestamp()),
                        Quantity.encode(index));
    }

    private static BigInteger price() {
        return BenchBlock.BASE_FEE_WEI.add(BenchTransaction.TIP_WEI);
    }
}
