package io.weir.wallet.chain;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.transaction.ContractCall;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Asks networks and reads their answers. Thread-safe; blocks. */
public final class L2Client {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String LATEST = "latest";
    private static final String CALL = "starknet_call";

    private final RpcLine line;
    private final SpecVersions versions;

    public L2Client(ChainClient chain, LongSupplier nanoClock) {
        line = new RpcLine(chain);
        versions = new SpecVersions(line, nanoClock);
    }

    /** Returns the answer of a contract's function at the newest block. */
    public List<Felt> call(L2Network network, ContractCall call) {
        JsonNode result = ask(network, CALL, params(call));
        return RpcLine.read(CALL, result, FeltJson::felts);
    }

    /** Calls a contract's function like {@link #call}. Does not block; the network's version is not asked for. */
    public CompletionStage<List<Felt>> callLater(L2Network network, ContractCall call) {
        return line.askLater(network, CALL, params(call))
                .thenApply(result -> RpcLine.read(CALL, result, FeltJson::felts));
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
        ObjectNode params = JSON.objectNode();
        params.put("block_id", LATEST);
        params.put("contract_address", address.toHex());
        return unless(
                NodeError.CONTRACT_NOT_FOUND,
                () -> RpcLine.read(
                        "starknet_getClassHashAt",
                        ask(network, "starknet_getClassHashAt", params),
                        node -> Felt.parseHex(node.asString())));
    }

    /**
     * Returns the number of an account's transactions, those of the block being made included; 0 if there is no account.
     */
    public long nonce(L2Network network, Felt address) {
        String pending = versions.of(network).pendingTag();
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
        ObjectNode params = JSON.objectNode();
        params.put("block_id", block);
        params.put("contract_address", address.toHex());
        return unless(
                NodeError.CONTRACT_NOT_FOUND,
                () -> RpcLine.read("starknet_getNonce", ask(network, "starknet_getNonce", params), node -> {
                    BigInteger number = Felt.parseHex(node.asString()).toBigInteger();
                    return number.longValueExact();
                }));
    }

    /** Returns the estimated costs of transactions, one after the other. They are signed, as queries. */
    public List<FeeEstimate> estimate(L2Network network, List<ObjectNode> transactions) {
        ObjectNode params = JSON.objectNode();
        ArrayNode request = params.putArray("request");
        transactions.forEach(request::add);
        params.putArray("simulation_flags");
        params.put("block_id", LATEST);
        JsonNode result = ask(network, "starknet_estimateFee", params);
        return RpcLine.read("starknet_estimateFee", result, node -> {
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
        ObjectNode params = JSON.objectNode();
        params.putObject("block_id").put("block_number", number);
        return unless(
                NodeError.BLOCK_NOT_FOUND,
                () -> RpcLine.read(
                        "starknet_getBlockWithTxHashes",
                        ask(network, "starknet_getBlockWithTxHashes", params),
                        node -> Felt.parseHex(node.path("block_hash").asString())));
    }

    /** Returns the number of the newest block. */
    public long newestBlock(L2Network network) {
        JsonNode number = ask(network, "starknet_blockNumber", JSON.arrayNode());
        return RpcLine.read("starknet_blockNumber", number, JsonNode::longValue);
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
                () -> RpcLine.read(
                        "starknet_getTransactionStatus",
                        ask(network, "starknet_getTransactionStatus", params),
                        NetworkStatus::read));
    }

    /**
     * Sends a transaction.
     *
     * @param method such as {@code starknet_addInvokeTransaction}
     * @return the hash by which the network knows it
     */
    public Felt send(L2Network network, String method, JsonNode params) {
        // What has been sent is accepted, however the answer reads: looking at it must not turn that into a failure.
        JsonNode result = line.ask(network, method, params);
        return RpcLine.read(
                method,
                result,
                node -> Felt.parseHex(node.path("transaction_hash").asString()));
    }

    /** The class of a contract, with its description. */
    public JsonNode classAt(L2Network network, Felt address) {
        ObjectNode params = JSON.objectNode();
        params.put("block_id", LATEST);
        params.put("contract_address", address.toHex());
        return ask(network, "starknet_getClassAt", params);
    }

    /** Asks a network whose version is spoken. */
    JsonNode ask(L2Network network, String method, JsonNode params) {
        versions.of(network);
        return line.ask(network, method, params);
    }

    private static <T> Optional<T> unless(int code, Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (RpcException e) {
            if (e.code() == code) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
