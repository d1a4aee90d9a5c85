package io.weir.wallet.testing;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node that loses connections, drops transactions and lies, in the test's own process. It keeps a mempool as real nodes do: it takes
 * nonces behind a gap, makes blocks of what follows on, and replaces a transaction by one of a higher price. Its chain can begin anew.
 * It checks no signature. Confined to one thread.
 */
public final class UnreliableNode implements ChainClient {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Felt CLASS =
            Felt.parseHex("0x29927c8af6bccf3f6fda035981e765a7bdbf18a2dc0d630494f8758aa908e2b");

    /** What happens to the next transaction. */
    public enum Fate {
        TAKEN,
        LOST_BEFORE,
        ANSWER_LOST,
        REFUSED,
        TAKEN_AND_REFUSED_FOR_ITS_NONCE,
        TAKEN_AND_REFUSED_FOR_ITS_FEE,
        ACKNOWLEDGED_AND_DROPPED,
        ANSWERED_WITH_ANOTHER_HASH;

        private boolean isRefusal() {
            return this == REFUSED || this == TAKEN_AND_REFUSED_FOR_ITS_NONCE || this == TAKEN_AND_REFUSED_FOR_ITS_FEE;
        }
    }

    private final Random random;
    private final Map<Felt, TreeMap<Long, Felt>> mempool = new HashMap<>();
    private final Map<Felt, Long> nonces = new HashMap<>();
    private final Set<Felt> deployed = new HashSet<>();
    private final Set<Felt> included = new HashSet<>();
    /** The nonces of each account that it said were used, and those whose last transaction it refused. */
    private final Map<Felt, Set<Long>> spoilt = new HashMap<>();

    /** Every transaction that ever reached it, by hash. */
    public final Map<Felt, JsonNode> seen = new LinkedHashMap<>();

    /** The chains to which each transaction was given, by hash. */
    public final Map<Felt, Set<Long>> given = new HashMap<>();

    private final List<Fate> fates = new ArrayList<>();
    private long chain = 100;
    private boolean cut;
    private boolean lying;

    public UnreliableNode(Random random) {
        this.random = random;
    }

    public void next(Fate fate) {
        fates.add(fate);
    }

    /** Whether nobody reaches it. */
    public void cut(boolean now) {
        cut = now;
    }

    /** Whether it lies about statuses and nonces now and then. */
    public void lie(boolean now) {
        lying = now;
    }

    /** Ends all that is wrong with it. */
    public void behave() {
        cut = false;
        lying = false;
        fates.clear();
    }

    /** Loses its mempool. */
    public void restart() {
        mempool.clear();
    }

    /** Has an account on its chain that others made. */
    public void deploy(Felt account) {
        deployed.add(account);
    }

    /** Begins its chain anew, as a development node does that is started again. */
    public void beginAnew() {
        mempool.clear();
        nonces.clear();
        deployed.clear();
        included.clear();
        spoilt.clear();
        chain++;
    }

    /** Returns the number of its chain. */
    public long chain() {
        return chain;
    }

    /** Whether a transaction is in a block. */
    public boolean hasIncluded(Felt hash) {
        return included.contains(hash);
    }

    /** Loses one transaction of its mempool. */
    public void drop() {
        for (TreeMap<Long, Felt> ofSender : mempool.values()) {
            if (!ofSender.isEmpty()) {
                List<Long> held = new ArrayList<>(ofSender.keySet());
                ofSender.remove(held.get(random.nextInt(held.size())));
                return;
            }
        }
    }

    /** Makes a block of what follows on. */
    public void block() {
        mempool.forEach((sender, waiting) -> {
            long nonce = nonces.getOrDefault(sender, 0L);
            for (Felt next = waiting.remove(nonce); next != null; next = waiting.remove(nonce)) {
                included.add(next);
                deployed.add(sender);
                nonce++;
            }
            nonces.put(sender, nonce);
        });
    }

    /** How many transactions wait behind a gap, or for a block. */
    public int waiting() {
        return mempool.values().stream().mapToInt(Map::size).sum();
    }

    /** How many nonces that transactions of an account wait for are free because of its own lies and refusals. */
    public int spoiltNonces(Felt account) {
        TreeMap<Long, Felt> waiting = mempool.getOrDefault(account, new TreeMap<>());
        long next = nonces.getOrDefault(account, 0L);
        return (int) spoilt.getOrDefault(account, Set.of()).stream()
                .filter(nonce -> nonce >= next && !waiting.containsKey(nonce) && waiting.higherKey(nonce) != null)
                .count();
    }

    @Override
    public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
        if (cut) {
            return lost();
        }
        try {
            return switch (method) {
                case "starknet_addInvokeTransaction" -> add(params.path("invoke_transaction"));
                case "starknet_addDeployAccountTransaction" -> add(params.path("deploy_account_transaction"));
                default -> CompletableFuture.completedStage(answer(method, params));
            };
        } catch (NodeFailure e) {
            return CompletableFuture.failedStage(new RpcException(e.code, String.valueOf(e.getMessage())));
        }
    }

    private static CompletionStage<JsonNode> lost() {
        return CompletableFuture.failedStage(new RpcException(-32603, "no node answers"));
    }

    private JsonNode answer(String method, JsonNode params) {
        return switch (method) {
            case "starknet_specVersion" -> JSON.stringNode("0.9.0");
            case "starknet_blockNumber" -> JSON.numberNode(7);
            case "starknet_syncing" -> JSON.booleanNode(false);
            case "starknet_getBlockWithTxHashes" ->
                JSON.objectNode()
                        .put(
                                "block_hash",
                                Felt.of(liesNow() ? 1000 + random.nextInt(1_000_000) : chain)
                                        .toHex());
            case "starknet_getClassHashAt" -> {
                checkDeployed(TransactionCheck.felt(params, "contract_address"), liesNow());
                yield JSON.stringNode(CLASS.toHex());
            }
            case "starknet_call" -> JSON.arrayNode().add("0x302e342e30");
            case "starknet_getNonce" -> {
                Felt account = TransactionCheck.felt(params, "contract_address");
                checkDeployed(account, false);
                yield JSON.stringNode(Felt.of(nonce(account)).toHex());
            }
            case "starknet_estimateFee" -> {
                ArrayNode estimates = JSON.arrayNode();
                params.path("request").forEach(query -> estimates.add(estimate()));
                yield estimates;
            }
            case "starknet_getTransactionStatus" -> status(TransactionCheck.felt(params, "transaction_hash"));
            default -> throw new NodeFailure(-32601, "Method not found");
        };
    }

    private long nonce(Felt account) {
        long nonce = nonces.getOrDefault(account, 0L);
        if (!lying || random.nextInt(2) == 0) {
            return nonce;
        }
        spoiltOf(account).add(nonce);
        return nonce + 1;
    }

    private Set<Long> spoiltOf(Felt account) {
        return spoilt.computeIfAbsent(account, missing -> new HashSet<>());
    }

    private boolean liesNow() {
        return lying && random.nextInt(4) == 0;
    }

    private void checkDeployed(Felt account, boolean denied) {
        if (denied || !deployed.contains(account)) {
            throw new NodeFailure(20, "Contract not found");
        }
    }

    private static JsonNode estimate() {
        return JSON.objectNode()
                .put("l1_gas_consumed", "0x0")
                .put("l1_gas_price", "0x5")
                .put("l1_data_gas_consumed", "0xa")
                .put("l1_data_gas_price", "0x7d0")
                .put("l2_gas_consumed", "0x64")
                .put("l2_gas_price", "0x3e8")
                .put("overall_fee", "0x1d4c0")
                .put("unit", "FRI");
    }

    private JsonNode status(Felt hash) {
        if (lying && random.nextBoolean()) {
            throw new NodeFailure(29, "Transaction hash not found");
        }
        ObjectNode answer = JSON.objectNode();
        if (included.contains(hash)) {
            return answer.put("finality_status", "ACCEPTED_ON_L2").put("execution_status", "SUCCEEDED");
        }
        if (mempool.values().stream().anyMatch(waiting -> waiting.containsValue(hash))) {
            return answer.put("finality_status", "RECEIVED");
        }
        throw new NodeFailure(29, "Transaction hash not found");
    }

    private CompletionStage<JsonNode> add(JsonNode transaction) {
        Felt hash = TransactionCheck.hash(transaction, NodeMethods.CHAIN_ID);
        Fate fate = fates.isEmpty() ? Fate.TAKEN : fates.remove(0);
        seen.put(hash, transaction);
        given.computeIfAbsent(hash, missing -> new HashSet<>()).add(chain);
        Set<Long> spoiltOfSender = spoiltOf(TransactionCheck.sender(transaction));
        if (fate.isRefusal()) {
            spoiltOfSender.add(nonceOf(transaction));
        } else {
            spoiltOfSender.remove(nonceOf(transaction));
        }
        switch (fate) {
            case LOST_BEFORE -> {
                return lost();
            }
            case REFUSED -> throw new NodeFailure(54, "Account balance is smaller than the transaction's maximal fee");
            case ACKNOWLEDGED_AND_DROPPED -> {
                return CompletableFuture.completedStage(taken(hash));
            }
            default -> take(hash, transaction);
        }
        return switch (fate) {
            case ANSWER_LOST -> lost();
            case TAKEN_AND_REFUSED_FOR_ITS_NONCE -> throw new NodeFailure(52, "Invalid transaction nonce");
            case TAKEN_AND_REFUSED_FOR_ITS_FEE -> throw new NodeFailure(53, "The resources don't cover the fee");
            case ANSWERED_WITH_ANOTHER_HASH -> CompletableFuture.completedStage(taken(Felt.of(4711)));
            default -> CompletableFuture.completedStage(taken(hash));
        };
    }

    private static JsonNode taken(Felt hash) {
        return JSON.objectNode().put("transaction_hash", hash.toHex());
    }

    private void take(Felt hash, JsonNode transaction) {
        Felt sender = TransactionCheck.sender(transaction);
        long nonce = nonceOf(transaction);
        TreeMap<Long, Felt> waiting = mempool.computeIfAbsent(sender, missing -> new TreeMap<>());
        if (nonce < nonces.getOrDefault(sender, 0L)) {
            throw new NodeFailure(52, "Invalid transaction nonce");
        }
        if (!TransactionCheck.isDeployment(transaction) && !deployed.contains(sender)) {
            throw new NodeFailure(55, "Account validation failed");
        }
        Felt held = waiting.get(nonce);
        if (hash.equals(held)) {
            throw new NodeFailure(59, "A transaction with the same hash already exists in the mempool");
        }
        if (held != null && price(transaction).compareTo(leastPriceInPlaceOf(held)) < 0) {
            throw new NodeFailure(64, "Replacement transaction is underpriced");
        }
        waiting.put(nonce, hash);
    }

    private static long nonceOf(JsonNode transaction) {
        return TransactionCheck.felt(transaction, "nonce").toBigInteger().longValueExact();
    }

    private static BigInteger price(JsonNode transaction) {
        String price = transaction
                .path("resource_bounds")
                .path("l2_gas")
                .path("max_price_per_unit")
                .stringValue();
        return new BigInteger(price.substring(2), 16);
    }

    /** A tenth more. */
    private BigInteger leastPriceInPlaceOf(Felt held) {
        JsonNode transaction = Objects.requireNonNull(seen.get(held));
        return price(transaction).multiply(BigInteger.valueOf(11)).divide(BigInteger.TEN);
    }

    @Override
    public @Nullable String networkOfChain(String kind, String chainId) {
        return kind.equals("l2") && Felt.parseHex(chainId).equals(NodeMethods.CHAIN_ID) ? "sepolia" : null;
    }

    @Override
    public @Nullable String chainOfNetwork(String network) {
        return network.equals("sepolia") ? NodeMethods.CHAIN_ID.toHex() : null;
    }
}
