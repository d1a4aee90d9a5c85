package io.weir.wallet;

import io.weir.l2.Felt;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import tools.jackson.databind.JsonNode;

/** The subjects of a model's transactions: the payment of an amount, or the deployment of an account. Thread-safe. */
final class Subjects {
    /** A transaction that cancels another one pays nothing. */
    static final String CANCEL = payment(0);

    /** The amount behind the number of calls, the contract, the selector, the length and the recipient. */
    private static final int AMOUNT = 5;

    private Subjects() {}

    static String payment(long marker) {
        return "payment " + marker;
    }

    static String deployment(String account) {
        return "deployment " + Felt.parseHex(account).toHex();
    }

    static String of(RequestedCall call) {
        return call.function().equals(Content.CONSTRUCTOR)
                ? deployment(call.contract().toHex())
                : payment(call.calldata().get(1).toBigInteger().longValueExact());
    }

    static String of(StoredTransaction transaction) {
        NamedCall call = transaction.calls().get(0);
        return call.function().equals(Content.CONSTRUCTOR)
                ? deployment(call.contract().toHex())
                : payment(call.calldata().get(1).toBigInteger().longValueExact());
    }

    /** Of a signed transaction as JSON. */
    static String of(JsonNode body, Felt sender) {
        return isDeployment(body) ? deployment(sender.toHex()) : payment(amount(body));
    }

    static boolean isDeployment(JsonNode body) {
        return body.path("type").stringValue().equals("DEPLOY_ACCOUNT");
    }

    /** The amount of each of its calls. */
    static long amount(JsonNode body) {
        return felt(body, AMOUNT);
    }

    static long calls(JsonNode body) {
        return felt(body, 0);
    }

    private static long felt(JsonNode body, int index) {
        return Felt.parseHex(body.path("calldata").path(index).stringValue())
                .toBigInteger()
                .longValueExact();
    }
}
