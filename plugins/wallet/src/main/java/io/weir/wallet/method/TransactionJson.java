package io.weir.wallet.method;

import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Transactions as wallets show them. Thread-safe. */
final class TransactionJson {
    private TransactionJson() {}

    /** Returns the answer after a transaction was sent. */
    static ObjectNode sent(Felt hash) {
        return JsonNodeFactory.instance.objectNode().put("transaction_hash", hash.toPaddedHex());
    }

    static CompletionStage<JsonNode> answer(JsonNode node) {
        return CompletableFuture.completedStage(node);
    }

    /** Whether a transaction did what it was for; empty as long as nobody knows. */
    static String execution(String status, String reason) {
        return switch (status) {
            case "ACCEPTED_ON_L2" -> reason.isEmpty() ? "SUCCEEDED" : "REVERTED";
            case "PENDING" -> reason.isEmpty() ? "" : "REVERTED";
            default -> "";
        };
    }

    static ArrayNode list(Collection<StoredTransaction> transactions) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        transactions.forEach(transaction -> list.add(of(transaction)));
        return list;
    }

    private static ObjectNode of(StoredTransaction transaction) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("txnHash", transaction.hash().toPaddedHex());
        json.put(
                "txnType",
                switch (transaction.type()) {
                    case INVOKE -> "invoke";
                    case DEPLOY_ACCOUNT -> "deploy_account";
                });
        json.put("chainId", transaction.chainId().toHex());
        json.put("senderAddress", transaction.sender().toPaddedHex());
        if (transaction.calls().size() == 1) {
            put(json, transaction.calls().get(0));
        } else {
            ArrayNode calls = json.putArray("calls");
            transaction.calls().forEach(call -> put(calls.addObject(), call));
        }
        json.put("status", transaction.state().shown());
        json.put("execution_status", execution(transaction.state().shown(), transaction.failureReason()));
        json.put("failureReason", transaction.failureReason());
        json.putArray("eventIds");
        json.put("timestamp", transaction.created().getEpochSecond());
        return json;
    }

    private static void put(ObjectNode json, NamedCall call) {
        json.put("contractAddress", call.contract().toPaddedHex());
        json.put("contractFuncName", call.function());
        json.set("contractCallData", FeltJson.hexes(call.calldata()));
    }
}
