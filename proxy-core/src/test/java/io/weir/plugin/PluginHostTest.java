package io.weir.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.config.load.ConfigLoader;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.PrometheusExposition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginHostTest {

    private static final String ECHO = "return CompletableFuture.completedFuture(call.params());";

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
    void aJarAddsAMethod() throws Exception {
        PluginSources.serving("echo", "test_echo", ECHO).jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(result(host, "test_echo", "[1,\"a\",null]")).isEqualTo("[1,\"a\",null]");
        }
    }

    @Test
    void aFolderAZipAndABuildOutputAddMethods() throws Exception {
        PluginSources.serving("one", "test_one", ECHO).folder(fixture.folder);
        PluginSources.serving("two", "test_two", ECHO).zip(fixture.folder);
        PluginSources.serving("three", "test_three", ECHO).buildOutput(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(result(host, "test_one", "[1]")).isEqualTo("[1]");
            assertThat(result(host, "test_two", "[2]")).isEqualTo("[2]");
            assertThat(result(host, "test_three", "[3]")).isEqualTo("[3]");
            assertThat(host.summaries()).extracting(PluginSummary::id).containsExactly("one", "three", "two");
        }
    }

    @Test
    void foldersWithoutADescriptorAreNoPlugins() throws Exception {
        Files.createDirectories(fixture.folder.resolve("library/target/classes"));
        Files.createDirectories(fixture.folder.resolve("unbuilt"));
        Files.writeString(fixture.folder.resolve("unbuilt/plugin.properties"), "plugin.id=unbuilt\n");
        Files.writeString(fixture.folder.resolve("README.md"), "no plugin");
        try (PluginHost host = fixture.open()) {
            assertThat(host.summaries()).isEmpty();
        }
    }

    @Test
    void aSummaryListsThePluginsOffers() throws Exception {
        Path jar = PluginSources.withEntryClass("full", """
                @Override
                public List<MethodHandler> methodHandlers() {
                    return List.of(%s);
                }

                @Override
                public List<PluginCommand> commands() {
                    return List.of(new PluginCommand() {
                        @Override
                        public String name() {
                            return "list";
                        }

                        @Override
                        public String description() {
                            return "Lists things";
                        }

                        @Override
                        public int run(List<String> arguments, java.io.PrintStream out, java.io.PrintStream err) {
                            out.println(arguments);
                            return 0;
                        }
                    });
                }
                """.formatted(PluginSources.handler("test_echo", ECHO)))
                .version("2.1.0")
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(host.summaries())
                    .containsExactly(new PluginSummary(
                            "full",
                            "2.1.0",
                            jar,
                            List.of("test_echo"),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of("list")));
            assertThat(host.catalogue().commands("full").get(0).description()).isEqualTo("Lists things");
            assertThat(host.catalogue().commands("other")).isEmpty();
        }
    }

    @Test
    void onePluginAloneIsOpenedForItsCommands() throws Exception {
        PluginSources.serving("echo", "test_echo", ECHO).jar(fixture.folder);
        PluginSources.serving("broken", "test_other", ECHO)
                .index("test.Missing")
                .jar(fixture.folder);
        try (PluginHost host = PluginHost.openOne(fixture.setup(), "echo")) {
            assertThat(host.summaries()).extracting(PluginSummary::id).containsExactly("echo");
        }
    }

    @Test
    void settingsAreReadIntoThePluginsOwnRecord() throws Exception {
        PluginSources.withEntryClass("tuned", """
                        record Kind(
                                @io.weir.api.setting.Setting(value = "7", range = "0 to 9") int a,
                                @io.weir.api.setting.Setting(value = "8", range = "0 to 9") int b) {}
                        record Settings(
                                @io.weir.api.setting.Setting(value = "plain", pattern = "[a-z]+", rule = "a word") String word,
                                @io.weir.api.setting.Setting(value = "4 s", range = "1 ms to 9 s") long timeMillis,
                                @io.weir.api.setting.Setting(value = "{}", pattern = "[a-z]+") Map<String, Kind> kinds) {}
                        Settings settings;

                        @Override
                        public void provision(PluginContext context) {
                            settings = context.settings(Settings.class);
                        }

                        @Override
                        public List<MethodHandler> methodHandlers() {
                            return List.of(MethodHandler.of("test_settings", call ->
                                    CompletableFuture.completedFuture(JSON.stringNode(settings.toString()))));
                        }
                        """).jar(fixture.folder);
        fixture.settings = "plugins.tuned { time = 250 ms, kinds.own.b = 9 }";
        try (PluginHost host = fixture.open()) {
            assertThat(result(host, "test_settings", "[]"))
                    .isEqualTo("\"Settings[word=plain, timeMillis=250, kinds={own=Kind[a=7, b=9]}]\"");
            assertThat(host.settingLines(false))
                    .contains("plugins.tuned.word = \"plain\"  # default", "plugins.tuned.kinds.own.a = 7  # default");
            assertThat(host.settingLines(true))
                    .map(line -> line.replaceFirst("  # .*", ""))
                    .containsExactly("plugins.tuned.time = \"250 ms\"", "plugins.tuned.kinds.own.b = 9");
        }
    }

    @Test
    void aPluginsWarningsNameTheirSettings() throws Exception {
        PluginSources.withEntryClass("wary", """
                @Override
                public List<String> warnings() {
                    return List.of("file: readable by all (expected: mode 600)");
                }
                """).jar(fixture.folder);
        PluginSources.withEntryClass("rash", """
                @Override
                public List<String> warnings() {
                    throw new IllegalStateException("cannot tell");
                }
                """).jar(fixture.folder);
        fixture.settings = "";
        try (PluginHost host = fixture.open()) {
            assertThat(host.warnings())
                    .hasSize(2)
                    .anyMatch(line -> line.endsWith(": plugins.wary.file: readable by all (expected: mode 600)"))
                    .contains("plugin rash: warnings: cannot tell");
        }
    }

    @Test
    void aPluginLearnsTheNamesOfCallersAndOfTheNetworksOfAKind() throws Exception {
        PluginSources.serving("asking", "test_names", """
                        return CompletableFuture.completedFuture(JSON.stringNode(
                                new TreeSet<>(context.callerNames()) + " " + new TreeSet<>(context.networkNames("ethereum")) + " "
                                        + context.networkNames("other")));
                        """).jar(fixture.folder);
        assertThat(names("access.anonymous = true")).isEqualTo("\"[anonymous, robot, shop] [main, test] []\"");
        assertThat(names("access.anonymous = false")).isEqualTo("\"[robot, shop] [main, test] []\"");
    }

    private String names(String setting) throws Exception {
        Path file = Files.writeString(temporary.resolve("names.conf"), """
                default-network = main
                networks.main { chain-id = 1, upstreams.node.url = "http://127.0.0.1:1" }
                networks.test { chain-id = 2, upstreams.node.url = "http://127.0.0.1:2" }
                access.keys.shop.sha256 = "%064x"
                access.keys.robot.sha256 = "%064x"
                %s
                """.formatted(1, 2, setting));
        PluginHost.Setup setup =
                fixture.setup().withNamesOf(ConfigLoader.load(file, Map.of()).config());
        try (PluginHost host = PluginHost.open(setup)) {
            return result(host, "test_names", "[]");
        }
    }

    @Test
    void theDataFolderIsCreatedOnFirstUseAndPrivate() throws Exception {
        PluginSources.serving(
                        "keeper",
                        "test_folder",
                        "return CompletableFuture.completedFuture(JSON.stringNode(context.dataFolder().toString()));")
                .jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(fixture.data).doesNotExist();
            Path folder = fixture.data.resolve("keeper");
            assertThat(result(host, "test_folder", "[]")).isEqualTo("\"" + folder + "\"");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void metersCarryThePluginsNameAndGoWithIt() throws Exception {
        PluginSources.withEntryClass("counting-one", """
                @Override
                public void provision(PluginContext context) {
                    context.meters().counter("eggs", "Eggs laid").add(3);
                    context.meters().gauge("nests", "Nests", () -> { throw new IllegalStateException(); });
                    context.meters().timer("hatching", "Hatching").record(java.time.Duration.ofMillis(5));
                }
                """).jar(fixture.folder);
        PluginHost.Setup setup = fixture.setup();
        try (PluginHost host = PluginHost.open(setup)) {
            assertThat(host.summaries()).hasSize(1);
            assertThat(fixture.registry.counter("weir_plugin_counting_one_eggs").getCount())
                    .isEqualTo(3);
            assertThat(fixture.registry
                            .getGauges()
                            .get("weir_plugin_counting_one_nests")
                            .getValue())
                    .isEqualTo(-1L);
            assertThat(fixture.registry
                            .getTimers()
                            .get("weir_plugin_counting_one_hatching_seconds")
                            .getCount())
                    .isEqualTo(1);
            assertThat(new String(new PrometheusExposition(setup.meters(), null).text(), UTF_8))
                    .contains("# HELP weir_plugin_counting_one_eggs_total Eggs laid")
                    .contains("weir_plugin_counting_one_eggs_total 3.0")
                    .contains("weir_plugin_counting_one_nests -1.0")
                    .contains("weir_plugin_counting_one_hatching_seconds_count 1");
        }
        assertThat(fixture.registry.getNames()).isEmpty();
        assertThat(setup.meters().help("weir_plugin_counting_one_eggs")).isNull();
    }

    @Test
    void scheduledTasksRunAndEndWithThePlugin() throws Exception {
        PluginSources.serving("ticking", "test_tick", """
                        CompletableFuture<JsonNode> later = new CompletableFuture<>();
                        context.scheduler().schedule(() -> later.complete(JSON.booleanNode(true)), 1, TimeUnit.MILLISECONDS);
                        return later;
                        """).jar(fixture.folder);
        // Hosts of other tests may still have a thread in a plugin that ignores its interrupt.
        Set<Thread> before = pluginThreads();
        PluginHost host = fixture.open();
        assertThat(result(host, "test_tick", "[]")).isEqualTo("true");
        assertThat(before.containsAll(pluginThreads())).isFalse();
        host.close();
        await().until(() -> before.containsAll(pluginThreads()));
    }

    private static Set<Thread> pluginThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("weir-plugin-"))
                .collect(Collectors.toSet());
    }

    private String result(PluginHost host, String method, String params) throws Exception {
        RpcReply reply = fixture.call(host, method, params).get(60, SECONDS);
        assertThat(reply).isInstanceOf(RpcReply.Result.class);
        return ((RpcReply.Result) reply).value().toString();
    }
}
