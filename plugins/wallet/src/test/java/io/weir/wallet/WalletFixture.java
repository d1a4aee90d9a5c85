package io.weir.wallet;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.ChainClient;
import io.weir.api.MethodCall;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.account.AccountKinds;
import io.weir.wallet.approval.Approvals;
import io.weir.wallet.audit.AuditLog;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.key.SeedVault;
import io.weir.wallet.page.Sources;
import io.weir.wallet.send.Remedies;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.HttpChain;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.TestApprovals;
import io.weir.wallet.testing.TestCall;
import io.weir.wallet.testing.TestHost;
import io.weir.wallet.testing.TestSeeds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A whole wallet over a chain, with doubles for what surrounds it. Thread-safe. */
final class WalletFixture implements AutoCloseable {
    static final JsonMapper MAPPER = JsonMapper.builder().build();
    static final String TENANT = "demo";
    static final String SNAP_ID = "npm:@consensys/starknet-snap";
    static final String QUICK = "poll.interval = 20 ms";

    final TestApprovals approvals = new TestApprovals();
    final TestHost host;
    private final WalletCore core;
    private volatile Duration passed = Duration.ZERO;

    private WalletFixture(Path folder, ChainClient chain, String settings) {
        this(folder, chain, settings, null, new TestSeeds(), AuditLog.off());
    }

    private WalletFixture(
            Path folder,
            ChainClient chain,
            String settings,
            @Nullable Approvals others,
            SeedVault seeds,
            AuditLog audit) {
        host = new TestHost(folder, chain, settings);
        WalletDatabase database = new WalletDatabase(folder.resolve("wallet.db"));
        core = new WalletCore(
                host,
                host.settings(WalletSettings.class),
                seeds,
                others == null ? approvals : others,
                new RequestTable(database, () -> Instant.now().plus(passed)),
                audit,
                System::nanoTime);
    }

    /** A started wallet. */
    static WalletFixture start(Path folder, ScriptedNode node, String settings) {
        return start(folder, new HttpChain(node.url()), settings);
    }

    /** A started wallet over any chain. */
    static WalletFixture start(Path folder, ChainClient chain, String settings) {
        WalletFixture wallet = new WalletFixture(folder, chain, settings);
        wallet.core.start();
        return wallet;
    }

    /** A started wallet whose requests go where a test says. */
    static WalletFixture asking(Path folder, ChainClient chain, Approvals approvals) {
        return audited(folder, chain, approvals, new TestSeeds(), AuditLog.off());
    }

    /** A started wallet that notes what it does. */
    static WalletFixture audited(Path folder, ChainClient chain, Approvals approvals, SeedVault seeds, AuditLog audit) {
        WalletFixture wallet = new WalletFixture(folder, chain, QUICK, approvals, seeds, audit);
        wallet.core.start();
        return wallet;
    }

    /** Lets time pass for what the wallet stores. */
    void pass(Duration time) {
        passed = passed.plus(time);
    }

    /** A call as its caller makes it. */
    TestCall callOf(String method, Map<String, Object> params) {
        ObjectNode envelope = MAPPER.createObjectNode().put("snapId", SNAP_ID);
        ObjectNode request = envelope.putObject("request").put("method", method);
        request.set("params", MAPPER.valueToTree(params));
        return new TestCall(TENANT, envelope, host.executor(), host.chain(), true);
    }

    /** Calls a method without waiting. */
    CompletionStage<JsonNode> begin(String method, Map<String, Object> params) {
        return begin(TENANT, true, method, params);
    }

    CompletionStage<JsonNode> begin(String tenant, boolean mayUse, String method, Map<String, Object> params) {
        ObjectNode envelope = MAPPER.createObjectNode().put("snapId", SNAP_ID);
        ObjectNode request = envelope.putObject("request").put("method", method);
        request.set("params", MAPPER.valueToTree(params));
        return handle(new TestCall(tenant, envelope, host.executor(), host.chain(), mayUse));
    }

    /** Calls a method of the network's own wallet API. */
    JsonNode callApi(String method, String params) {
        TestCall call = new TestCall(
                method,
                TENANT,
                MAPPER.readTree(params),
                host.executor(),
                host.chain(),
                true,
                new CopyOnWriteArrayList<>(),
                Optional.empty());
        return Waiting.forResult(handle(call));
    }

    CompletionStage<JsonNode> handle(MethodCall call) {
        return core.handlers().stream()
                .filter(handler -> handler.methods().contains(call.method()))
                .findFirst()
                .orElseThrow()
                .handle(call);
    }

    /** The answer to a call. */
    JsonNode call(String method, Map<String, Object> params) {
        return Waiting.forResult(begin(method, params));
    }

    /** The error that a call is answered with. */
    RpcException failure(String method, Map<String, Object> params) {
        return catchThrowableOfType(RpcException.class, () -> call(method, params));
    }

    /** What a person can do about transactions that are held up. */
    Remedies remedies() {
        return core.remedies();
    }

    /** What the approvals page reads. */
    Sources sources() {
        return core.sources();
    }

    /** The address of the account at an index. */
    String address(int index) {
        return call("l2Net_createAccount", Map.of("addressIndex", index))
                .path("address")
                .stringValue();
    }

    /** The address of the first account, after its contract was put on the chain. */
    String deployedAccount(ContractAdder chain) {
        String address = address(0);
        String key =
                call("l2Net_extractPublicKey", Map.of("userAddress", address)).stringValue();
        chain.addContract(felt(address), AccountKinds.KNOWN.get("usual").classHash(), felt(key));
        return address;
    }

    /** Puts the contract of an account on a chain. */
    @FunctionalInterface
    interface ContractAdder {
        void addContract(Felt address, Felt classHash, Felt publicKey);
    }

    /** Returns the parameters of a payment from an account. */
    static Map<String, Object> transferFrom(String sender) {
        return Map.of(
                "contractAddress",
                ScriptedNode.TOKEN.toPaddedHex(),
                "contractFuncName",
                "transfer",
                "contractCallData",
                "1,2,0",
                "senderAddress",
                sender);
    }

    static Felt felt(String hex) {
        return Felt.parseHex(hex);
    }

    @Override
    public void close() {
        host.close();
        core.close();
    }
}
