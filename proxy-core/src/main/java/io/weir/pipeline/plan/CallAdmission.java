package io.weir.pipeline.plan;

import io.weir.access.ContractBound;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.MethodPattern;
import io.weir.method.MethodPolicy;
import io.weir.pipeline.CallContext;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rule on which calls of a method a network answers. Immutable. */
final class CallAdmission {

    /** Admission of a method that the network denies: refuses every call. */
    static final CallAdmission DENIED = new CallAdmission(List.of("Deny"), true, null, ContractRule.ANY);

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    private final List<String> steps;
    private final boolean denied;
    private final @Nullable MethodPolicy policy;

    private final ContractRule contracts;

    private CallAdmission(List<String> steps, boolean denied, @Nullable MethodPolicy policy, ContractRule contracts) {
        this.contracts = contracts;
        this.steps = steps;
        this.denied = denied;
        this.policy = policy;
    }

    /** Returns the admission of a method that the catalogue or a plugin knows: the caller's key decides. */
    static CallAdmission known(ContractRule contracts) {
        return new CallAdmission(List.of("Admit"), false, null, contracts);
    }

    /** Returns the admission of methods outside the catalogue: the network's policy decides by name, then the caller's key. */
    static CallAdmission unknown(MethodPolicy policy) {
        return new CallAdmission(List.of("Policy", "Admit"), false, policy, ContractRule.ANY);
    }

    /** Returns a failure that says, in geth's words, that the method does not exist. Replaces control characters of its name. */
    static RpcReply.Failure doesNotExist(String method) {
        String shown = UNPRINTABLE.matcher(method).replaceAll("\ufffd");
        return RpcReply.failure(
                ErrorCode.METHOD_NOT_FOUND.error("the method " + shown + " does not exist/is not available"));
    }

    /** Returns the names of its steps, for the list of stages. */
    List<String> steps() {
        return steps;
    }

    /** Returns whether it refuses every call, so that no stage behind it runs. */
    boolean isDenial() {
        return denied;
    }

    /** Returns the refusal of a client's call, or null if the call is admitted. */
    RpcReply.@Nullable Failure refusal(CallContext context) {
        RpcReply.Failure notServed = refusalForAll(context);
        String method = context.call().method();
        if (notServed != null) {
            return notServed;
        }
        if (context.caller().mayCall(method)) {
            ContractBound bound = context.caller().bounds().contracts();
            return bound == null ? null : contracts.refusal(context.call(), bound);
        }
        if (policy != null && MethodPattern.isOfWallet(method)) {
            // Clients ask for wallet methods to find out what there is, and fall back on -32601 alone.
            return doesNotExist(method);
        }
        RpcError error = ErrorCode.FORBIDDEN.error("this api key may not use the method " + method);
        return new RpcReply.Failure(error, FailureKind.FORBIDDEN, 0);
    }

    /** Returns the refusal of a call that nobody may make, not even the proxy; null if somebody may. */
    RpcReply.@Nullable Failure refusalForAll(CallContext context) {
        String method = context.call().method();
        return denied || (policy != null && !policy.serves(method, false)) ? doesNotExist(method) : null;
    }
}
