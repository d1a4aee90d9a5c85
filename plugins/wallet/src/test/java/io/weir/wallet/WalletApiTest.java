package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.RpcException;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The network's own wallet API, as a library asks a wallet in a browser by it. */
class WalletApiTest {

    private static final String USUAL = "0x29927c8af6bccf3f6fda035981e765a7bdbf18a2dc0d630494f8758aa908e2b";
    private static final String MESSAGE = """
            {"types":{"StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"version","type":"shortstring"},
            {"name":"chainId","type":"shortstring"},{"name":"revision","type":"shortstring"}],
            "Note":[{"name":"text","type":"string"}]},"primaryType":"Note",
            "domain":{"name":"shop","version":"1","chainId":"SN_SEPOLIA","revision":"1"},"message":{"text":"hello"}}""";
    private static final String CALL = "{\"contract_address\":\"" + ScriptedNode.TOKEN.toPaddedHex()
            + "\",\"entry_point\":\"transfer\",\"calldata\":[\"0x1\",\"2\",\"0x0\"]}";

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private WalletFixture wallet;
    private String account;

    @BeforeEach
    void start() {
        wallet = WalletFixture.start(folder, chain, WalletFixture.QUICK);
        account = wallet.callApi("wallet_requestAccounts", "[]").get(0).stringValue();
    }

    @AfterEach
    void stop() {
        wallet.close();
    }

    private void deploy() {
        String key = wallet.call("l2Net_extractPublicKey", Map.of("userAddress", account))
                .stringValue();
        chain.addContract(felt(account), felt(USUAL), felt(key));
    }

    private RpcException failure(String method, String params) {
        return catchThrowableOfType(RpcException.class, () -> wallet.callApi(method, params));
    }

    private static String told(RpcException error) {
        return error.code() + " " + error.getMessage() + " " + error.data();
    }

    @Test
    void theAccountIsTheFirstOneOfTheKeyAndTheChainTheUsualOne() {
        assertThat(account).isEqualTo(wallet.address(0));
        assertThat(wallet.callApi("wallet_requestAccounts", "{\"silent_mode\":true}"))
                .isEqualTo(WalletFixture.MAPPER.valueToTree(List.of(account)));
        assertThat(wallet.callApi("wallet_requestChainId", "[]").stringValue()).isEqualTo("0x534e5f5345504f4c4941");
        assertThat(wallet.callApi("wallet_getPermissions", "[]").toString()).isEqualTo("[\"accounts\"]");
        assertThat(wallet.callApi("wallet_supportedSpecs", "[]").toString()).isEqualTo("[\"0.8\",\"0.9\",\"0.10\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"calls\":[%s]}", "{\"invoke_transaction\":[%s]}", "[[%s]]", "[{\"calls\":[%s]},\"0.8\"]"})
    void aTransactionGoesThroughTheApprovalOfTheWalletsOwnMethod(String params) {
        deploy();
        String hash = wallet.callApi("wallet_addInvokeTransaction", params.formatted(CALL))
                .path("transaction_hash")
                .stringValue();

        assertThat(hash).startsWith("0x");
        assertThat(wallet.approvals.asked).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("sendTransaction");
            assertThat(request.calls().get(0).function()).isEqualTo("transfer");
            assertThat(request.account()).isEqualTo(felt(account));
        });
    }

    @Test
    void aMessageIsSignedAsTheWalletsOwnMethodSignsIt() {
        JsonNode signature = wallet.callApi("wallet_signTypedData", MESSAGE);
        assertThat(signature).hasSize(2);
        String text = String.join(
                ",", signature.valueStream().map(JsonNode::stringValue).toList());
        assertThat(wallet.call(
                                "l2Net_verifyMessage",
                                Map.of("typedDataMessage", MESSAGE, "signerAddress", account, "signature", text))
                        .booleanValue())
                .isTrue();
        assertThat(wallet.approvals.asked)
                .singleElement()
                .satisfies(
                        request -> assertThat(request.typedData()).isEqualTo(WalletFixture.MAPPER.readTree(MESSAGE)));
        assertThat(wallet.callApi("wallet_signTypedData", MESSAGE.replaceFirst("\\{", "{\"api_version\":\"0.8.1\",")))
                .isEqualTo(signature);
    }

    @Test
    void theDataOfADeploymentAreTheAccountsUntilItIsDeployed() {
        JsonNode data = wallet.callApi("wallet_deploymentData", "[]");
        assertThat(data.path("address").stringValue()).isEqualTo(account);
        assertThat(data.path("class_hash").stringValue()).startsWith("0x");
        assertThat(data.path("version").intValue()).isEqualTo(1);
        assertThat(data.path("calldata")).isNotEmpty();
        deploy();
        assertThat(told(failure("wallet_deploymentData", "[]")))
                .startsWith("115 An error occurred (ACCOUNT_ALREADY_DEPLOYED)");
    }

    @Test
    void whatIsNotApprovedHasTheCodesOfTheApi() {
        deploy();
        wallet.approvals.decision = Decision.REFUSED;
        String params = "{\"calls\":[" + CALL + "]}";
        assertThat(told(failure("wallet_addInvokeTransaction", params)))
                .isEqualTo("113 An error occurred (USER_REFUSED_OP) {\"reason\":\"User rejected the request.\"}");
        assertThat(failure("wallet_signTypedData", MESSAGE).code()).isEqualTo(113);
        wallet.approvals.decision = Decision.TIMED_OUT;
        assertThat(told(failure("wallet_addInvokeTransaction", params)))
                .isEqualTo("163 An error occurred (UNKNOWN_ERROR) {\"reason\":\"expired: nobody decided in time\"}");
        assertThat(chain.nonces(felt(account))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "wallet_addInvokeTransaction|{}|114|calls: ",
                "wallet_addInvokeTransaction|{\"calls\":[{\"to\":\"0x1\"}]}|114|calls[0].to: unknown",
                "wallet_addInvokeTransaction|{\"calls\":[5]}|114|calls[0].contractAddress: missing",
                "wallet_addInvokeTransaction|{\"calls\":[],\"proof\":{}}|114|proof: given",
                "wallet_signTypedData|{\"types\":{}}|114|typedDataMessage: ",
                "wallet_switchStarknetChain|{\"chainId\":\"0x534e5f4d41494e\"}|112|chainId: another chain",
                "wallet_switchStarknetChain|{}|114|chainId: ",
                "wallet_addStarknetChain|{\"chain_id\":\"0x1\"}|163|chain_id: another chain",
                "wallet_watchAsset|{\"type\":\"ERC20\"}|163|no list of tokens",
                "wallet_addDeclareTransaction|{}|163|declares no classes",
                "wallet_requestAccounts|{\"api_version\":\"9.9\"}|162|api_version: "
            })
    void whatCannotBeDoneHasTheCodeThatTheApiHasForIt(String method, String params, int code, String reason) {
        RpcException error = failure(method, params);
        assertThat(error.code()).isEqualTo(code);
        assertThat(String.valueOf(error.data())).contains(reason);
        assertThat(wallet.approvals.asked).isEmpty();
    }

    @Test
    void theChainThatTheWalletIsOnNeedsNoSwitch() {
        assertThat(wallet.callApi("wallet_switchStarknetChain", "{\"chainId\":\"0x534e5f5345504f4c4941\"}")
                        .booleanValue())
                .isTrue();
        assertThat(wallet.callApi("wallet_addStarknetChain", "{\"chain_id\":\"SN_SEPOLIA\"}")
                        .booleanValue())
                .isTrue();
    }
}
