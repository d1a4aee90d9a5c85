package io.weir.l2.deploy;

import io.weir.api.MethodCall;
import io.weir.api.MethodHandler;
import io.weir.api.RpcException;
import io.weir.l2.deploy.intake.Deployment;
import io.weir.l2.deploy.intake.DeploymentReader;
import io.weir.l2.deploy.sending.DeploymentSender;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Answers {@code <prefix>_addDeployAccountTransaction} on layer-2 networks. Thread-safe. */
final class DeployHandler implements MethodHandler {
    private static final int UNSUPPORTED_VERSION = 61;

    private final Set<String> methods;
    private final DeploymentReader reader;
    private final DeploymentSender sender;

    DeployHandler(Set<String> methods, DeploymentReader reader, DeploymentSender sender) {
        this.methods = Set.copyOf(methods);
        this.reader = reader;
        this.sender = sender;
    }

    @Override
    public Set<String> methods() {
        return methods;
    }

    @Override
    public Set<String> networkKinds() {
        return Set.of(LayerTwoKind.NAME);
    }

    @Override
    public CompletionStage<JsonNode> handle(MethodCall call) {
        Deployment deployment = reader.read(call.params());
        if (deployment.query()) {
            throw new RpcException(
                    UNSUPPORTED_VERSION,
                    "the transaction version is not supported",
                    JsonNodeFactory.instance.stringNode(
                            "a transaction with the query bit may be estimated, but not sent (expected: version 0x3)"));
        }
        call.charge(deployment.moreUnits());
        return sender.send(call.network(), deployment, call.executor());
    }
}
