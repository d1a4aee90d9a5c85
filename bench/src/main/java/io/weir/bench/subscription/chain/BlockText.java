package io.weir.bench.subscription.chain;

import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.transaction.Transaction;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The JSON of a {@link ForkingChain}'s blocks, transactions, receipts and logs as nodes show it. */
public final class BlockText {

    private BlockText() {}

    /** Returns a block with whole transactions or with their hashes. */
    public static String block(Block of, boolean whole) {
        MadeBlock block = (MadeBlock) of;
        String transactions = IntStream.range(0, block.body().transfers().size())
                .mapToObj(i -> whole
                        ? transaction(block, i)
                        : '"' + block.body().transfers().get(i).hash().hex() + '"')
                .collect(Collectors.joining(","));
        String head = block.head();
        return head.substring(0, head.length() - 1) + ",\"transactions\":[" + transactions
                + "],\"uncles\":[],\"size\":\"0x455\",\"withdrawals\":[]}";
    }

    /** Returns the receipts of a block. */
    public static String receipts(Block of) {
        MadeBlock block = (MadeBlock) of;
        return IntStream.range(0, block.body().transfers().size())
                .mapToObj(i -> receipt(block, i))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String transaction(MadeBlock block, int index) {
        Transfer transfer = block.body().transfers().get(index);
        Transaction transaction = transfer.transaction();
        var signature = Objects.requireNonNull(transaction.signature(), "signature");
        String parity = Quantity.encode(signature.yParity());
        return """
                {%s,"hash":"%s","type":"0x2","nonce":"%s","gasPrice":"%s","maxFeePerGas":"%s","maxPriorityFeePerGas":"%s",\
                "gas":"%s","from":"%s","to":"%s","value":"0x0","input":"0x","accessList":[],"chainId":"0x1",\
                "v":"%s","yParity":"%s","r":"%s","s":"%s"}""".formatted(
                place(block, index),
                transfer.hash().hex(),
                Quantity.encode(transaction.nonce()),
                Quantity.encode(Transfer.PRICE_WEI),
                Quantity.encode(Objects.requireNonNull(transaction.maxFeePerGas(), "maxFeePerGas")),
                Quantity.encode(Objects.requireNonNull(transaction.maxPriorityFeePerGas(), "maxPriorityFeePerGas")),
                Quantity.encode(transaction.gas()),
                transfer.sender().hex(),
                Objects.requireNonNull(transaction.to(), "to").hex(),
                parity,
                parity,
                Quantity.encode(signature.r()),
                Quantity.encode(signature.s()));
    }

    private static String receipt(MadeBlock block, int index) {
        Transfer transfer = block.body().transfers().get(index);
        String logs = block.logs().stream()
                .filter(log -> log.transaction() == index)
                .map(log -> log.json(false))
                .collect(Collectors.joining(","));
        return """
                {%s,"transactionHash":"%s","type":"0x2","status":"0x1","from":"%s","to":"%s","contractAddress":null,\
                "cumulativeGasUsed":"%s","gasUsed":"%s","effectiveGasPrice":"%s","logsBloom":"%s","logs":[%s]}""".formatted(
                place(block, index),
                transfer.hash().hex(),
                transfer.sender().hex(),
                Objects.requireNonNull(transfer.transaction().to(), "to").hex(),
                Quantity.encode((index + 1) * Transfer.GAS_USED),
                Quantity.encode(Transfer.GAS_USED),
                Quantity.encode(Transfer.PRICE_WEI),
                Bloom.ofLogs(transfer.logs()).hex(),
                logs);
    }

    /** Returns a log. */
    static String log(MadeBlock block, ChainLog log, boolean removed) {
        String topics = log.log().topics().stream()
                .map(topic -> '"' + topic.hex() + '"')
                .collect(Collectors.joining(","));
        return """
                {"address":"%s","topics":[%s],"data":"%s",%s,"transactionHash":"%s","logIndex":"%s","removed":%s}""".formatted(
                        log.log().address().hex(),
                        topics,
                        log.log().data().hex(),
                        place(block, log.transaction()),
                        block.body().transfers().get(log.transaction()).hash().hex(),
                        Quantity.encode(log.index()),
                        removed);
    }

    private static String place(MadeBlock block, int transaction) {
        return "\"blockHash\":\"%s\",\"blockNumber\":\"%s\",\"blockTimestamp\":\"%s\",\"transactionIndex\":\"%s\""
                .formatted(
                        block.hash(),
                        Quantity.encode(block.number()),
                        Quantity.encode(block.timestamp()),
                        Quantity.encode(transaction));
    }
}
