package io.weir.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of the methods that a plugin's kind of network brings. */
class KindMethodsTest {

    @TempDir
    Path temporary;

    private HostFixture fixture;

    @BeforeEach
    void open() {
        fixture = new HostFixture(temporary);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void methodsOfAKindThatTheProxyKnowsItselfOrThatComeTwiceAreRejected() {
        PluginSources.withEntryClass("crowded", """
                @Override
                public List<NetworkKind> networkKinds() {
                    return List.of(new NetworkKind() {
                        @Override public String name() { return "crowd"; }
                        @Override public String normaliseChainId(String chainId) { return chainId; }
                        @Override public ProbeCall chainIdCall() { return ProbeCall.of("a"); }
                        @Override public ProbeCall headCall() { return ProbeCall.of("b"); }
                        @Override public ProbeCall syncingCall() { return ProbeCall.of("c"); }
                        @Override public String readChainId(JsonNode result) { return ""; }
                        @Override public long readHead(JsonNode result) { return 0; }
                        @Override public boolean readSyncing(JsonNode result) { return false; }
                        @Override public List<NetworkMethod> methods() {
                            return List.of(
                                    NetworkMethod.read("crowd_get"),
                                    NetworkMethod.write("crowd_get"),
                                    NetworkMethod.read("eth_call"),
                                    NetworkMethod.read("crowd_at").takes(NetworkMethod.Parameter.block("block")));
                        }
                    });
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly(
                        "plugin crowded: method of network kind crowd: crowd_get (expected: a name of its own)",
                        "plugin crowded: method of network kind crowd: eth_call"
                                + " (expected: one that the proxy does not know itself)",
                        "plugin crowded: method of network kind crowd: crowd_at"
                                + " (expected: no block, as long as the kind has no block form)");
    }

    @Test
    void subscriptionsWithoutABlockFormOrWithNamesOfOtherMethodsAreRejected() {
        PluginSources.withEntryClass("telling", """
                @Override
                public List<NetworkKind> networkKinds() {
                    return List.of(new NetworkKind() {
                        @Override public String name() { return "tell"; }
                        @Override public String normaliseChainId(String chainId) { return chainId; }
                        @Override public ProbeCall chainIdCall() { return ProbeCall.of("a"); }
                        @Override public ProbeCall headCall() { return ProbeCall.of("b"); }
                        @Override public ProbeCall syncingCall() { return ProbeCall.of("c"); }
                        @Override public String readChainId(JsonNode result) { return ""; }
                        @Override public long readHead(JsonNode result) { return 0; }
                        @Override public boolean readSyncing(JsonNode result) { return false; }
                        @Override public SubscriptionForm subscriptionForm() {
                            SubscriptionForm.Refusal refusal = new SubscriptionForm.Refusal(1, "no");
                            return new SubscriptionForm(
                                    "id",
                                    "tell_end",
                                    refusal,
                                    new SubscriptionForm.Heads(
                                            new SubscriptionForm.Topic("eth_subscribe", "told"),
                                            new SubscriptionForm.Start("from", 9, refusal, refusal),
                                            List.of("h")),
                                    null,
                                    null,
                                    List.of(new SubscriptionForm.Passed(
                                            new SubscriptionForm.Topic("tell_end", "told"), null)),
                                    new SubscriptionForm.Reorganisation(
                                            "replaced",
                                            new SubscriptionForm.Reorganisation.Place("a", "b"),
                                            new SubscriptionForm.Reorganisation.Place("c", "d")));
                        }
                    });
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly(
                        "plugin telling: subscriptions of network kind tell: tell_end"
                                + " (expected: none, as long as the kind has no block form)",
                        "plugin telling: subscriptions of network kind tell: eth_subscribe"
                                + " (expected: a name that no other method has)",
                        "plugin telling: subscriptions of network kind tell: tell_end"
                                + " (expected: a name that no other method has)");
    }

    @Test
    void anEvmKindMayAddKindsOfSubscriptionsButEachOnce() {
        PluginSources.withEntryClass("sealing", """
                @Override
                public List<NetworkKind> networkKinds() {
                    SubscriptionForm.Passed seals =
                            new SubscriptionForm.Passed(SubscriptionForm.ofEthereum("seals"), "hash");
                    return List.of(new EthereumKind() {
                        @Override public String name() { return "sealed"; }
                        @Override public SubscriptionForm subscriptionForm() {
                            return SubscriptionForm.ETHEREUM.withPassed(seals);
                        }
                    }, new EthereumKind() {
                        @Override public String name() { return "twice"; }
                        @Override public SubscriptionForm subscriptionForm() {
                            return SubscriptionForm.ETHEREUM.withPassed(seals, seals);
                        }
                    });
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin sealing: subscriptions of network kind twice: eth_subscribe seals"
                        + " (expected: a name that no other method has)");
    }
}
