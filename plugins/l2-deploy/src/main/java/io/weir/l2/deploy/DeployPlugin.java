package io.weir.l2.deploy;

import io.weir.api.ChainClient;
import io.weir.api.MethodHandler;
import io.weir.api.NetworkKind;
import io.weir.api.PluginContext;
import io.weir.api.UpstreamProvider;
import io.weir.api.WeirPlugin;
import io.weir.l2.deploy.devnet.DevelopmentNodes;
import io.weir.l2.deploy.intake.DeploymentReader;
import io.weir.l2.deploy.sending.DeploymentSender;
import io.weir.l2.deploy.sending.Destinations;
import io.weir.l2.deploy.sending.RecentDeployments;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.pf4j.Extension;

/**
 * The plugin's entrance: deployments of layer-2 accounts, the network kind {@code l2}, and a development chain of it. Confined to the host's thread, as
 * the API says.
 */
@Extension
public final class DeployPlugin implements WeirPlugin {
    private @Nullable Destinations destinations;
    private List<MethodHandler> handlers = List.of();
    private List<NetworkKind> kinds = List.of();
    private final DevelopmentNodes nodes = new DevelopmentNodes(InstantSource.system());

    @Override
    public void provision(PluginContext context) {
        DeploySettings read = context.settings(DeploySettings.class);
        ChainClient chain = context.chain();
        destinations = new Destinations(chain, read.bareBounds());
        RecentDeployments recent = new RecentDeployments(System::nanoTime);
        DeploymentSender sender =
                new DeploymentSender(chain, destinations, read.upstreamMethod(), recent, context.meters());
        handlers = List.of(new DeployHandler(read.methods(), new DeploymentReader(), sender));
        kinds = List.of(new LayerTwoKind(Set.of(read.upstreamMethod()), read.methods()));
    }

    @Override
    public void start() {
        List<String> problems = destinations == null ? List.of() : destinations.problems();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("plugins.l2-deploy." + String.join("; plugins.l2-deploy.", problems));
        }
    }

    @Override
    public List<MethodHandler> methodHandlers() {
        return handlers;
    }

    @Override
    public List<NetworkKind> networkKinds() {
        return kinds;
    }

    @Override
    public List<UpstreamProvider> upstreamProviders() {
        return List.of(nodes);
    }
}
