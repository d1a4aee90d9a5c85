package io.weir.wallet.method;

import io.weir.api.MethodCall;
import io.weir.api.MethodHandler;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.wallet.account.Accounts;
import io.weir.wallet.account.WalletAccount;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.snap.SnapEndpoint;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves the network's own wallet API as wallets in browsers do, for the first account of the caller's key on the default chain. What signs
 * becomes a call of the wallet's own method, with its policy and its approval. Source: starknet-specs, wallet-api. Thread-safe; blocks.
 */
public final class WalletApi implements MethodHandler {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** The methods that it serves are the same in all of these. */
    private static final List<String> API_VERSIONS = List.of("0.7", "0.8", "0.9", "0.10");

    private static final List<String> NODE_VERSIONS = List.of("0.8", "0.9", "0.10");
    private static final String API_VERSION = "api_version";

    private static final int INVALID = 114;
    private static final int UNKNOWN = 163;
    private static final Map<Integer, String> NAMES = Map.of(
            112,
            "UNLISTED_NETWORK",
            113,
            "USER_REFUSED_OP",
            INVALID,
            "INVALID_REQUEST_PAYLOAD",
            115,
            "ACCOUNT_ALREADY_DEPLOYED",
            162,
            "API_VERSION_NOT_SUPPORTED",
            UNKNOWN,
            "UNKNOWN_ERROR");

    private static final Map<String, String> MEMBERS_OF_CALL = Map.of(
            "contract_address", "contractAddress", "entry_point", "contractFuncName", "calldata", "contractCallData");

    private final SnapEndpoint wallet;
    private final Accounts accounts;
    private final L2Client client;
    private final Map<String, Function<Asked, CompletionStage<JsonNode>>> methods = Map.ofEntries(
            Map.entry("wallet_supportedWalletApi", asked -> texts(API_VERSIONS)),
            Map.entry("wallet_supportedSpecs", asked -> texts(NODE_VERSIONS)),
            Map.entry("wallet_getPermissions", asked -> texts(List.of("accounts"))),
            Map.entry("wallet_requestAccounts", asked -> texts(List.of(address(asked)))),
            Map.entry(
                    "wallet_requestChainId",
                    asked -> text(asked.network().chainId().toHex())),
            Map.entry("wallet_deploymentData", this::deploymentData),
            Map.entry("wallet_addInvokeTransaction", this::invoke),
            Map.entry("wallet_signTypedData", this::sign),
            Map.entry("wallet_switchStarknetChain", asked -> isChain(asked, "chainId", 112)),
            Map.entry("wallet_addStarknetChain", asked -> isChain(asked, "chain_id", UNKNOWN)),
            Map.entry("wallet_watchAsset", asked -> unsupported("this wallet has no list of tokens")),
            Map.entry("wallet_addDeclareTransaction", asked -> unsupported("this wallet declares no classes")));

    /** A call of this API, with its only parameter, or all of them by name. */
    private record Asked(MethodCall call, JsonNode params, L2Network network) {}

    /** Serves accounts through the wallet's methods. */
    public WalletApi(SnapEndpoint wallet, Accounts accounts, L2Client client) {
        this.wallet = wallet;
        this.accounts = accounts;
        this.client = client;
    }

    @Override
    public Set<String> methods() {
        return methods.keySet();
    }

    @Override
    public CompletionStage<JsonNode> handle(MethodCall call) {
        CompletionStage<JsonNode> answer;
        try {
            JsonNode given = call.params();
            JsonNode params = given.isArray() ? (given.isEmpty() ? JSON.objectNode() : given.get(0)) : given;
            checkVersion(given.isArray() ? given.path(1) : given.path(API_VERSION));
            answer = Objects.requireNonNull(methods.get(call.method()))
                    .apply(new Asked(call, params, wallet.defaultNetwork(call.caller())));
        } catch (RpcException e) {
            answer = CompletableFuture.failedStage(e);
        }
        return answer.exceptionally(failure -> {
            throw Waiting.unwrapped(failure) instanceof RpcException e ? translated(e) : Waiting.unwrapped(failure);
        });
    }

    private static void checkVersion(JsonNode version) {
        String wanted = version.isString() ? version.stringValue() : "";
        if (!wanted.isEmpty()
                && API_VERSIONS.stream().noneMatch(one -> wanted.equals(one) || wanted.startsWith(one + "."))) {
            throw error(162, "api_version: " + API_VERSIONS);
        }
    }

    private String address(Asked asked) {
        return account(asked).address().toPaddedHex();
    }

    private WalletAccount account(Asked asked) {
        return accounts.first(asked.call().caller().name(), asked.network());
    }

    private CompletionStage<JsonNode> deploymentData(Asked asked) {
        WalletAccount account = account(asked);
        if (client.classHashAt(asked.network(), account.address()).isPresent()) {
            throw SnapErrors.alreadyDeployed("the account is deployed already");
        }
        ObjectNode data = JSON.objectNode();
        data.put("address", account.address().toPaddedHex());
        data.put("class_hash", account.kind().classHash().toHex());
        data.put("salt", account.publicKey().toHex());
        data.set("calldata", FeltJson.hexes(account.kind().constructorCalldata(account.publicKey())));
        data.put("version", 1);
        return CompletableFuture.completedStage(data);
    }

    private CompletionStage<JsonNode> invoke(Asked asked) {
        JsonNode params = asked.params();
        if (params.has("proof")) {
            throw error(INVALID, "proof: given (expected: calls without a proof)");
        }
        JsonNode calls = params.isArray() ? params : params.path(params.has("calls") ? "calls" : "invoke_transaction");
        ObjectNode wanted = JSON.objectNode().put("senderAddress", address(asked));
        ArrayNode list = wanted.putArray("calls");
        for (JsonNode call : calls) {
            ObjectNode one = list.addObject();
            call.properties()
                    .forEach(member ->
                            one.set(MEMBERS_OF_CALL.getOrDefault(member.getKey(), member.getKey()), member.getValue()));
        }
        return wallet.call("sendTransaction", wanted, asked.call());
    }

    private CompletionStage<JsonNode> sign(Asked asked) {
        ObjectNode wanted = JSON.objectNode().put("signerAddress", address(asked));
        JsonNode message = asked.params().deepCopy();
        if (message instanceof ObjectNode object) {
            object.remove(API_VERSION);
        }
        wanted.set("typedDataMessage", message);
        return wallet.call("signMessage", wanted, asked.call())
                .thenApply(signature ->
                        FeltJson.hexes(Stream.of(signature.stringValue().split(","))
                                .map(Felt::parse)
                                .toList()));
    }

    private static CompletionStage<JsonNode> isChain(Asked asked, String name, int otherwise) {
        JsonNode given =
                asked.params().isString() ? asked.params() : asked.params().path(name);
        if (!given.isString()) {
            throw error(INVALID, name + ": missing (expected: a chain id)");
        }
        Felt chainId;
        try {
            chainId = L2Networks.parse(given.stringValue());
        } catch (IllegalArgumentException e) {
            throw error(INVALID, name + ": " + e.getMessage() + " (expected: a chain id)");
        }
        if (!chainId.equals(asked.network().chainId())) {
            throw error(
                    otherwise,
                    name + ": another chain (expected: that of this wallet, "
                            + asked.network().chainIdText() + ")");
        }
        return CompletableFuture.completedStage(JSON.booleanNode(true));
    }

    private static CompletionStage<JsonNode> unsupported(String reason) {
        throw error(UNKNOWN, reason);
    }

    /** Returns an error of the wallet's own methods as one of this API; its data keep what it says. */
    private static RpcException translated(RpcException error) {
        if (NAMES.containsKey(error.code())) {
            return error;
        }
        JsonNode data = error.data();
        int own = data == null ? 0 : data.path("walletRpcError").path("code").asInt(0);
        int code = NAMES.containsKey(own) ? own : error.code() == RpcException.INVALID_PARAMS ? INVALID : UNKNOWN;
        RpcException told = error(code, String.valueOf(error.getMessage()));
        if (data != null && told.data() instanceof ObjectNode kept) {
            data.properties().stream()
                    .filter(member -> !member.getKey().equals("walletRpcError"))
                    .forEach(member -> kept.set(member.getKey(), member.getValue()));
        }
        return told;
    }

    private static RpcException error(int code, String reason) {
        String message = "An error occurred (" + NAMES.get(code) + ")";
        return new RpcException(code, message, JSON.objectNode().put("reason", reason));
    }

    private static CompletionStage<JsonNode> text(String text) {
        return CompletableFuture.completedStage(JSON.stringNode(text));
    }

    private static CompletionStage<JsonNode> texts(List<String> texts) {
        ArrayNode array = JSON.arrayNode();
        texts.forEach(array::add);
        return CompletableFuture.completedStage(array);
    }
}
