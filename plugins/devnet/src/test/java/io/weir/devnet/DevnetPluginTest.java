package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.LocalNode;
import io.weir.api.PluginContext;
import io.weir.api.RpcException;
import io.weir.api.UpstreamProvider;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DevnetPluginTest {
    private final List<Task> tasks = new ArrayList<>();
    private Executor executor = Runnable::run;

    /** A task that a plugin asked to be run again and again. */
    private static final class Task {
        private final Runnable work;
        private final Duration period;
        private boolean cancelled;

        Task(Runnable work, Duration period) {
            this.work = work;
            this.period = period;
        }
    }

    /** A scheduler that keeps what it is given, for the test to run. */
    private ScheduledExecutorService scheduler() {
        return proxy(ScheduledExecutorService.class, (name, arguments) -> {
            assertThat(name).isEqualTo("scheduleAtFixedRate");
            TimeUnit unit = (TimeUnit) arguments[3];
            Task task = new Task((Runnable) arguments[0], Duration.of((long) arguments[2], unit.toChronoUnit()));
            tasks.add(task);
            return proxy(ScheduledFuture.class, (call, none) -> task.cancelled = call.equals("cancel"));
        });
    }

    private PluginContext context(long blockTimeMillis) {
        return proxy(PluginContext.class, (name, none) -> switch (name) {
            case "settings" -> new DevnetPlugin.Settings(blockTimeMillis);
            case "executor" -> executor;
            case "scheduler" -> scheduler();
            default -> throw new AssertionError(name);
        });
    }

    /** What a call of an interface answers. */
    private interface Answer {
        Object to(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    private UpstreamProvider provider(DevnetPlugin plugin, long blockTimeMillis) {
        plugin.provision(context(blockTimeMillis));
        assertThat(plugin.validate()).isEmpty();
        assertThat(plugin.upstreamProviders()).hasSize(1);
        return plugin.upstreamProviders().get(0);
    }

    private static JsonNode ask(LocalNode node, String method, Object... params) {
        return node.call(method, TestNode.params(params)).toCompletableFuture().join();
    }

    @Test
    void theExtensionIndexNamesThePlugin() throws Exception {
        try (InputStream index = DevnetPlugin.class.getResourceAsStream("/META-INF/extensions.idx")) {
            assertThat(index).isNotNull();
            assertThat(new String(index.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .contains("io.weir.devnet.DevnetPlugin");
        }
    }

    @Test
    void nodesStandOnOneChainThatGrowsWhileOneIsOpen() {
        DevnetPlugin plugin = new DevnetPlugin();
        UpstreamProvider provider = provider(plugin, 2_000);
        assertThat(provider.scheme()).isEqualTo("devnet");
        assertThat(tasks).isEmpty();
        LocalNode one = provider.open("default");
        LocalNode other = provider.open("default");
        assertThat(tasks).hasSize(1);
        assertThat(tasks.get(0).period).isEqualTo(Duration.ofSeconds(2));
        tasks.get(0).work.run();
        assertThat(ask(one, "eth_blockNumber").stringValue()).isEqualTo("0x80");
        tasks.get(0).work.run();
        assertThat(ask(one, "eth_blockNumber").stringValue()).isEqualTo("0x81");
        assertThat(ask(other, "eth_blockNumber").stringValue()).isEqualTo("0x81");
        one.close();
        one.close();
        assertThat(tasks.get(0).cancelled).isFalse();
        other.close();
        assertThat(tasks.get(0).cancelled).isTrue();
        LocalNode again = provider.open("default");
        assertThat(ask(again, "eth_blockNumber").stringValue()).isEqualTo("0x81");
        assertThat(tasks).hasSize(2);
        plugin.close();
        assertThat(tasks.get(1).cancelled).isTrue();
    }

    @Test
    void callsWaitForTheChainThatIsMadeInTheBackground() {
        List<Runnable> background = new ArrayList<>();
        executor = background::add;
        LocalNode node = provider(new DevnetPlugin(), 4_000).open("default");
        assertThat(background).isEmpty();
        CompletionStage<JsonNode> number = node.call("eth_blockNumber", TestNode.params());
        tasks.get(0).work.run();
        assertThat(number.toCompletableFuture()).isNotDone();
        assertThat(background).hasSize(1);
        background.get(0).run();
        assertThat(number.toCompletableFuture())
                .isCompletedWithValueMatching(head -> head.stringValue().equals("0x80"));
        tasks.get(0).work.run();
        assertThat(ask(node, "eth_blockNumber").stringValue()).isEqualTo("0x81");
    }

    @Test
    void closingWaitsForTheChainThatIsBeingMade() {
        executor = task -> new Thread(task).start();
        DevnetPlugin plugin = new DevnetPlugin();
        LocalNode node = provider(plugin, 4_000).open("default");
        CompletionStage<JsonNode> chain = node.call("eth_chainId", TestNode.params());
        plugin.close();
        assertThat(chain.toCompletableFuture()).isDone();
    }

    @Test
    void otherAddressesNameNothing() {
        UpstreamProvider provider = provider(new DevnetPlugin(), 4_000);
        assertThatThrownBy(() -> provider.open("other"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("devnet:other (expected: devnet:default)");
        assertThat(tasks).isEmpty();
    }

    @Test
    void errorsAndClosedNodesFailTheStage() {
        LocalNode node = provider(new DevnetPlugin(), 4_000).open("default");
        assertThatThrownBy(() -> ask(node, "eth_nothing"))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RpcException.class);
        node.close();
        assertThatThrownBy(() -> ask(node, "eth_chainId"))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingBeforeProvisioningDoesNothing() {
        DevnetPlugin plugin = new DevnetPlugin();
        plugin.close();
        assertThat(plugin.validate()).isEmpty();
        assertThat(plugin.upstreamProviders()).isEmpty();
        assertThat(tasks).isEmpty();
    }
}
