package io.weir.app.follower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.traffic.MovingNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Heads that nodes announce over WebSockets, as clients of the proxy see them. */
final class AnnouncedHeadsIT {

    /** So long that no head is right because of time alone. */
    private static final String FOREVER = "head.max-age = 1 h";

    private static ConfigurationText two(MovingNode first, MovingNode second) {
        return ConfigurationText.of("moving", "1")
                .upstream("first", first.url())
                .upstream("second", second.url())
                .networkSetting("upstreams.first.ws-url = \"" + first.socketUrl() + '"')
                .networkSetting("upstreams.second.ws-url = \"" + second.socketUrl() + '"');
    }

    private static long head(JsonRpcClient client) {
        return Long.decode(client.result("eth_blockNumber").asString());
    }

    /** Waits for a condition while calls want the head. */
    private static void awaitWanting(JsonRpcClient client, Callable<Boolean> condition) {
        await().until(() -> {
            head(client);
            return condition.call();
        });
    }

    private static double announced(LocalProxy weir) {
        return weir.admin().metric("weir_head_announced", "network=\"moving\"");
    }

    @Test
    void announcedBlocksAreTheHeadAndASecondNodeStandsBy() throws IOException {
        try (MovingNode first = MovingNode.start(1_000);
                MovingNode second = MovingNode.start(1_000);
                LocalProxy weir = LocalProxy.start(
                        two(first, second).networkSetting(FOREVER).text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitWanting(client, () -> first.subscribers() == 1 && second.subscribers() == 1);
            assertThat(announced(weir)).isZero();
            follow(client, first, second);
            assertThat(announced(weir)).isEqualTo(1);
            second.announceNext();
            await().until(() -> head(client) == second.head());

            first.dropSubscribers();
            follow(client, second, first);
            assertThat(announced(weir)).isEqualTo(1);
            awaitWanting(client, () -> first.subscribers() == 1);
        }
    }

    private static void follow(JsonRpcClient client, MovingNode announcing, MovingNode other) {
        for (int i = 0; i < 10; i++) {
            other.moveTo(announcing.head() + 1);
            announcing.announceNext();
            await().until(() -> head(client) == announcing.head());
        }
    }

    @Test
    void aNodeThatAnnouncesNothingMoreIsReplaced() throws IOException {
        try (MovingNode first = MovingNode.start(1_000);
                MovingNode second = MovingNode.start(1_000);
                LocalProxy weir = LocalProxy.start(two(first, second).text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitWanting(client, () -> first.subscribers() == 1);
            follow(client, first, second);
            first.moveTo(2_000);
            second.moveTo(2_000);
            awaitWanting(client, () -> head(client) == 2_000);
            awaitWanting(client, () -> second.subscribers() == 1);
            follow(client, second, first);
        }
    }

    @Test
    void aNodeThatAnnouncesFalseBlocksIsNamedAndNotFollowed() throws IOException {
        try (MovingNode first = MovingNode.start(1_000);
                MovingNode second = MovingNode.start(1_000);
                LocalProxy weir = LocalProxy.start(
                        two(first, second).networkSetting(FOREVER).text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitWanting(client, () -> first.subscribers() == 1);
            first.announce(1_000_000);
            awaitWanting(client, () -> weir.admin().health("moving", "first").equals("out-of-line"));
            assertThat(weir.admin().detail("moving", "first")).startsWith("names head 1000000");
            assertThat(head(client)).isEqualTo(1_000);
            awaitWanting(client, () -> second.subscribers() == 1);
            follow(client, second, first);
        }
    }

    @Test
    void aNodeWithAWebSocketAloneAnnouncesToo() throws IOException {
        try (MovingNode node = MovingNode.start(1_000);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("moving", "1")
                        .networkSetting("upstreams.only.ws-url = \"" + node.socketUrl() + '"')
                        .networkSetting(FOREVER)
                        .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitWanting(client, () -> node.subscribers() == 1);
            follow(client, node, node);
        }
    }

    @Test
    void blocksOfARealNodeAreTheHeadAsSoonAsItAnnouncesThem() {
        try (AnvilNode anvil = AnvilNode.start();
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("moving", AnvilNode.CHAIN_ID)
                        .upstream("node", anvil.url())
                        .networkSetting(
                                "upstreams.node.ws-url = \"" + anvil.url().replace("http", "ws") + '"')
                        .networkSetting(FOREVER)
                        .networkSetting("health.interval = 1 h")
                        .text())) {
            JsonRpcClient direct = new JsonRpcClient(anvil.url());
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitWanting(client, () -> {
                // Blocks before the subscription are not announced.
                direct.result("evm_mine");
                return announced(weir) == 1;
            });
            String snapshot = direct.result("evm_snapshot").asString();
            long before = head(direct);
            for (int i = 0; i < 10; i++) {
                direct.result("evm_mine");
                await().until(() -> head(client) == head(direct));
            }
            direct.result("evm_revert", snapshot);
            direct.result("evm_mine");
            await("the announced branch is shorter").until(() -> head(client) == before + 1);
        }
    }
}
