package io.weir.l2.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.api.ChainClient;
import io.weir.api.MethodHandler;
import io.weir.api.NetworkKind;
import io.weir.api.PluginContext;
import io.weir.api.PluginMeters;
import io.weir.l2.deploy.sending.FakeChain;
import io.weir.l2.deploy.sending.FakeMeters;
import io.weir.testing.SettingsText;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** What the plugin offers, and when it does not start. */
class DeployPluginTest {
    private final FakeChain chain = new FakeChain();
    private final DeployPlugin plugin = new DeployPlugin();

    private void provision(String settings) {
        plugin.provision(new Context(settings, chain, new FakeMeters()));
    }

    @Test
    void itServesItsMethodOnNetworksOfItsKindAlone() {
        provision("aliases = [starknet]");
        assertThat(plugin.validate()).isEmpty();
        assertThat(plugin.networkKinds()).extracting(NetworkKind::name).containsExactly("l2");
        assertThat(plugin.methodHandlers()).hasSize(1);
        MethodHandler handler = plugin.methodHandlers().get(0);
        assertThat(handler.networkKinds()).containsExactly("l2");
        assertThat(handler.methods())
                .containsExactlyInAnyOrder("l2net_addDeployAccountTransaction", "starknet_addDeployAccountTransaction");
    }

    @Test
    void itStartsWithoutAnyNetworkOfItsKind() {
        chain.chains.clear();
        provision("");
        assertThatCode(plugin::start).doesNotThrowAnyException();
    }

    @Test
    void itDoesNotStartWhereTransactionsWouldGoToAnotherChain() {
        chain.chains.put("other", "0x1");
        provision("bare-bounds { sepolia = other, lost = sepolia }");
        assertThatIllegalArgumentException()
                .isThrownBy(plugin::start)
                .withMessageContaining(
                        "plugins.l2-deploy.bare-bounds.sepolia: other (expected: a network of the same chain)")
                .withMessageContaining("plugins.l2-deploy.bare-bounds.lost: sepolia (expected: ");
    }

    @Test
    void itsErrorsUnderTheNodesNameAreTheNetworksOwn() {
        provision("upstream-method = gateway_add");
        assertThat(plugin.networkKinds().get(0).isFinalError("gateway_add", 61)).isTrue();
    }

    private record Context(String text, ChainClient chain, PluginMeters meters) implements PluginContext {
        @Override
        public <R extends Record> R settings(Class<R> type) {
            return SettingsText.read(type, text);
        }

        @Override
        public String pluginId() {
            return "l2-deploy";
        }

        @Override
        public Path dataFolder() {
            throw new UnsupportedOperationException("it keeps nothing");
        }

        @Override
        public Set<String> callerNames() {
            return Set.of();
        }

        @Override
        public Set<String> networkNames(String kind) {
            return Set.of();
        }

        @Override
        public ScheduledExecutorService scheduler() {
            throw new UnsupportedOperationException("it has nothing to do by itself");
        }

        @Override
        public Executor executor() {
            throw new UnsupportedOperationException("it has nothing to do by itself");
        }
    }
}
