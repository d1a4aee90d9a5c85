package io.weir.l2.transaction;

import static io.weir.l2.Vectors.felt;
import static io.weir.l2.Vectors.felts;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.Vectors;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.key.AccountKeys;
import io.weir.l2.key.Mnemonic;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What starknet.js sent, made again from the sentence that it was given: keys, layout, hashes and signatures at once. */
class CapturedRequestsTest {
    private static final Felt CHAIN = ShortString.encode("SN_SEPOLIA");

    @Test
    void theDeploymentIsSignedAsByTheClient() {
        JsonNode sent = sent(2, "starknet_addDeployAccountTransaction").path("deploy_account_transaction");
        Felt hash = TransactionHash.ofDeployAccount(
                fields(sent),
                felt(sent.path("class_hash")),
                felt(sent.path("contract_address_salt")),
                felts(sent.path("constructor_calldata")));
        assertThat(sign(hash).toFelts()).isEqualTo(felts(sent.path("signature")));
    }

    @Test
    void theInvocationIsLaidOutAndSignedAsByTheClient() {
        JsonNode sent = sent(3, "starknet_addInvokeTransaction").path("invoke_transaction");
        ContractCall call =
                ContractCall.of(Felt.parseHex("0x123"), "transfer", List.of(Felt.ONE, Felt.of(2), Felt.ZERO));
        List<Felt> calldata = ExecuteCalldata.cairo1(List.of(call));
        assertThat(calldata).isEqualTo(felts(sent.path("calldata")));
        Felt hash = TransactionHash.ofInvoke(fields(sent), felt(sent.path("sender_address")), List.of(), calldata);
        assertThat(sign(hash).toFelts()).isEqualTo(felts(sent.path("signature")));
    }

    @Test
    void callsOfOlderAccountsHaveTheirDataAtTheEnd() {
        ContractCall first = ContractCall.of(Felt.of(10), "a", List.of(Felt.of(1), Felt.of(2)));
        ContractCall second = ContractCall.of(Felt.of(20), "b", List.of(Felt.of(3)));
        assertThat(ExecuteCalldata.cairo0(List.of(first, second)))
                .containsExactly(
                        Felt.of(2),
                        Felt.of(10),
                        first.selector(),
                        Felt.of(0),
                        Felt.of(2),
                        Felt.of(20),
                        second.selector(),
                        Felt.of(2),
                        Felt.of(1),
                        Felt.of(3),
                        Felt.of(1),
                        Felt.of(2),
                        Felt.of(3));
    }

    private static Signature sign(Felt hash) {
        String sentence = Vectors.transcribed("snap_bip44").path("mnemonic").stringValue();
        try (Mnemonic mnemonic = Mnemonic.parse(sentence.toCharArray());
                PrivateKey key = AccountKeys.derive(mnemonic.seed(new char[0]), 0)) {
            return StarkSigner.sign(hash, key);
        }
    }

    private static TransactionFields fields(JsonNode sent) {
        JsonNode bounds = sent.path("resource_bounds");
        ResourceBounds resources = new ResourceBounds(
                TransactionHashTest.named(bounds.path("l1_gas")),
                TransactionHashTest.named(bounds.path("l2_gas")),
                TransactionHashTest.named(bounds.path("l1_data_gas")));
        return TransactionFields.of(CHAIN, felt(sent.path("nonce")), resources);
    }

    private static JsonNode sent(int line, String method) {
        JsonNode request = Vectors.parse(Vectors.text("starknet.js/captured_wire_requests.jsonl")
                .lines()
                .skip(line)
                .findFirst()
                .orElseThrow());
        assertThat(request.path("method").stringValue()).isEqualTo(method);
        return request.path("params");
    }
}
