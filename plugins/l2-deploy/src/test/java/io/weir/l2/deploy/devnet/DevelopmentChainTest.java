package io.weir.l2.deploy.devnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.Uint256;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.hash.Selector;
import io.weir.l2.transaction.ContractAddress;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.transaction.ExecuteCalldata;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class DevelopmentChainTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final BigInteger KEY = BigInteger.valueOf(7_777_777);
    private static final Felt PUBLIC_KEY = publicKey();
    private static final Felt ADDRESS =
            ContractAddress.ofAccount(Ledger.ACCOUNT_CLASS, PUBLIC_KEY, List.of(PUBLIC_KEY));
    private static final Felt FRIEND = Felt.of(0x1234);

    private final DevelopmentChain chain = new DevelopmentChain(InstantSource.system());

    private static Felt publicKey() {
        try (PrivateKey key = PrivateKey.of(Felt.of(KEY).toBytes())) {
            return StarkSigner.publicKey(key);
        }
    }

    private JsonNode call(String method, String params) {
        return chain.call(method, JSON.readTree(params.replace('\'', '"')));
    }

    private static ObjectNode transaction(String type, long nonce, boolean isQuery) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("type", type).put("version", isQuery ? "0x100000000000000000000000000000003" : "0x3");
        body.put("nonce", Felt.of(nonce).toHex()).put("tip", "0x0");
        body.set("resource_bounds", JSON.readTree("""
                        {"l1_gas": {"max_amount": "0x0", "max_price_per_unit": "0x1"},
                         "l2_gas": {"max_amount": "0x1e8480", "max_price_per_unit": "0xb2d05e00"},
                         "l1_data_gas": {"max_amount": "0xc0", "max_price_per_unit": "0xf4240"}}"""));
        body.putArray("paymaster_data");
        body.put("nonce_data_availability_mode", "L1").put("fee_data_availability_mode", "L1");
        return body;
    }

    private static ObjectNode deployment(boolean isQuery) {
        ObjectNode body = transaction("DEPLOY_ACCOUNT", 0, isQuery);
        body.put("class_hash", Ledger.ACCOUNT_CLASS.toHex()).put("contract_address_salt", PUBLIC_KEY.toHex());
        body.set("constructor_calldata", FeltJson.hexes(List.of(PUBLIC_KEY)));
        return signed(body, KEY);
    }

    private static ObjectNode transfer(long nonce, long amount, BigInteger key) {
        return invocation(
                nonce, key, ContractCall.of(Ledger.TOKEN, "transfer", List.of(FRIEND, Felt.of(amount), Felt.ZERO)));
    }

    private static ObjectNode invocation(long nonce, BigInteger key, ContractCall call) {
        ObjectNode body = transaction("INVOKE", nonce, false);
        body.put("sender_address", ADDRESS.toHex());
        body.set("calldata", FeltJson.hexes(ExecuteCalldata.cairo1(List.of(call))));
        body.putArray("account_deployment_data");
        return signed(body, key);
    }

    private static ObjectNode signed(ObjectNode body, BigInteger with) {
        body.putArray("signature");
        Felt hash = SentTransaction.read(body, DevelopmentChain.CHAIN_ID).hash();
        try (PrivateKey key = PrivateKey.of(Felt.of(with).toBytes())) {
            Signature signature = StarkSigner.sign(hash, key);
            body.set("signature", FeltJson.hexes(List.of(signature.r(), signature.s())));
        }
        return body;
    }

    private JsonNode send(ObjectNode body) {
        boolean deploys = body.path("type").stringValue().equals("DEPLOY_ACCOUNT");
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set(deploys ? "deploy_account_transaction" : "invoke_transaction", body);
        return chain.call(deploys ? "starknet_addDeployAccountTransaction" : "starknet_addInvokeTransaction", params);
    }

    private BigInteger balance(Felt owner) {
        JsonNode words = call("starknet_call", """
                [{'contract_address':'%s','entry_point_selector':'%s','calldata':['%s']},'latest']
                """.formatted(
                        Ledger.TOKEN.toHex(), Selector.of("balanceOf").toHex(), owner.toHex()));
        return Uint256.of(FeltJson.felts(words)).orElseThrow();
    }

    private void assertRefused(int code, ObjectNode body) {
        assertThatThrownBy(() -> send(body))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void anAccountIsDeployedAndTransfersTheToken() {
        BigInteger before = balance(FRIEND);
        JsonNode deployed = send(deployment(false));
        assertThat(deployed.path("contract_address").stringValue()).isEqualTo(ADDRESS.toHex());
        JsonNode sent = send(transfer(1, 500, KEY));
        assertThat(balance(FRIEND).subtract(before)).isEqualTo(500);
        String hash = sent.path("transaction_hash").stringValue();
        JsonNode receipt = call("starknet_getTransactionReceipt", "{'transaction_hash':'" + hash + "'}");
        assertThat(receipt.path("execution_status").stringValue()).isEqualTo("SUCCEEDED");
        assertThat(receipt.path("block_number").longValue()).isEqualTo(2);
        assertThat(receipt.path("events").size()).as("the transfer and the fee").isEqualTo(2);
        assertThat(call("starknet_getNonce", "['latest','" + ADDRESS.toHex() + "']")
                        .stringValue())
                .isEqualTo("0x2");
        assertThat(call("starknet_getNonce", "[{'block_number':1},'" + ADDRESS.toHex() + "']")
                        .stringValue())
                .as("after the block of the deployment")
                .isEqualTo("0x1");
        JsonNode events = call("starknet_getEvents", """
                {'filter':{'from_block':{'block_number':0},'to_block':{'block_number':9},'address':'%s',
                'keys':[['%s'],['%s'],['%s']],'chunk_size':100}}
                """.formatted(
                        Ledger.TOKEN.toHex(), Ledger.TRANSFER_EVENT.toHex(), ADDRESS.toHex(), FRIEND.toHex()));
        assertThat(events.path("events").path(0).path("transaction_hash").stringValue())
                .isEqualTo(hash);
        assertThat(events.path("events").size()).isEqualTo(1);
    }

    @Test
    void whatTheNetworkRefusesIsRefusedAndChangesNothing() {
        assertRefused(55, transfer(0, 1, KEY));
        send(deployment(false));
        assertRefused(59, deployment(false));
        assertRefused(52, transfer(0, 1, KEY));
        assertRefused(52, transfer(2, 1, KEY));
        assertRefused(55, transfer(1, 1, KEY.add(BigInteger.ONE)));
        ObjectNode poor = transfer(1, 1, KEY);
        ((ObjectNode) poor.path("resource_bounds").path("l2_gas")).put("max_amount", "0x1");
        assertRefused(53, signed(poor, KEY));
        ObjectNode rich = transfer(1, 1, KEY);
        ((ObjectNode) rich.path("resource_bounds").path("l2_gas")).put("max_amount", "0xffffffffffff");
        assertRefused(54, signed(rich, KEY));
        ObjectNode old = transfer(1, 1, KEY);
        assertRefused(61, old.put("version", "0x1"));
        ObjectNode other = deployment(false);
        assertRefused(28, other.put("class_hash", "0x123"));
        assertThat(call("starknet_blockNumber", "[]").longValue()).isEqualTo(1);
    }

    @Test
    void aFailingCallCostsItsFeeAndChangesNothingElse() {
        send(deployment(false));
        BigInteger before = balance(ADDRESS);
        ObjectNode all = invocation(
                1,
                KEY,
                new ContractCall(Ledger.TOKEN, Selector.of("transfer"), List.of(FRIEND, Felt.of(before), Felt.ZERO)));
        String hash = send(all).path("transaction_hash").stringValue();
        JsonNode status = call("starknet_getTransactionStatus", "['" + hash + "']");
        assertThat(status.path("execution_status").stringValue()).isEqualTo("REVERTED");
        assertThat(status.path("failure_reason").stringValue()).isEqualTo("Insufficient fee token balance");
        assertThat(balance(ADDRESS)).isLessThan(before).isGreaterThan(before.subtract(BigInteger.TEN.pow(16)));
        send(invocation(2, KEY, ContractCall.of(Felt.of(99), "drain", List.of())));
        assertThat(call("starknet_getNonce", "['latest','" + ADDRESS.toHex() + "']")
                        .stringValue())
                .isEqualTo("0x3");
    }

    @Test
    void estimatesAreOfWholeSequencesAndCheckSignatures() {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.putArray("request").add(deployment(true));
        params.putArray("simulation_flags");
        JsonNode estimates = chain.call("starknet_estimateFee", params.put("block_id", "latest"));
        assertThat(estimates.path(0).path("unit").stringValue()).isEqualTo("FRI");
        assertThat(new BigInteger(
                        estimates.path(0).path("overall_fee").stringValue().substring(2), 16))
                .isPositive();
        ((ObjectNode) params.path("request").path(0)).putArray("signature");
        assertThatThrownBy(() -> chain.call("starknet_estimateFee", params))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(55));
        assertThat(call("starknet_blockNumber", "[]").longValue()).isZero();
    }

    @Test
    void wrongParametersAreToldAndUnknownMethodsToo() {
        for (String params : List.of("[]", "{}", "{'transaction_hash':7}", "['0xzz']", "[[]]", "[{}]", "[null]")) {
            assertThatThrownBy(() -> call("starknet_getTransactionStatus", params))
                    .isInstanceOfSatisfying(
                            RpcException.class, e -> assertThat(e.code()).isEqualTo(RpcException.INVALID_PARAMS));
        }
        assertThatThrownBy(() -> call("starknet_traceTransaction", "[]"))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(RpcException.METHOD_NOT_FOUND));
        assertThatThrownBy(() -> call("starknet_getBlockWithTxHashes", "[{'block_number':5}]"))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(24));
    }

    @Test
    void oddInputIsAnErrorOfItsCaller() {
        for (String call : List.of(
                "starknet_call|[{'contract_address':[],'entry_point_selector':{},'calldata':[[]]},'latest']",
                "starknet_call|[{'contract_address':'0x1','entry_point_selector':'0x2','calldata':[[]]},'latest']",
                "starknet_getNonce|['newest','0x1']",
                "starknet_getNonce|[{'block_number':0.5},'0x1']",
                "starknet_estimateFee|[[],[],'latest']",
                "starknet_estimateFee|['x',[],'latest']",
                "starknet_estimateFee|[[{'type':'INVOKE','version':'0x3'}],[],'latest']",
                "starknet_addInvokeTransaction|[{'type':'DEPLOY_ACCOUNT'}]",
                "starknet_getEvents|[{'address':[]}]",
                "starknet_getEvents|[{'from_block':'x'}]")) {
            String[] parts = call.split("\\|");
            assertThatThrownBy(() -> call(parts[0], parts[1]))
                    .as(call)
                    .isInstanceOfSatisfying(
                            RpcException.class, e -> assertThat(e.code()).isEqualTo(RpcException.INVALID_PARAMS));
        }
    }

    @Test
    void aTransactionOfManyCharactersIsRefused() {
        send(deployment(false));
        assertRefused(RpcException.INVALID_PARAMS, transfer(1, 1, KEY).put("junk", "x".repeat(70_000)));
    }

    @Test
    void eventsComeInChunks() {
        send(deployment(false));
        send(transfer(1, 500, KEY));
        JsonNode first = call("starknet_getEvents", "[{'chunk_size':2}]");
        assertThat(first.path("events").size()).isEqualTo(2);
        JsonNode second = call("starknet_getEvents", "[{'chunk_size':2,'continuation_token':'2'}]");
        assertThat(first.path("continuation_token").stringValue()).isEqualTo("2");
        assertThat(second.path("events").size()).as("two fees and a transfer").isEqualTo(1);
        assertThat(second.has("continuation_token")).isFalse();
    }

    @Test
    void aReadThatFailsSaysWhetherTheFunctionIsThere() {
        String read = "[{'contract_address':'%s','entry_point_selector':'%s','calldata':[]},'latest']";
        for (String function : List.of("balanceOf", "burn")) {
            int code = function.equals("burn") ? 21 : 40;
            assertThatThrownBy(() -> call(
                            "starknet_call",
                            read.formatted(
                                    Ledger.TOKEN.toHex(), Selector.of(function).toHex())))
                    .isInstanceOfSatisfying(
                            RpcException.class, e -> assertThat(e.code()).isEqualTo(code));
        }
    }

    @Test
    void onlyTheDefaultChainCanBeOpenedAndAllNodesStandOnIt() throws Exception {
        DevelopmentNodes nodes = new DevelopmentNodes(InstantSource.system());
        assertThatThrownBy(() -> nodes.open("other")).hasMessage("l2-devnet:other (expected: l2-devnet:default)");
        JsonNode params = JsonNodeFactory.instance.arrayNode();
        String first = nodes.open("default")
                .call("starknet_blockHashAndNumber", params)
                .toCompletableFuture()
                .get()
                .toString();
        assertThat(nodes.open("default")
                        .call("starknet_blockHashAndNumber", params)
                        .toCompletableFuture()
                        .get()
                        .toString())
                .isEqualTo(first);
        assertThatThrownBy(() -> nodes.open("default")
                        .call("nonsense", params)
                        .toCompletableFuture()
                        .get())
                .isInstanceOf(ExecutionException.class);
    }
}
