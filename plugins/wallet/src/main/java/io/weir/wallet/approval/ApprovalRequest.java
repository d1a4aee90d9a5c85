package io.weir.wallet.approval;

import io.weir.l2.Felt;
import io.weir.wallet.name.Fingerprint;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request for approval: the facts that a policy decides by and that a person sees. Holds no secret. Immutable.
 *
 * @param tenant the name of the caller's API key
 * @param method what was asked for, without the prefix, such as {@code sendTransaction}
 * @param network the name of the network in the configuration
 * @param chainId the id of its chain as text where it is text, such as {@code SN_SEPOLIA}
 * @param account the account that signs, or whose key is shown
 * @param calls what the account will call, in order; its own deployment is a call of {@code constructor} at its own address. Of a
 *     message, the calls that others may make with the signature, as far as they are known
 * @param typedData the message to sign, or null
 * @param maxFeeFri the most that all of it may cost, in the fee token's smallest unit, or null where it costs nothing
 */
public record ApprovalRequest(
        String tenant,
        String method,
        String network,
        String chainId,
        Felt account,
        List<RequestedCall> calls,
        @Nullable JsonNode typedData,
        @Nullable BigInteger maxFeeFri) {
    /** The function by which a deployment is named. */
    public static final String CONSTRUCTOR = "constructor";

    /** The kind of a request for a private key. */
    public static final String KEY = "key";

    private static final int FELT_CHARACTERS = 66;

    public ApprovalRequest {
        calls = List.copyOf(calls);
    }

    /** A request about a message. */
    public static ApprovalRequest ofMessage(
            Origin origin, Felt account, JsonNode typedData, List<RequestedCall> calls) {
        return origin.request(account, calls, typedData, null);
    }

    /** A request about a transaction. */
    public static ApprovalRequest ofTransaction(
            Origin origin, Felt account, List<RequestedCall> calls, BigInteger maxFeeFri) {
        return origin.request(account, calls, null, maxFeeFri);
    }

    /** A request about the private key of an account. */
    public static ApprovalRequest ofKey(Origin origin, Felt account) {
        return origin.request(account, List.of(), null, null);
    }

    /** Returns its kind in one word: a message, a key, a deployment or another transaction. */
    public String kind() {
        if (typedData != null) {
            return "message";
        }
        if (calls.isEmpty()) {
            return KEY;
        }
        return calls.stream().allMatch(call -> call.deploys(account)) ? "deployment" : "transaction";
    }

    /**
     * Returns what it is for: equal requests have equal contents. What it may cost is left out, and the deployment of the account, which only
     * the first one of several equal transfers has.
     */
    public ApprovalRequest content() {
        List<RequestedCall> others =
                calls.stream().filter(call -> !call.deploys(account)).toList();
        return new ApprovalRequest(tenant, method, network, chainId, account, others, typedData, null);
    }

    /** Returns a hash of {@link #content}, by which equal requests of other times are found. */
    String contentHash() {
        StringBuilder parts = new StringBuilder();
        Stream<Object> named = Stream.of(tenant, method, network, chainId, account.toHex(), String.valueOf(typedData));
        Stream.concat(
                        named,
                        content().calls().stream()
                                .flatMap(call -> Stream.of(call.contract(), call.function(), call.calldata())))
                .map(String::valueOf)
                .forEach(part -> parts.append(part.length()).append(':').append(part));
        return Fingerprint.hex(parts.toString());
    }

    /** Returns how much a person would have to read: too much is refused, never cut. The calls of a message stand in the message. */
    long shownCharacters() {
        return typedData == null
                ? calls.stream().mapToLong(RequestedCall::characters).sum()
                : typedData.toString().length();
    }

    /** The caller, the method and the network of a request. Immutable. */
    public record Origin(String tenant, String method, String network, String chainId) {
        private ApprovalRequest request(
                Felt account, List<RequestedCall> calls, @Nullable JsonNode typedData, @Nullable BigInteger maxFeeFri) {
            return new ApprovalRequest(tenant, method, network, chainId, account, calls, typedData, maxFeeFri);
        }
    }

    /**
     * One call of a contract. Immutable.
     *
     * @param calldata the data as the contract gets it
     * @param arguments the same, decoded for a person; where the types are unknown, one for each element
     * @param isMissing whether the contract's class is known and has no such function
     */
    public record RequestedCall(
            Felt contract, String function, List<Felt> calldata, List<Argument> arguments, boolean isMissing) {
        public RequestedCall {
            calldata = List.copyOf(calldata);
            arguments = List.copyOf(arguments);
        }

        /** A call of a function that the contract may have. */
        public RequestedCall(Felt contract, String function, List<Felt> calldata, List<Argument> arguments) {
            this(contract, function, calldata, arguments, false);
        }

        private long characters() {
            return FELT_CHARACTERS * (1L + calldata.size())
                    + function.length()
                    + arguments.stream().mapToLong(Argument::characters).sum();
        }

        /** Whether an account calls itself, which can change its owner; its own deployment is no such call. */
        public boolean isOnItself(Felt account) {
            return contract.equals(account) && !function.equals(CONSTRUCTOR);
        }

        /** Whether it is the deployment of the account, with the wallet's own key. */
        public boolean deploys(Felt account) {
            return contract.equals(account) && function.equals(CONSTRUCTOR);
        }
    }

    /** One argument of a call, as text to show; it comes from outside and may hold anything. Immutable. */
    public record Argument(String name, String type, String value) {

        private long characters() {
            return (long) name.length() + type.length() + value.length();
        }
    }
}
