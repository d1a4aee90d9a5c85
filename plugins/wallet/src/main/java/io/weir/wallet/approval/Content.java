package io.weir.wallet.approval;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.name.Fingerprint;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a request asks for: the facts that a policy decides by and that a person sees. Holds no secret. Immutable. */
public sealed interface Content {
    /** The function by which a deployment is named. */
    String CONSTRUCTOR = "constructor";

    /** A message to sign; its calls are those that others may make with the signature, as far as they are known. */
    record Message(Origin origin, Felt account, JsonNode typedData, List<RequestedCall> calls) implements Content {
        public Message {
            calls = List.copyOf(calls);
        }
    }

    /** Calls of the account, in order; its own deployment may be the first. */
    record Transaction(Origin origin, Felt account, List<RequestedCall> calls, BigInteger maxFeeFri)
            implements Content {
        public Transaction {
            calls = List.copyOf(calls);
        }
    }

    /** The deployment of the account: a call of {@link #CONSTRUCTOR} at its own address. */
    record Deployment(Origin origin, Felt account, List<RequestedCall> calls, BigInteger maxFeeFri) implements Content {
        public Deployment {
            calls = List.copyOf(calls);
        }
    }

    /** The private key of the account, to be shown to the person who approves. */
    record Key(Origin origin, Felt account) implements Content {
        @Override
        public List<RequestedCall> calls() {
            return List.of();
        }
    }

    /** A deployment, or a transaction with other calls. */
    static Content ofCalls(Origin origin, Felt account, List<RequestedCall> calls, BigInteger maxFeeFri) {
        return !calls.isEmpty() && calls.stream().allMatch(call -> call.deploys(account))
                ? new Deployment(origin, account, calls, maxFeeFri)
                : new Transaction(origin, account, calls, maxFeeFri);
    }

    Origin origin();

    /** Returns the account that signs, or whose key is shown. */
    Felt account();

    List<RequestedCall> calls();

    /** Returns the message to sign, or null. */
    default @Nullable JsonNode typedData() {
        return this instanceof Message message ? message.typedData() : null;
    }

    /** Returns the most that all of it may cost, in the fee token's smallest unit; null where it costs nothing. */
    default @Nullable BigInteger maxFeeFri() {
        return null;
    }

    /** Returns the name of the caller's API key. */
    default String tenant() {
        return origin().tenant();
    }

    /** Returns the method without its prefix, such as {@code sendTransaction}. */
    default String method() {
        return origin().method();
    }

    /** Returns the name of the network in the configuration. */
    default String network() {
        return origin().network().name();
    }

    /** Returns the id of the chain as text where it is text, such as {@code SN_SEPOLIA}. */
    default String chainId() {
        return origin().network().chainIdText();
    }

    /** Returns its kind in one word. */
    default String kind() {
        return this instanceof Message
                ? "message"
                : this instanceof Key ? "key" : this instanceof Deployment ? "deployment" : "transaction";
    }

    /**
     * Returns a hash by which equal requests are found. What it may cost is left out, and the deployment of the account, which only the first
     * one of several equal transfers has.
     */
    default String hash() {
        StringBuilder parts = new StringBuilder();
        Stream<Object> named =
                Stream.of(tenant(), method(), network(), chainId(), account().toHex(), String.valueOf(typedData()));
        Stream<Object> others = calls().stream()
                .filter(call -> !call.deploys(account()))
                .flatMap(call -> Stream.of(call.contract(), call.function(), call.calldata()));
        Stream.concat(named, others)
                .map(String::valueOf)
                .forEach(part -> parts.append(part.length()).append(':').append(part));
        return Fingerprint.hex(parts.toString());
    }

    /** Returns how much a person would have to read: too much is refused, never cut. The calls of a message stand in the message. */
    default long shownCharacters() {
        return this instanceof Message message
                ? message.typedData().toString().length()
                : calls().stream().mapToLong(RequestedCall::characters).sum();
    }

    /**
     * The call that a request came with. Immutable.
     *
     * @param tenant the name of the caller's API key
     * @param method without the prefix
     */
    record Origin(String tenant, String method, L2Network network) {}

    /**
     * One call of a contract. Immutable.
     *
     * @param calldata the data as the contract gets it
     * @param arguments the same, decoded for a person; where the types are unknown, one for each element
     * @param isMissing whether the contract's class is known and has no such function
     */
    record RequestedCall(
            Felt contract, String function, List<Felt> calldata, List<Argument> arguments, boolean isMissing) {

        private static final int FELT_CHARACTERS = 66;

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
    record Argument(String name, String type, String value) {

        private long characters() {
            return (long) name.length() + type.length() + value.length();
        }
    }
}
