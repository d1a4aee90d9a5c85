package io.weir.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.plugin.call.FailureLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Calls whose handlers behave, and calls whose handlers do not. */
@Execution(ExecutionMode.CONCURRENT)
class PluginCallTest {

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
    void aHandlerSeesTheCall() throws Exception {
        PluginSources.serving("seer", "test_see", """
                return CompletableFuture.completedFuture(JSON.stringNode(call.method() + " " + call.params() + " "
                        + call.network() + " " + call.caller().name() + " " + call.caller().mayUseNetwork("other") + " "
                        + (call.deadlineNanos() - System.nanoTime() > 0)
                        + " " + Thread.currentThread().getName().startsWith("weir-plugin-")
                        + " " + (Thread.currentThread().getContextClassLoader() == getClass().getClassLoader())));
                """).jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_see", ""))
                    .hasToString("Result[value=\"test_see [] testnet tester false true true true\"]");
        }
    }

    @Test
    void aHandlerLearnsOnAThreadOfItsPluginThatTheCallerLeft() throws Exception {
        PluginSources.serving("watcher", "test_watch", """
                CompletableFuture<JsonNode> answer = new CompletableFuture<>();
                call.onCallerGone(() -> answer.complete(JSON.stringNode("gone "
                        + Thread.currentThread().getName().startsWith("weir-plugin-"))));
                System.setProperty("weir.test.watching", "true");
                return answer;
                """).jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            CompletableFuture<RpcReply> reply = fixture.call(host, "test_watch", "");
            await().until(() -> Boolean.getBoolean("weir.test.watching"));
            assertThat(reply).isNotDone();
            fixture.clientLeaves();
            assertThat(reply.get(30, SECONDS)).hasToString("Result[value=\"gone true\"]");
        } finally {
            System.clearProperty("weir.test.watching");
        }
    }

    @Test
    void numbersGoThroughAPluginAsTheyCame() throws Exception {
        String numbers = "[9007199254740993,18446744073709551616,1.10,1e400,-0.0,123456789012345678901234567890.5]";
        PluginSources.serving("echo", "test_echo", "return CompletableFuture.completedFuture(call.params());")
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_echo", numbers).toString())
                    .contains("9007199254740993,18446744073709551616,1.10,1E+400,")
                    .contains("123456789012345678901234567890.5");
        }
    }

    @Test
    void nullAndErrorsGoOutAsTheyAre() throws Exception {
        PluginSources.handlers(
                        "plain",
                        PluginSources.handler(
                                "test_null", "return CompletableFuture.completedFuture(JSON.nullNode());"),
                        PluginSources.handler(
                                "test_thrown", "throw new RpcException(-40300, \"declined\", JSON.arrayNode());"),
                        PluginSources.handler(
                                "test_failed",
                                "return CompletableFuture.supplyAsync(() -> { throw new RpcException(-1, \"no\"); });"))
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_null", "[]")).hasToString("Result[value=null]");
            assertThat(reply(host, "test_thrown", "[]"))
                    .hasToString("Failure[error=RpcError[code=-40300, message=declined, data=[]],"
                            + " kind=ANSWER, retryAfterSeconds=0]");
            assertThat(reply(host, "test_failed", "[]"))
                    .hasToString("Failure[error=RpcError[code=-1, message=no, data=null],"
                            + " kind=ANSWER, retryAfterSeconds=0]");
            assertThat(count("plain", "result")).isEqualTo(1);
            assertThat(count("plain", "error")).isEqualTo(2);
        }
    }

    @Test
    void parametersWithANameTwiceAreWrong() throws Exception {
        PluginSources.serving("echo", "test_echo", "return CompletableFuture.completedFuture(call.params());")
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_echo", "[{\"a\":1,\"a\":2}]").toString())
                    .contains("code=-32602");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throw new IllegalStateException(\"secret of the plugin\");",
                "throw new StackOverflowError();",
                "throw new OutOfMemoryError(\"secret\");",
                "throw new NoClassDefFoundError(\"io/secret/Missing\");",
                "return null;",
                "return CompletableFuture.completedFuture(null);",
                "return CompletableFuture.completedFuture(JSON.missingNode());",
                "return CompletableFuture.failedFuture(new Error(\"secret\"));",
                "return (CompletionStage<JsonNode>) (CompletionStage<?>) CompletableFuture.completedFuture(\"text\");",
                "var o = JSON.objectNode(); o.set(\"o\", o); return CompletableFuture.completedFuture(o);",
                "return CompletableFuture.completedFuture(JSON.pojoNode(new Object() {"
                        + " public int getX() { throw new IllegalStateException(\"secret\"); } }));",
                "throw new RpcException(-1, \"secret\", JSON.missingNode());",
            })
    void aHandlerThatMisbehavesHarmsItsOwnCall(String body) throws Exception {
        PluginSources.handlers(
                        "unruly",
                        PluginSources.handler("test_bad", body),
                        PluginSources.handler("test_good", "return CompletableFuture.completedFuture(call.params());"))
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_bad", "[]"))
                    .hasToString(
                            "Failure[error=RpcError[code=-32603, message=plugin unruly: internal error, data=null],"
                                    + " kind=ANSWER, retryAfterSeconds=0]");
            assertThat(reply(host, "test_good", "[1]")).hasToString("Result[value=[1]]");
            assertThat(count("unruly", "failure")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return new CompletableFuture<>();",
                "synchronized (call) { try { call.wait(); } catch (InterruptedException e) { } } return null;",
                "CompletableFuture<JsonNode> late = new CompletableFuture<>();"
                        + " CompletableFuture.delayedExecutor(4_000, TimeUnit.MILLISECONDS)"
                        + ".execute(() -> late.complete(JSON.nullNode())); return late;",
            })
    void aHandlerThatHangsIsGivenUpAtTheDeadline(String body) throws Exception {
        PluginSources.serving("slow", "test_slow", body).jar(fixture.folder);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
        logger.addAppender(log);
        try (PluginHost host = fixture.open()) {
            CompletableFuture<RpcReply> reply =
                    fixture.call(host.catalogue().stages("ethereum").get("test_slow"), "test_slow", "[]", 1_000);
            assertThat(reply.get(60, SECONDS))
                    .hasToString(
                            "Failure[error=RpcError[code=-32603, message=plugin slow: no answer in time, data=null],"
                                    + " kind=ANSWER, retryAfterSeconds=0]");
            assertThat(count("slow", "timeout")).isEqualTo(1);
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .contains("plugin slow: test_slow gave no answer in time (0 earlier failures not logged)");
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void aHandlerMovesItsDeadlineUpToTheBound() throws Exception {
        fixture.maxCallMillis = 40_000;
        PluginSources.handlers(
                        "patient",
                        PluginSources.handler("test_wait", """
                long before = call.deadlineNanos();
                java.time.Duration given = call.extendDeadline(java.time.Duration.ofSeconds(30));
                CompletableFuture<JsonNode> later = new CompletableFuture<>();
                CompletableFuture.delayedExecutor(before - System.nanoTime() + 100_000_000, TimeUnit.NANOSECONDS)
                        .execute(() -> later.complete(JSON.numberNode(given.toSeconds())));
                return later;
                """),
                        PluginSources.handler("test_greedy", """
                java.time.Duration given = call.extendDeadline(java.time.Duration.ofDays(400 * 365));
                return CompletableFuture.completedFuture(JSON.booleanNode(
                        given.toMillis() > 10_000 && given.toMillis() <= 40_000));
                """),
                        PluginSources.handler("test_shorter", """
                java.time.Duration given = call.extendDeadline(java.time.Duration.ZERO);
                return CompletableFuture.completedFuture(JSON.booleanNode(given.toMillis() > 0));
                """))
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            var stages = host.catalogue().stages("ethereum");
            assertThat(fixture.call(stages.get("test_wait"), "test_wait", "[]", 2_000)
                            .get(60, SECONDS))
                    .hasToString("Result[value=30]");
            assertThat(fixture.call(stages.get("test_greedy"), "test_greedy", "[]", 10_000)
                            .get(60, SECONDS))
                    .hasToString("Result[value=true]");
            assertThat(fixture.call(stages.get("test_shorter"), "test_shorter", "[]", 10_000)
                            .get(60, SECONDS))
                    .hasToString("Result[value=true]");
        }
    }

    @Test
    void aPluginThatBlocksEveryThreadItGetsLeavesTheOthersTheirs() throws Exception {
        PluginSources.serving("hog", "test_hog", """
                long end = call.deadlineNanos() + TimeUnit.SECONDS.toNanos(3);
                while (System.nanoTime() - end < 0) { java.util.concurrent.locks.LockSupport.parkNanos(1_000_000); }
                return null;
                """).jar(fixture.folder);
        PluginSources.serving("good", "test_good", "return CompletableFuture.completedFuture(call.params());")
                .jar(fixture.folder);
        PluginHost host = fixture.open();
        var stages = host.catalogue().stages("ethereum");
        List<CompletableFuture<RpcReply>> hogs = new ArrayList<>();
        for (int i = 0; i < fixture.threads + PluginHost.MAX_WAITING; i++) {
            hogs.add(fixture.call(stages.get("test_hog"), "test_hog", "[]", 100));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(reply(host, "test_good", "[" + i + "]")).hasToString("Result[value=[" + i + "]]");
        }
        for (CompletableFuture<RpcReply> hog : hogs) {
            assertThat(((RpcReply.Failure) hog.get(60, SECONDS)).error().code()).isEqualTo(-32603);
        }
        assertThat(reply(host, "test_good", "[7]")).hasToString("Result[value=[7]]");
        host.close();
    }

    @Test
    void overItsBoundAPluginsCallsAreShedAtOnceAndServedAgainAfterwards() throws Exception {
        PluginSources.serving("bounded", "test_wait", "return new CompletableFuture<>();")
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            var stage = host.catalogue().stages("ethereum").get("test_wait");
            List<CompletableFuture<RpcReply>> waiting = new ArrayList<>();
            int share = ((fixture.threads + PluginHost.MAX_WAITING) * 8 + 8) / 9;
            for (int i = 0; i < share; i++) {
                waiting.add(fixture.call(stage, "test_wait", "[]", 3_000));
            }
            RpcReply.Failure shed = (RpcReply.Failure)
                    fixture.call(stage, "test_wait", "[]", 60_000).get(60, SECONDS);
            assertThat(shed.kind()).isEqualTo(FailureKind.UNAVAILABLE);
            assertThat(shed.error().code()).isEqualTo(-32603);
            assertThat(count("bounded", "rejected")).isEqualTo(1);
            for (CompletableFuture<RpcReply> one : waiting) {
                one.get(60, SECONDS);
            }
            assertThat(fixture.call(stage, "test_wait", "[]", 1_000)
                            .get(60, SECONDS)
                            .toString())
                    .contains("no answer in time");
        }
    }

    @Test
    void closingThePluginEndsItsCalls() throws Exception {
        PluginSources.serving("closing", "test_wait", "return new CompletableFuture<>();")
                .jar(fixture.folder);
        PluginHost host = fixture.open();
        var stage = host.catalogue().stages("ethereum").get("test_wait");
        CompletableFuture<RpcReply> waiting = fixture.call(stage, "test_wait", "[]", 200);
        host.close();
        assertThat(waiting.get(60, SECONDS)).isInstanceOf(RpcReply.Failure.class);
        assertThat(fixture.call(stage, "test_wait", "[]", 60_000)
                        .get(60, SECONDS)
                        .toString())
                .contains("kind=UNAVAILABLE");
        await().until(() -> fixture.registry.getNames().isEmpty());
    }

    private RpcReply reply(PluginHost host, String method, String params) throws Exception {
        return fixture.call(host, method, params).get(60, SECONDS);
    }

    private long count(String plugin, String outcome) {
        return new Meters(fixture.registry)
                .counter(Meter.PLUGIN_CALLS, plugin, outcome)
                .getCount();
    }
}
