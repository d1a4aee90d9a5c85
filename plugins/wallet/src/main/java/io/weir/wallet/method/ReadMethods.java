package io.weir.wallet.method;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.Uint256;
import io.weir.l2.transaction.ContractCall;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.snap.SnapCall;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code getValue} and {@code getErc20TokenBalance}. Thread-safe; blocks. */
record ReadMethods(L2Client client) {
    CompletionStage<JsonNode> getValue(SnapCall call) {
        ContractCall target = ContractCall.of(
                call.arguments().address("contractAddress"),
                call.arguments().function("contractFuncName"),
                call.arguments().felts("contractCallData"));
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.set("result", FeltJson.hexes(client.call(call.network(), target)));
        return TransactionJson.answer(answer);
    }

    CompletionStage<JsonNode> getErc20TokenBalance(SnapCall call) {
        Felt token = call.arguments().address("tokenAddress");
        Felt owner = call.arguments().address("userAddress");
        BigInteger balance = Uint256.of(balanceWords(call.network(), token, owner))
                .orElseThrow(() ->
                        SnapErrors.failed("the token's balance cannot be read (expected: two words of 128 bits)"));
        return TransactionJson.answer(JsonNodeFactory.instance.stringNode("0x" + balance.toString(16)));
    }

    /** Tokens name it one way or the other; the usual ones know both. */
    private List<Felt> balanceWords(L2Network network, Felt token, Felt owner) {
        try {
            return client.call(network, ContractCall.of(token, "balanceOf", List.of(owner)));
        } catch (RpcException e) {
            if (e.code() != NodeError.ENTRYPOINT_NOT_FOUND && e.code() != NodeError.CONTRACT_ERROR) {
                throw e;
            }
            return client.call(network, ContractCall.of(token, "balance_of", List.of(owner)));
        }
    }
}
