package io.weir.wallet.snap;

import io.weir.api.MethodCall;
import io.weir.api.MethodHandler;
import io.weir.api.RpcException;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Serves {@code wallet_invokeSnap}: finds the method and the network that a request means. Thread-safe. */
public final class SnapEndpoint implements MethodHandler {
    private static final String NAME = "wallet_invokeSnap";
    private static final String CHAIN_ID = "chainId";

    private final Identity identity;
    private final L2Networks networks;
    private final Map<String, SnapMethod.Named> methods;
    private final Consumer<L2Network> chainCheck;

    /**
     * The names and accounts that it serves. Immutable.
     *
     * @param snapId the extension's id
     * @param prefix what the names of its methods begin with
     * @param defaultChainId the network where a call names none
     */
    public record Identity(String snapId, MethodPrefix prefix, String defaultChainId) {}

    /**
     * Serves methods.
     *
     * @param methods by their names without a prefix
     * @param chainCheck looks at the chain before a call is answered from what is stored of it
     */
    public SnapEndpoint(
            Identity identity,
            L2Networks networks,
            Map<String, SnapMethod.Named> methods,
            Consumer<L2Network> chainCheck) {
        this.chainCheck = chainCheck;
        this.identity = identity;
        this.networks = networks;
        this.methods = Map.copyOf(methods);
    }

    @Override
    public Set<String> methods() {
        return Set.of(NAME);
    }

    @Override
    public CompletionStage<JsonNode> handle(MethodCall call) {
        SnapRequest request = SnapRequest.read(call.params(), identity.snapId());
        String name = identity.prefix().strip(request.method()).orElse("");
        SnapMethod.Named method = methods.get(name);
        if (method == null) {
            throw new RpcException(
                    RpcException.METHOD_NOT_FOUND,
                    "The method \"" + SnapRequest.shown(request.method()) + "\" does not exist / is not available.");
        }
        Arguments arguments = new Arguments(request.params());
        arguments.checkNames(method.parameters());
        String chainId = arguments.optionalText(CHAIN_ID).orElse(identity.defaultChainId());
        L2Network network = networks.find(chainId, Arguments.path(CHAIN_ID), call.caller());
        if (method.ofChain()) {
            chainCheck.accept(network);
        }
        return method.method().answer(new SnapCall(name, arguments, network, call));
    }
}
