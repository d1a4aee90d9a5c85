package io.weir.wallet;

import static io.weir.wallet.WalletFixture.QUICK;
import static io.weir.wallet.WalletFixture.felt;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.hash.Selector;
import io.weir.l2.typed.TypedData;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.testing.ScriptedNode;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Messages that are signed and verified, by accounts of the wallet and by others, and the display of keys. */
class MessagesIT {
    private static final String MESSAGE = """
        {"types":{"StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"version","type":"shortstring"},
        {"name":"chainId","type":"shortstring"},{"name":"revision","type":"shortstring"}],
        "Note":[{"name":"text","type":"shortstring"},{"name":"amount","type":"u128"}]},
        "primaryType":"Note","domain":{"name":"weir","version":"1","chainId":"SN_SEPOLIA","revision":"1"},
        "message":{"text":"hello","amount":"12"}}
        """;
    private static final String FOREIGN = "0x0" + "5".repeat(63);

    @TempDir
    Path folder;

    private final ScriptedNode node = new ScriptedNode();
    private WalletFixture wallet;

    @BeforeEach
    void start() {
        wallet = WalletFixture.start(folder, node, QUICK);
    }

    @AfterEach
    void stop() {
        wallet.close();
        node.close();
    }

    private boolean verify(String message, String signer, String signature) {
        return wallet.call(
                        "l2Net_verifyMessage",
                        Map.of("typedDataMessage", message, "signerAddress", signer, "signature", signature))
                .booleanValue();
    }

    @Test
    void aSignedMessageVerifiesWithoutANode() {
        String address = wallet.address(0);
        String other = wallet.address(1);
        node.takeAsked();
        String signature = wallet.call(
                        "l2Net_signMessage", Map.of("typedDataMessage", MESSAGE, "signerAddress", address))
                .stringValue();
        assertThat(signature).matches("[1-9][0-9]+,[1-9][0-9]+");
        assertThat(verify(MESSAGE, address, signature)).isTrue();
        assertThat(verify(MESSAGE.replace("hello", "hullo"), address, signature))
                .isFalse();
        assertThat(verify(MESSAGE, other, signature)).isFalse();
        assertThat(verify(MESSAGE, address, "1,2")).isFalse();
        assertThat(verify(MESSAGE, address, signature + ",3")).isFalse();
        assertThat(node.takeAsked()).isEmpty();
        assertThat(wallet.approvals.asked).singleElement().satisfies(request -> {
            JsonNode shown = request.typedData();
            assertThat(shown).isEqualTo(WalletFixture.MAPPER.readTree(MESSAGE));
        });
    }

    @Test
    void theContractOfAnotherAccountSaysWhetherASignatureIsValid() {
        try (PrivateKey key =
                PrivateKey.of(Felt.of(BigInteger.valueOf(123_456_789)).toBytes())) {
            Felt hash = TypedData.of(WalletFixture.MAPPER.readTree(MESSAGE)).messageHash(felt(FOREIGN));
            Signature signature = StarkSigner.sign(hash, key);
            String text = signature.r().toBigInteger() + "," + signature.s().toBigInteger();
            assertThat(verify(MESSAGE, FOREIGN, text)).as("not deployed").isFalse();
            node.addContract(felt(FOREIGN), Felt.of(77), StarkSigner.publicKey(key));
            assertThat(verify(MESSAGE, FOREIGN, text)).isTrue();
            assertThat(verify(MESSAGE.replace("\"12\"", "\"13\""), FOREIGN, text))
                    .isFalse();
            assertThat(node.takeAsked()).contains("starknet_call");
        }
    }

    @Test
    void aMessageIsNotSignedWithoutApprovalOrForAnother() {
        Map<String, Object> params = Map.of("typedDataMessage", MESSAGE, "signerAddress", wallet.address(0));
        wallet.approvals.decision = Decision.REFUSED;
        assertThat(wallet.failure("l2Net_signMessage", params).code()).isEqualTo(4001);
        assertThat(wallet.failure("l2Net_signMessage", Map.of("typedDataMessage", MESSAGE, "signerAddress", FOREIGN)))
                .hasMessage("request.params.signerAddress: " + FOREIGN + " (expected: an account of this wallet)");
        assertThat(wallet.failure(
                                "l2Net_signMessage",
                                Map.of(
                                        "typedDataMessage",
                                        MESSAGE.replace("\"12\"", "\"-1\""),
                                        "signerAddress",
                                        wallet.address(0)))
                        .getMessage())
                .startsWith("request.params.typedDataMessage: message.amount");
    }

    @Test
    void anOutsideExecutionIsDescribedLikeTheTransactionThatItAllows() {
        String message = """
            {"types":{"StarknetDomain":[{"name":"name","type":"shortstring"},{"name":"version","type":"shortstring"},
            {"name":"chainId","type":"shortstring"},{"name":"revision","type":"shortstring"}],
            "OutsideExecution":[{"name":"Caller","type":"ContractAddress"},{"name":"Nonce","type":"felt"},
            {"name":"Execute After","type":"u128"},{"name":"Execute Before","type":"u128"},{"name":"Calls","type":"Call*"}],
            "Call":[{"name":"To","type":"ContractAddress"},{"name":"Selector","type":"selector"},
            {"name":"Calldata","type":"felt*"}]},"primaryType":"OutsideExecution",
            "domain":{"name":"Account.execute_from_outside","version":2,"chainId":"SN_SEPOLIA","revision":"1"},
            "message":{"Caller":"0x414e595f43414c4c4552","Nonce":"0x1","Execute After":"1","Execute Before":"99",
            "Calls":[{"To":"TOKEN","Selector":"SELECTOR","Calldata":["0x7","0x5","0x0"]},
            {"To":"TOKEN","Selector":"0x1234","Calldata":[]}]}}
            """.replace("TOKEN", ScriptedNode.TOKEN.toHex())
                .replace("SELECTOR", Selector.of("transfer").toHex());
        wallet.call("l2Net_signMessage", Map.of("typedDataMessage", message, "signerAddress", wallet.address(0)));
        RequestedCall transfer = wallet.approvals.asked.get(0).calls().get(0);
        assertThat(transfer.function()).isEqualTo("transfer");
        assertThat(transfer.arguments()).extracting(Argument::name).containsExactly("recipient", "amount");
        assertThat(transfer.isMissing()).isFalse();
        RequestedCall other = wallet.approvals.asked.get(0).calls().get(1);
        assertThat(other.function()).isEqualTo("0x1234");
        assertThat(other.isMissing()).as("the class of the token is known").isTrue();
    }

    @Test
    void aKeyGoesToWhoeverApprovesAndNeverToTheCaller() {
        String address = wallet.address(2);
        assertThat(wallet.call("l2Net_displayPrivateKey", Map.of("userAddress", address))
                        .isNull())
                .isTrue();
        try (PrivateKey key = PrivateKey.of(wallet.approvals.shown)) {
            assertThat(StarkSigner.publicKey(key).toPaddedHex())
                    .isEqualTo(wallet.call("l2Net_extractPublicKey", Map.of("userAddress", address))
                            .stringValue());
        }
        wallet.approvals.shown = new byte[0];
        wallet.approvals.decision = Decision.TIMED_OUT;
        assertThat(wallet.failure("l2Net_displayPrivateKey", Map.of("userAddress", address))
                        .code())
                .isEqualTo(-32000);
        assertThat(wallet.approvals.shown).isEmpty();
    }

    private String refusal(String message) {
        return String.valueOf(wallet.failure(
                        "l2Net_signMessage", Map.of("typedDataMessage", message, "signerAddress", wallet.address(0)))
                .getMessage());
    }

    @Test
    void aMessageOfAnotherChainOrOfNoneIsNotSigned() {
        assertThat(refusal(MESSAGE.replace("SN_SEPOLIA", "SN_MAIN")))
                .isEqualTo("request.params.typedDataMessage: domain.chainId: another chain (expected: that of the call,"
                        + " SN_SEPOLIA)");
        String without = MESSAGE.replace("\"chainId\":\"SN_SEPOLIA\",", "")
                .replace("{\"name\":\"chainId\",\"type\":\"shortstring\"},", "");
        assertThat(refusal(without)).endsWith("domain.chainId: missing (expected: SN_SEPOLIA)");
        assertThat(wallet.approvals.asked).isEmpty();
        wallet.approvals.withoutChain = true;
        assertThat(wallet.call(
                                "l2Net_signMessage",
                                Map.of("typedDataMessage", without, "signerAddress", wallet.address(0)))
                        .isString())
                .isTrue();
    }

    @Test
    void aMemberThatNoTypeCoversIsRefused() {
        assertThat(refusal(MESSAGE.replace("\"text\":\"hello\"", "\"text\":\"hello\",\"note\":\"unsigned\"")))
                .startsWith("request.params.typedDataMessage: message.note: unusable");
        assertThat(refusal(MESSAGE.replace("\"domain\":{", "\"domain\":{\"extra\":1,")))
                .contains("domain.extra");
        assertThat(wallet.approvals.asked).isEmpty();
    }

    @Test
    void noDomainHidesThatTheSignatureCoversNoChain() {
        String hidden = MESSAGE.replace(
                "{\"name\":\"chainId\",\"type\":\"shortstring\"}", "{\"name\":\"name\",\"type\":\"shortstring\"}");
        assertThat(refusal(hidden)).contains("types.StarknetDomain[2].name");
        String asText = MESSAGE.replace("\"chainId\",\"type\":\"shortstring\"", "\"chainId\",\"type\":\"string\"");
        assertThat(refusal(asText)).contains("domain.chainId: another chain");
        assertThat(refusal(MESSAGE.replace("\"message\":{", "\"message\":{\"text\":\"bye\",")))
                .endsWith("(expected: JSON without repeated members)");
        assertThat(wallet.approvals.asked).isEmpty();
    }

    @Test
    void aTypeThatTheSignatureDoesNotCoverIsNotShown() {
        String unused = MESSAGE.replace("\"Note\":[", "\"Gift\":[{\"name\":\"to_you\",\"type\":\"u128\"}],\"Note\":[");
        String signer = wallet.address(0);
        String signature = wallet.call("l2Net_signMessage", Map.of("typedDataMessage", unused, "signerAddress", signer))
                .stringValue();
        assertThat(wallet.approvals.asked)
                .singleElement()
                .satisfies(
                        request -> assertThat(request.typedData()).isEqualTo(WalletFixture.MAPPER.readTree(MESSAGE)));
        assertThat(verify(MESSAGE, signer, signature)).isTrue();
    }

    @Test
    void oneMessageIsSignedTenTimesAMinute() {
        Map<String, Object> params = Map.of("typedDataMessage", MESSAGE, "signerAddress", wallet.address(0));
        for (int time = 0; time < 10; time++) {
            wallet.call("l2Net_signMessage", params);
        }
        assertThat(wallet.failure("l2Net_signMessage", params).code()).isEqualTo(-32005);
        assertThat(wallet.call(
                                "l2Net_signMessage",
                                Map.of(
                                        "typedDataMessage",
                                        MESSAGE.replace("hello", "other"),
                                        "signerAddress",
                                        wallet.address(0)))
                        .isString())
                .isTrue();
    }
}
