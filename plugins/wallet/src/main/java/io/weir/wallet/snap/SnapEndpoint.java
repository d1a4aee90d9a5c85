package io.weir.wallet.snap;

import io.weir.api.Caller;
import io.weir.api.MethodCall;
import io.weir.api.MethodHandler;
import io.weir.api.RpcException;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.chain.SnapErrors;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Serves {@code wallet_invokeSnap}: finds the method and the network that a request means. Thread-safe.
 *
 * @param served the methods by their names without a prefix
 * @param chainCheck looks at the chain before a call is answered from what is stored of it
 */
public record SnapEndpoint(
        Identity identity, L2Networks networks, Map<String, SnapMethod.Named> served, Consumer<L2Network> chainCheck)
        implements MethodHandler {
    private static final String NAME = "wallet_invokeSnap";
    private static final String CHAIN_ID = "chainId";

    public SnapEndpoint {
        served = Map.copyOf(served);
    }

    /**
     * The names and accounts that it serves. Immutable.
     *
     * @param snapId the extension's id
     * @param prefix what the names of its methods begin with
     * @param defaultChainId the network where a call names none
     */
    public record Identity(String snapId, MethodPrefix prefix, String defaultChainId) {}

    @Override
    public Set<String> methods() {
        return Set.of(NAME);
    }

    @Override
    public CompletionStage<JsonNode> handle(MethodCall call) {
        SnapRequest request = SnapRequest.read(call.params(), identity.snapId());
        String name = identity.prefix().strip(request.method()).orElse("");
        if (!served.containsKey(name)) {
            throw new RpcException(
                    RpcException.METHOD_NOT_FOUND,
                    "The method \"" + SnapRequest.shown(request.method()) + "\" does not exist / is not available.");
        }
        return call(name, request.params(), call);
    }

    /** Returns the network of calls that name none. */
    public L2Network defaultNetwork(Caller caller) {
        return networks.find(identity.defaultChainId(), CHAIN_ID, caller);
    }

    /**
     * Calls one of the methods.
     *
     * @param name without a prefix
     * @param params by their names
     */
    public CompletionStage<JsonNode> call(String name, JsonNode params, MethodCall call) {
        SnapMethod.Named method = Objects.requireNonNull(served.get(name));
        Arguments arguments = new Arguments(params);
        arguments.checkNames(method.parameters());
        String chainId = arguments.optionalName(CHAIN_ID).orElse(identity.defaultChainId());
        L2Network network = networks.find(chainId, Arguments.path(CHAIN_ID), call.caller());
        if (method.ofChain()) {
            chainCheck.accept(network);
        }
        return method.method().answer(new SnapCall(name, arguments, network, call));
    }

    /** The request inside of {@code wallet_invokeSnap}. Immutable. */
    private record SnapRequest(String method, JsonNode params) {
        private static final int MAX_SHOWN = 100;

        /**
         * Takes it out of the envelope, in wallets' own words for what is wrong.
         *
         * @throws RpcException when the envelope is none, or is for another extension
         */
        static SnapRequest read(JsonNode params, String snapId) {
            JsonNode envelope = params.isArray() && params.size() == 1 ? params.path(0) : params;
            if (!envelope.isObject()) {
                throw SnapErrors.invalidParams("Expected params to be a single object.");
            }
            JsonNode id = envelope.path("snapId");
            if (!id.isString() || id.stringValue().isEmpty()) {
                throw SnapErrors.invalidParams("Must specify a valid snap ID.");
            }
            JsonNode request = envelope.path("request");
            if (!request.isObject()) {
                throw SnapErrors.invalidParams("Expected request to be a single object.");
            }
            if (!id.stringValue().equals(snapId)) {
                throw new RpcException(
                        SnapErrors.INVALID_REQUEST,
                        "The snap \"" + shown(id.stringValue())
                                + "\" is not installed. Please install it first, before invoking the snap.");
            }
            JsonNode method = request.path("method");
            if (!method.isString()) {
                throw SnapErrors.invalidParams("request.method: expected a text");
            }
            return new SnapRequest(method.stringValue(), innerParams(request.path("params")));
        }

        private static JsonNode innerParams(JsonNode params) {
            JsonNode inner = params.isArray() && params.size() == 1 ? params.path(0) : params;
            boolean none = inner.isMissingNode() || inner.isNull() || (inner.isArray() && inner.isEmpty());
            if (!none && !inner.isObject()) {
                throw SnapErrors.invalidParams("request.params: expected an object");
            }
            return none ? JsonNodeFactory.instance.objectNode() : inner;
        }

        static String shown(String text) {
            return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
        }
    }
}
