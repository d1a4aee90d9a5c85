package io.weir.wallet;

import static io.weir.wallet.WalletFixture.MAPPER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.RpcException;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.testing.HttpChain;
import io.weir.wallet.testing.TestCall;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** How wrong calls are refused, before any node is asked: none answers here. */
class RefusalsIT {
    private static final String ADDRESS = "0x0" + "1".repeat(63);

    @TempDir
    Path folder;

    private WalletFixture wallet;

    @BeforeEach
    void start() {
        wallet = WalletFixture.start(folder, new HttpChain("http://127.0.0.1:9"), "aliases = [starknet]");
    }

    @AfterEach
    void stop() {
        wallet.close();
    }

    private RpcException refusal(String params) {
        JsonNode tree = MAPPER.readTree(params);
        TestCall call = new TestCall("demo", tree, wallet.host.executor(), wallet.host.chain(), true);
        return catchThrowableOfType(RpcException.class, () -> Waiting.forResult(wallet.handle(call)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|-32602|Expected params to be a single object.",
                "[1]|-32602|Expected params to be a single object.",
                "[{},{}]|-32602|Expected params to be a single object.",
                "{}|-32602|Must specify a valid snap ID.",
                "[{\"snapId\":5,\"request\":{}}]|-32602|Must specify a valid snap ID.",
                "{\"snapId\":\"npm:@consensys/starknet-snap\"}|-32602|Expected request to be a single object.",
                "{\"snapId\":\"npm:@consensys/starknet-snap\",\"request\":[]}|-32602|Expected request to be a single"
                        + " object.",
                "{\"snapId\":\"npm:other\",\"request\":{\"method\":\"l2Net_getValue\"}}|-32600|The snap \"npm:other\""
                        + " is not installed. Please install it first, before invoking the snap.",
                "{\"snapId\":\"npm:@consensys/starknet-snap\",\"request\":{\"method\":\"l2Net_mint\"}}|-32601|The"
                        + " method \"l2Net_mint\" does not exist / is not available.",
                "{\"snapId\":\"npm:@consensys/starknet-snap\",\"request\":{\"method\":\"getValue\"}}|-32601|The method"
                        + " \"getValue\" does not exist / is not available."
            })
    void envelopesAreRefusedAsWalletsRefuseThem(String params, int code, String message) {
        RpcException refusal = refusal(params);
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal.getMessage()).isEqualTo(message);
    }

    @Test
    void theEnvelopeMayBeTheOnlyElementOfAnArrayAndTheWordAnAlias() {
        String envelope =
                "[{\"snapId\":\"npm:@consensys/starknet-snap\",\"request\":{\"method\":\"starkNet_getStoredUserAccounts\"}}]";
        TestCall call =
                new TestCall("demo", MAPPER.readTree(envelope), wallet.host.executor(), wallet.host.chain(), true);
        assertThat(Waiting.forResult(wallet.handle(call))).isEqualTo(MAPPER.createArrayNode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "getTransactions|pageSize|11|request.params.pageSize: 11 (expected: one of [10, 25, 50])",
                "getTransactions|pageSize|ten|request.params.pageSize: \"ten\" (expected: a whole number from 0 to"
                        + " 2147483647)",
                "getTransactions|txnsInLastNumOfDays|0|request.params.txnsInLastNumOfDays: 0 (expected: a whole number"
                        + " from 1 to 36500)",
                "getTransactions|senderAddress|0xg|request.params.senderAddress: \"0xg\" (expected: an address: 0x and up"
                        + " to 64 hexadecimal digits, or decimal)",
                "getTransactions|senderAdress|0x1|request.params.senderAdress: unknown (expected: senderAddress)",
                "sendTransaction|calldata|1|request.params.calldata: unknown (expected: contractCallData)",
                "sendTransaction|entrypoint|transfer|request.params.entrypoint: unknown (expected: contractFuncName)",
                "sendTransaction|requestId|''|request.params.requestId: \"\" (expected: a text that is not empty)",
                "createAccount|chainId|''|request.params.chainId: \"\" (expected: a text that is not empty)",
                "sendTransaction|contractCalldata|1|request.params.contractCalldata: unknown (expected:"
                        + " contractCallData)",
                "sendTransaction|contractFuncName|a b|request.params.contractFuncName: \"a b\" (expected: the name of a"
                        + " contract's function)",
                "sendTransaction|contractCallData|1,x|request.params.contractCallData: \"1,x\" (expected: a number of"
                        + " the network's field)",
                "sendTransaction|maxFee|-1|request.params.maxFee: -1 (expected: a fee below 2^128, in hexadecimal or"
                        + " decimal)",
                "createAccount|deploy|7|request.params.deploy: 7 (expected: true or false)",
                "createAccount|addressIndex|-1|request.params.addressIndex: -1 (expected: a whole number from 0 to"
                        + " 2147483647)",
                "recoverAccounts|maxScanned|101|request.params.maxScanned: 101 (expected: a whole number from 1 to"
                        + " 100)",
                "verifyMessage|typedDataMessage|{|request.params.typedDataMessage: \"{\" (expected: JSON without"
                        + " repeated members)",
                "createAccount|chainId|SN_MAIN|request.params.chainId: SN_MAIN (expected: the chain id of a configured"
                        + " network)"
            })
    void wrongParametersAreNamedByTheirPath(String method, String name, String value, String message) {
        Map<String, Object> params = new HashMap<>(
                switch (method) {
                    case "getTransactions" -> Map.of("senderAddress", ADDRESS);
                    case "sendTransaction" ->
                        Map.of("senderAddress", ADDRESS, "contractAddress", ADDRESS, "contractFuncName", "transfer");
                    case "verifyMessage" -> Map.of("signerAddress", ADDRESS);
                    default -> Map.of();
                });
        params.put(name, value.matches("-?[0-9]+") ? (Object) Integer.valueOf(value) : value);
        RpcException refusal = wallet.failure("l2Net_" + method, params);
        assertThat(refusal.code()).isEqualTo(RpcException.INVALID_PARAMS);
        assertThat(refusal.getMessage()).isEqualTo(message);
    }

    @Test
    void aParameterThatIsMissingIsNamedToo() {
        assertThat(wallet.failure("l2Net_extractPublicKey", Map.of()))
                .hasMessage("request.params.userAddress: missing (expected: an address)");
    }

    @Test
    void aKeyThatMayNotUseTheNetworkIsNotServed() {
        RpcException refusal = catchThrowableOfType(
                RpcException.class,
                () -> Waiting.forResult(wallet.begin("demo", false, "l2Net_getStoredUserAccounts", Map.of())));
        assertThat(refusal.code()).isEqualTo(4100);
    }

    @Test
    void aTenantWithoutASeedIsToldSo() {
        RpcException refusal = catchThrowableOfType(
                RpcException.class,
                () -> Waiting.forResult(wallet.begin("stranger", true, "l2Net_createAccount", Map.of())));
        assertThat(refusal.code()).isEqualTo(4100);
        assertThat(refusal.getMessage()).contains("has no seed");
    }

    @Test
    void theChainMayBeNamedByTextOrNumber() {
        for (String chainId : new String[] {"SN_SEPOLIA", "0x534e5f5345504f4c4941", "393402133025997798000961"}) {
            assertThat(wallet.call("l2Net_getStoredUserAccounts", Map.of("chainId", chainId)))
                    .isEmpty();
        }
    }
}
