package io.weir.wallet.chain;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.transaction.ContractCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Asks networks and reads their answers. Thread-safe; blocks. */
public final class L2Client {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String LATEST = "latest";
    private static final String CALL = "starknet_call";
    private static final String SPEC_VERSION = "starknet_specVersion";
    private static final long VERSION_KEPT_NANOS = Duration.ofMinutes(10).toNanos();

    private final ChainClient chain;
    private final LongSupplier nanoClock;
    /** The version of the specification that each configured network speaks. Nodes are renewed: it is asked for again after a while. */
    private final ConcurrentMap<String, Known> versions = new ConcurrentHashMap<>();

    private record Known(SpecVersion version, long sinceNanos) {}

    public L2Client(ChainClient chain, LongSupplier nanoClock) {
        this.chain = chain;
        this.nanoClock = nanoClock;
    }

    /** Returns the answer of a contract's function at the newest block. */
    public List<Felt> call(L2Network network, ContractCall call) {
        return read(network, CALL, params(call), FeltJson::felts);
    }

    /** Calls a contract's function like {@link #call}. Does not block; the network's version is not asked for. */
    public CompletionStage<List<Felt>> callLater(L2Network network, ContractCall call) {
        return chain.call(network.name(), CALL, params(call))
                .thenApply(result -> NodeError.read(CALL, result, FeltJson::felts));
    }

    private static ObjectNode params(ContractCall call) {
        ObjectNode request = JSON.objectNode();
        request.put("contract_address", call.contract().toHex());
        request.put("entry_point_selector", call.selector().toHex());
        request.set("calldata", FeltJson.hexes(call.calldata()));
        ObjectNode params = JSON.objectNode();
        params.set("request", request);
        params.put("block_id", LATEST);
        return params;
    }

    /** The class of a contract, or nothing where there is no contract at this address. */
    public Optional<Felt> classHashAt(L2Network network, Felt address) {
        return unless(
                NodeError.CONTRACT_NOT_FOUND,
                () -> read(
                        network,
                        "starknet_getClassHashAt",
                        contract(address, LATEST),
                        node -> Felt.parseHex(node.asString())));
    }

    /**
     * Returns the number of an account's transactions, those of the block being made included; 0 if there is no account.
     */
    public long nonce(L2Network network, Felt address) {
        String pending = version(network).pendingTag();
        Optional<Long> nonce;
        try {
            nonce = nonceAt(network, address, pending);
        } catch (RpcException e) {
            // Of nodes behind one network some may be older than the one that told its version: all know the newest
            // block.
            if (e.code() != RpcException.INVALID_PARAMS && e.code() != NodeError.BLOCK_NOT_FOUND) {
                throw e;
            }
            nonce = nonceAt(network, address, LATEST);
        }
        return nonce.orElse(0L);
    }

    /** The number of the transactions that an account has made up to the newest block, where estimates begin. */
    public long confirmedNonce(L2Network network, Felt address) {
        return nonceAt(network, address, LATEST).orElse(0L);
    }

    private Optional<Long> nonceAt(L2Network network, Felt address, String block) {
        return unless(
                NodeError.CONTRACT_NOT_FOUND,
                () -> read(
                        network,
                        "starknet_getNonce",
                        contract(address, block),
                        node -> Felt.parseHex(node.asString()).toBigInteger().longValueExact()));
    }

    /** Returns the estimated costs of transactions, one after the other. They are signed, as queries. */
    public List<FeeEstimate> estimate(L2Network network, List<ObjectNode> transactions) {
        ObjectNode params = JSON.objectNode();
        ArrayNode request = params.putArray("request");
        transactions.forEach(request::add);
        params.putArray("simulation_flags");
        params.put("block_id", LATEST);
        return read(network, "starknet_estimateFee", params, node -> {
            List<FeeEstimate> estimates = new ArrayList<>();
            node.forEach(estimate -> estimates.add(FeeEstimate.read(estimate)));
            if (estimates.size() != transactions.size()) {
                throw new IllegalArgumentException("number of estimates");
            }
            return List.copyOf(estimates);
        });
    }

    /** Returns the hash of a block, or nothing if the network has no block of this number. */
    public Optional<Felt> blockHash(L2Network network, long number) {
        return unless(
                NodeError.BLOCK_NOT_FOUND,
                () -> block(
                        network,
                        number,
                        node -> Felt.parseHex(node.path("block_hash").asString())));
    }

    <T> T block(L2Network network, long number, Function<JsonNode, T> reader) {
        ObjectNode params = JSON.objectNode();
        params.putObject("block_id").put("block_number", number);
        return read(network, "starknet_getBlockWithTxHashes", params, reader);
    }

    /** Returns the number of the newest block. */
    public long newestBlock(L2Network network) {
        return read(network, "starknet_blockNumber", JSON.arrayNode(), JsonNode::longValue);
    }

    /** Whether the node that answers lags behind its network. */
    public boolean isSyncing(L2Network network) {
        JsonNode progress = ask(network, "starknet_syncing", JSON.arrayNode());
        return !progress.isBoolean() || progress.booleanValue();
    }

    /** Returns the network's status of a transaction, or nothing if it does not know the hash. */
    public Optional<NetworkStatus> status(L2Network network, Felt hash) {
        ObjectNode params = JSON.objectNode();
        params.put("transaction_hash", hash.toHex());
        return unless(
                NodeError.UNKNOWN_HASH,
                () -> read(network, "starknet_getTransactionStatus", params, NetworkStatus::read));
    }

    /**
     * Sends a transaction.
     *
     * @param method such as {@code starknet_addInvokeTransaction}
     * @return the hash by which the network knows it
     */
    public Felt send(L2Network network, String method, JsonNode params) {
        // What has been sent is accepted, however the answer reads: looking at it must not turn that into a failure.
        JsonNode result = Waiting.forResult(chain.call(network.name(), method, params));
        return NodeError.read(
                method,
                result,
                node -> Felt.parseHex(node.path("transaction_hash").asString()));
    }

    /** The class of a contract, with its description. */
    public JsonNode classAt(L2Network network, Felt address) {
        return ask(network, "starknet_getClassAt", contract(address, LATEST));
    }

    private static ObjectNode contract(Felt address, String block) {
        return JSON.objectNode().put("block_id", block).put("contract_address", address.toHex());
    }

    <T> T read(L2Network network, String method, JsonNode params, Function<JsonNode, T> reader) {
        return NodeError.read(method, ask(network, method, params), reader);
    }

    /** Asks a network whose version is spoken. */
    JsonNode ask(L2Network network, String method, JsonNode params) {
        version(network);
        return Waiting.forResult(chain.call(network.name(), method, params));
    }

    /** Returns an answer, or nothing if the network answers with an error of this code. */
    static <T> Optional<T> unless(int code, Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (RpcException e) {
            if (e.code() == code) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * A network's version.
     *
     * @throws RpcException when the network cannot be asked or speaks a version that the wallet does not
     */
    private SpecVersion version(L2Network network) {
        Known known = versions.get(network.name());
        if (known != null && nanoClock.getAsLong() - known.sinceNanos() < VERSION_KEPT_NANOS) {
            return known.version();
        }
        JsonNode answer = Waiting.forResult(chain.call(network.name(), SPEC_VERSION, JSON.arrayNode()));
        SpecVersion version = NodeError.read(SPEC_VERSION, answer, node -> SpecVersion.parse(node.asString()));
        if (!version.isSpoken()) {
            throw SnapErrors.failed("network " + network.name() + ": JSON-RPC " + version.major() + "."
                    + version.minor() + " (expected: 0.8 to 0.10)");
        }
        versions.put(network.name(), new Known(version, nanoClock.getAsLong()));
        return version;
    }

    /** A version of the network's JSON-RPC specification, by its first two numbers. Immutable. */
    record SpecVersion(int major, int minor) {
        private static final Pattern TEXT = Pattern.compile("v?([0-9]{1,4})\\.([0-9]{1,4})(\\..*)?");
        private static final int OLDEST_MINOR = 8;
        private static final int NEWEST_MINOR = 10;
        private static final int FIRST_WITH_PRE_CONFIRMED = 9;

        /**
         * Reads what nodes answer, such as {@code 0.9.0}.
         *
         * @throws IllegalArgumentException when it is no version
         */
        static SpecVersion parse(String text) {
            Matcher matcher = TEXT.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("a version");
            }
            return new SpecVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        }

        /** Whether the wallet speaks it. */
        boolean isSpoken() {
            return major == 0 && minor >= OLDEST_MINOR && minor <= NEWEST_MINOR;
        }

        /** The tag of the block that is being made. */
        String pendingTag() {
            return minor >= FIRST_WITH_PRE_CONFIRMED ? "pre_confirmed" : "pending";
        }
    }
}
