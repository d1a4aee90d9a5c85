package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class WaitingTransactionsTest {
    private final TestNode node = TestNode.start();

    private boolean isKnown(String hash) {
        return !node.call("eth_getTransactionByHash", hash).isNull();
    }

    @Test
    void whatWaitsForTooManyBlocksIsLetGoOf() {
        Transaction next = node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1).build();
        String ahead = node.send(node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1)
                .nonce(next.nonce() + 1)
                .build()
                .sign(TestNode.KEY_0));
        for (int i = 0; i < 1024; i++) {
            node.mine();
        }
        assertThat(isKnown(ahead)).isTrue();
        node.mine();
        assertThat(isKnown(ahead)).isFalse();
    }

    @Test
    void aTransactionBelowTheBaseFeeWaits() {
        String cheap = node.send(node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1)
                .maxFeePerGas(BigInteger.ONE)
                .maxPriorityFeePerGas(BigInteger.ONE)
                .build()
                .sign(TestNode.KEY_0));
        node.mine();
        assertThat(node.call("eth_getTransactionReceipt", cheap).isNull()).isTrue();
        assertThat(isKnown(cheap)).isTrue();
    }

    /** A head that is announced can be found by everything that it answers, while blocks are made and forgotten. */
    @Test
    void readersNeverMissTheHeadNorAWaitingTransaction() throws Exception {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sent.add(node.send(
                    node.transfer(TestNode.KEY_0, TestNode.STRANGER, i).build().sign(TestNode.KEY_0)));
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(threads.submit(() -> read(sent)));
        }
        Future<?> miner = threads.submit(() -> {
            for (int i = 0; i < 300; i++) {
                node.devnet().mine();
            }
        });
        miner.get(60, TimeUnit.SECONDS);
        for (Future<?> reader : readers) {
            reader.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private void read(List<String> sent) {
        for (int i = 0; i < 300; i++) {
            String number = node.text("eth_blockNumber");
            JsonNode block = node.call("eth_getBlockByNumber", number, false);
            assertThat(block.isNull()).as(number).isFalse();
            assertThat(node.call("eth_getBlockByHash", block.get("hash").stringValue(), false))
                    .isEqualTo(block);
            assertThat(isKnown(sent.get(i % sent.size()))).isTrue();
        }
    }
}
