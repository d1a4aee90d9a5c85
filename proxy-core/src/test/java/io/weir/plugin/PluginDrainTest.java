package io.weir.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.Stage;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The notification of plugins about the shutdown. */
class PluginDrainTest {

    /** A method whose calls wait until the drain. */
    private static final String WAITING = """
            private final CompletableFuture<JsonNode> end = new CompletableFuture<>();

            @Override
            public List<MethodHandler> methodHandlers() {
                return List.of(MethodHandler.of("%s_wait", call -> end));
            }

            @Override
            public void drain() {
                %s
                end.complete(JSON.stringNode("drained"));
            }
            """;

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

    private static FakeInternalCalls networks() {
        return new FakeInternalCalls(call -> RpcReply.unavailable("none"));
    }

    @Test
    void callsThatWaitAreEndedByTheDrain() throws Exception {
        PluginSources.withEntryClass("one", WAITING.formatted("one", "")).jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            host.start(networks());
            CompletableFuture<RpcReply> waiting = fixture.call(host, "one_wait", "[]");
            host.drain();
            assertThat(waiting.get(60, SECONDS)).isEqualTo(drained());
        }
    }

    private static RpcReply drained() {
        return new RpcReply.Result(RawJson.of("\"drained\""));
    }

    @Test
    void aPluginThatThrowsOrHangsThereKeepsNobodyElseFromIt() throws Exception {
        PluginSources.withEntryClass(
                        "a-throwing", WAITING.formatted("throwing", "if (true) throw new AssertionError();"))
                .jar(fixture.folder);
        PluginSources.withEntryClass(
                        "b-hanging",
                        WAITING.formatted(
                                "hanging", "new CompletableFuture<>().orTimeout(20, TimeUnit.SECONDS).join();"))
                .jar(fixture.folder);
        PluginSources.withEntryClass("c-good", WAITING.formatted("good", "")).jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            host.start(networks());
            Stage good = host.catalogue().stages("ethereum").get("good_wait");
            CompletableFuture<RpcReply> waiting = fixture.call(good, "good_wait", "[]", 60_000);
            host.drain();
            assertThat(waiting.get(60, SECONDS)).isEqualTo(drained());
        }
    }

    @Test
    void aPluginThatWasNotStartedHearsNothing() throws Exception {
        PluginSources.withEntryClass("one", WAITING.formatted("one", "")).jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            Stage wait = host.catalogue().stages("ethereum").get("one_wait");
            CompletableFuture<RpcReply> waiting = fixture.call(wait, "one_wait", "[]", 1_000);
            host.drain();
            assertThat(String.valueOf(waiting.get(60, SECONDS))).contains("no answer in time");
        }
    }
}
