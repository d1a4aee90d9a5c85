package io.weir.pipeline.plan;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.NetworkForm;
import io.weir.ethereum.transaction.Transaction;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.ContractScope;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.NamedContracts;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.pipeline.FirstParam;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rule on the contracts that a method's calls may reach, for keys that are bound to some. A call whose parameters do not show what it
 * reaches is refused. Immutable.
 *
 * @param params the parameters that name the contracts: the method's own, or a filter of logs; null if there are none
 */
record ContractRule(ContractScope scope, @Nullable MethodParams params) {

    /** The rule for methods that may reach any contract. */
    static final ContractRule ANY = new ContractRule(ContractScope.ANY, null);

    private static final String NEW_HEADS = "newHeads";
    private static final String LOGS = "logs";

    /** Returns the refusal of a call; null if it reaches none but these contracts of its key. */
    RpcReply.@Nullable Failure refusal(RpcCall call, Set<RawJson> contracts) {
        boolean subscribes = scope == ContractScope.SUBSCRIPTION;
        if (scope == ContractScope.NONE || (subscribes && isOfKind(call, NEW_HEADS))) {
            return null;
        }
        if (scope == ContractScope.ANY || params == null || (subscribes && !isOfKind(call, LOGS))) {
            return forbidden("this api key is bound to contracts and may not use the method " + call.method());
        }
        try {
            // A call that names none may reach any.
            List<RawJson> named = named(params.check(subscribes ? filter(call) : call.params()));
            return !named.isEmpty() && contracts.containsAll(named)
                    ? null
                    : forbidden("this api key may reach its own contracts only (expected: " + expected()
                            + " among the key's contracts)");
        } catch (InvalidParamsException e) {
            return RpcReply.failure(ErrorCode.INVALID_PARAMS.error(e.getMessage()));
        }
    }

    private List<RawJson> named(CheckedParams checked) throws InvalidParamsException {
        return switch (scope) {
            case ADDRESS -> NamedContracts.ofAddress(checked);
            case CALL -> NamedContracts.ofCall(checked);
            case LOGS, SUBSCRIPTION -> NamedContracts.ofLogs(checked);
            case SIGNED -> ofSigned(checked);
            case ANY, NONE -> List.of();
        };
    }

    private String expected() {
        return switch (scope) {
            case CALL -> "a call without overrides and authorizations, whose to is";
            case LOGS, SUBSCRIPTION -> "a filter whose addresses are";
            case SIGNED -> "a transaction without authorizations, whose to is";
            default -> "an address";
        };
    }

    /** Returns the account that a signed transaction is sent to; none if it cannot be read, creates a contract or delegates accounts. */
    private static List<RawJson> ofSigned(CheckedParams checked) {
        FirstParam data = FirstParam.of(checked.json());
        String text = data == null ? null : data.string();
        try {
            Transaction transaction = Transaction.decode(NetworkForm.withoutBlobs(Hex.decode(String.valueOf(text))));
            Address to = transaction.to();
            return to == null || !transaction.authorizationList().isEmpty()
                    ? List.of()
                    : List.of(RawJson.of('"' + to.hex() + '"'));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static boolean isOfKind(RpcCall call, String kind) {
        FirstParam first = FirstParam.of(call.params());
        return first != null && kind.equals(first.string());
    }

    /** Returns the parameters behind the kind of a subscription. */
    private static RawJson filter(RpcCall call) throws InvalidParamsException {
        RawJson all = Objects.requireNonNull(call.params());
        List<RawJson> given = JsonArray.elements(all, Integer.MAX_VALUE);
        return JsonArray.of(given.subList(1, given.size()), RawJson.EMPTY_ARRAY, true);
    }

    private static RpcReply.Failure forbidden(String message) {
        return new RpcReply.Failure(ErrorCode.FORBIDDEN.error(message), FailureKind.FORBIDDEN, 0);
    }
}
