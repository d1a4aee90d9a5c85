package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.HistoryTable.Filter;
import io.weir.wallet.state.HistoryTable.Owner;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.WalletDatabase;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An account whose transactions only the chain has. */
class HistoryCompletionTest {
    private static final Felt ACCOUNT = Felt.of(77);
    private static final Owner OWNER = new Owner("demo", SendFixture.NETWORK.chainId(), ACCOUNT);
    private static final Instant GENESIS = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private final EventChain chain = new EventChain();
    private WalletDatabase database;
    private HistoryTable table;
    private HistoryCompletion completion;

    @BeforeEach
    void open() {
        database = new WalletDatabase(folder.resolve("wallet.db"));
        database.open();
        table = new HistoryTable(database);
        completion = new HistoryCompletion(new L2Client(chain, System::nanoTime), table, Felt.of(4));
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<Long> stored() {
        return table.page(OWNER, new Filter(Instant.EPOCH, null, true), null, 10_000).stream()
                .map(StoredTransaction::nonce)
                .toList();
    }

    private void complete() {
        completion.complete(OWNER, SendFixture.NETWORK, GENESIS);
    }

    @Test
    void theNewestOfABusyAccountAreFoundFirst() {
        for (long number = 0; number < 3000; number++) {
            chain.add(number, number * 10);
        }
        complete();
        List<Long> found = stored();
        assertThat(found).hasSizeGreaterThanOrEqualTo(50).startsWith(2999L, 2998L, 2997L);
        assertThat(found).last().isEqualTo(3000L - found.size());
    }

    @Test
    void theNextCallGoesOnBelowUntilNothingIsLeft() {
        for (long number = 0; number < 170; number++) {
            chain.add(number, number * 10);
        }
        for (int call = 0; call < 5; call++) {
            complete();
        }
        assertThat(stored()).hasSize(170).startsWith(169L).endsWith(0L);
        chain.events = 0;
        chain.add(170, 1705);
        complete();
        assertThat(stored()).hasSize(171).startsWith(170L);
        assertThat(chain.events).as("questions for the new blocks alone").isEqualTo(2);
    }

    @Test
    void manyTransactionsInOneBlockAreAllFound() {
        for (long number = 0; number < 120; number++) {
            chain.add(number, 500);
        }
        for (int call = 0; call < 3; call++) {
            complete();
        }
        assertThat(stored()).hasSize(120);
    }

    @Test
    void blocksBeforeTheTimeAreNotSearched() {
        chain.add(1, 100);
        chain.add(2, 900_000);
        completion.complete(OWNER, SendFixture.NETWORK, GENESIS.plusSeconds(850_000));
        assertThat(stored()).containsExactly(2L);
        assertThat(chain.events).isLessThan(20);
    }

    @Test
    void oneCallAsksABoundedNumberOfQuestions() {
        chain.newest = 1L << 60;
        complete();
        assertThat(chain.events).isLessThanOrEqualTo(60);
    }

    /** A chain that has a block a second and nothing in them but transactions of the account. */
    private static final class EventChain implements ChainClient {
        private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
        private final NavigableMap<Long, Long> blocks = new TreeMap<>();
        private long newest;
        private int events;

        void add(long number, long block) {
            blocks.put(number, block);
            newest = Math.max(newest, block);
        }

        @Override
        public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
            try {
                return CompletableFuture.completedStage(answer(method, params));
            } catch (RpcException e) {
                return CompletableFuture.failedStage(e);
            }
        }

        private JsonNode answer(String method, JsonNode params) {
            return switch (method) {
                case "starknet_specVersion" -> JSON.stringNode("0.9.0");
                case "starknet_blockNumber" -> JSON.numberNode(newest);
                case "starknet_getBlockWithTxHashes" ->
                    block(params.path("block_id").path("block_number").longValue());
                case "starknet_getEvents" -> events(params.path("filter"));
                case "starknet_getTransactionByHash" -> transaction(params);
                case "starknet_getTransactionReceipt" -> JSON.objectNode().put("execution_status", "SUCCEEDED");
                default -> throw new RpcException(-32601, method);
            };
        }

        private JsonNode block(long number) {
            if (number > newest) {
                throw new RpcException(24, "Block not found");
            }
            return JSON.objectNode().put("timestamp", GENESIS.getEpochSecond() + Math.min(number, 1L << 32));
        }

        private JsonNode transaction(JsonNode params) {
            long number = Felt.parseHex(params.path("transaction_hash").asString())
                            .toBigInteger()
                            .longValueExact()
                    - 1_000_000;
            ObjectNode transaction = JSON.objectNode().put("type", "INVOKE");
            transaction
                    .put("sender_address", ACCOUNT.toHex())
                    .put("nonce", Felt.of(number).toHex());
            transaction.putArray("calldata");
            return transaction;
        }

        private JsonNode events(JsonNode filter) {
            events++;
            ObjectNode page = JSON.objectNode();
            ArrayNode list = page.putArray("events");
            if (!Felt.parseHex(filter.path("address").asString()).equals(ACCOUNT)) {
                return page;
            }
            long from = filter.path("from_block").path("block_number").longValue();
            long to = filter.path("to_block").path("block_number").longValue();
            int skipped = Integer.parseInt(filter.path("continuation_token").asString("0"));
            List<Long> matching = blocks.keySet().stream()
                    .filter(number -> blocks.get(number) >= from && blocks.get(number) <= to)
                    .toList();
            int end = Math.min(
                    matching.size(), skipped + filter.path("chunk_size").intValue());
            matching.subList(skipped, end)
                    .forEach(number -> list.addObject()
                            .put("transaction_hash", Felt.of(1_000_000 + number).toHex())
                            .put("block_number", blocks.get(number)));
            return end < matching.size() ? page.put("continuation_token", String.valueOf(end)) : page;
        }

        @Override
        public @Nullable String networkOfChain(String kind, String chainId) {
            return null;
        }

        @Override
        public @Nullable String chainOfNetwork(String network) {
            return null;
        }
    }
}
