package io.weir.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that plugins have in this process. */
class PluginNodeTest {

    @TempDir
    Path temporary;

    private HostFixture fixture;
    private PluginHost host;
    private NodeClient node;

    @BeforeEach
    void open() throws Exception {
        fixture = new HostFixture(temporary);
        PluginSources.withEntryClass("nodes", """
            @Override
            public List<UpstreamProvider> upstreamProviders() {
                return List.of(new UpstreamProvider() {
                    @Override
                    public String scheme() {
                        return "inner";
                    }

                    @Override
                    public LocalNode open(String address) {
                        if (!address.equals("here")) {
                            throw new IllegalArgumentException("address: " + address + " (expected: here)");
                        }
                        return new Node();
                    }
                });
            }

            static class Node implements LocalNode {
                @Override
                public CompletionStage<JsonNode> call(String method, JsonNode params) {
                    return switch (method) {
                        case "echo" -> CompletableFuture.completedFuture(params);
                        case "error" -> throw new RpcException(-32000, "insufficient funds");
                        case "throw" -> throw new IllegalStateException("http://user:secret@node");
                        case "null" -> null;
                        case "hang" -> new CompletableFuture<>();
                        default -> throw new RpcException(RpcException.METHOD_NOT_FOUND, "no " + method);
                    };
                }

                @Override
                public void close() {
                    try {
                        java.nio.file.Files.createFile(java.nio.file.Path.of("%s"));
                    } catch (java.io.IOException e) {
                        throw new IllegalStateException("closed twice", e);
                    }
                }
            }
            """.formatted(temporary.resolve("closed")))
                .jar(fixture.folder);
        host = fixture.open();
        node = host.catalogue().openNode("inner", "here");
    }

    @AfterEach
    void close() {
        node.close();
        host.close();
        fixture.close();
        // The plugin says so on a thread of its own, into the folder that is about to be deleted.
        await().until(() -> Files.exists(temporary.resolve("closed")));
    }

    @Test
    void resultsAndErrorsAreAnswers() throws Exception {
        assertThat(host.catalogue().schemes()).containsExactly("inner");
        assertThat(ask("echo", 60_000))
                .hasToString("Answered[reply=Result[value=[1]], status=200, verdict=null, retryAfterSeconds=0]");
        assertThat(ask("error", 60_000))
                .hasToString(
                        "Answered[reply=Failure[error=RpcError[code=-32000, message=insufficient funds, data=null],"
                                + " kind=ANSWER, retryAfterSeconds=0], status=200, verdict=null, retryAfterSeconds=0]");
    }

    @Test
    void anyOtherFailureIsTheNodesAndShowsNoSecret() throws Exception {
        assertThat(ask("throw", 60_000))
                .isEqualTo(new NodeOutcome.Failed(Fault.SERVER_ERROR, Executed.MAYBE, "IllegalStateException", 0));
        assertThat(ask("null", 60_000).toString()).contains("SERVER_ERROR");
    }

    @Test
    void aNodeThatDoesNotAnswerIsGivenUpAtTheDeadline() throws Exception {
        assertThat(ask("hang", 1_000).toString()).contains("fault=TIMEOUT, executed=MAYBE");
    }

    @Test
    void closingTheClientEndsWhatIsInFlight() throws Exception {
        CompletableFuture<NodeOutcome> asked = begin("hang", 60_000);
        fixture.loop.submit(() -> {}).get(60, SECONDS);
        node.close();
        assertThat(asked.get(60, SECONDS).toString()).contains("fault=CLOSED, executed=MAYBE");
        assertThat(ask("echo", 60_000).toString()).contains("fault=CLOSED, executed=NO");
    }

    @Test
    void theHostClosesANodeThatNobodyClosed() {
        host.close();
        assertThat(temporary.resolve("closed")).exists();
    }

    @Test
    void anAddressThatNamesNothingIsSaidInThePluginsWords() {
        assertThatThrownBy(() -> host.catalogue().openNode("inner", "there"))
                .hasMessage("plugin nodes: open inner:there: address: there (expected: here)");
        assertThatThrownBy(() -> host.catalogue().openNode("outer", "here"))
                .hasMessage("url: outer: (expected: http, https or a scheme that a plugin has: inner)");
    }

    private NodeOutcome ask(String method, long millis) throws Exception {
        return begin(method, millis).get(60, SECONDS);
    }

    private CompletableFuture<NodeOutcome> begin(String method, long millis) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of("[1]"));
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        fixture.loop.execute(() -> node.ask(fixture.loop, call, deadline, Attempt.of(ended -> {
            if (!fixture.loop.inEventLoop() || !outcome.complete(ended)) {
                throw new AssertionError("a second outcome, or one on another thread: " + ended);
            }
        })));
        return outcome;
    }
}
