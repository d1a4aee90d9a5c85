package io.weir.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.weir.api.WeirPlugin;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.PluginBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plugin problems that prevent the start of the proxy, with their messages. */
class PluginRefusalTest {

    private static final String NULL = "return CompletableFuture.completedFuture(JSON.nullNode());";

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
    void aPluginWithoutAnIndexIsRejected() {
        PluginSources.serving("silent", "test_a", NULL).withoutProcessor().jar(fixture.folder);
        assertThat(fixture.problems())
                .singleElement()
                .asString()
                .startsWith("plugin silent: META-INF/extensions.idx: names no extension (expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder", "packed folder", "output"})
    void aPluginThatOthersMayWriteToIsNotLoaded(String form) throws Exception {
        PluginBuilder plugin = PluginSources.serving("open", "test_a", NULL);
        Path opened = fixture.folder;
        switch (form) {
            case "jar" -> opened = plugin.jar(opened);
            case "folder" -> opened = plugin.folder(opened).resolve("classes");
            case "packed folder" -> opened = plugin.packedFolder(opened).resolve("classes.jar");
            default -> opened = plugin.buildOutput(opened).getParent();
        }
        fixture.open().close();
        Files.setPosixFilePermissions(opened, PosixFilePermissions.fromString("rwxr-xrwx"));
        assertThat(fixture.problems())
                .singleElement()
                .asString()
                .endsWith(": " + opened + " (expected: one that no other user may write to; chmod go-w)");
    }

    @Test
    void aPluginOfAnotherUserIsNotLoaded() throws Exception {
        Path jar = PluginSources.serving("foreign", "test_a", NULL).jar(fixture.folder);
        Assumptions.assumeTrue(Files.getOwner(jar).getName().equals("root"), "only root may give a file away");
        fixture.open().close();
        Files.setOwner(jar, jar.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("64123"));
        assertThat(fixture.problems())
                .singleElement()
                .asString()
                .endsWith(": " + jar
                        + " (expected: one that root, the proxy's user or the owner of its program owns; chown)");
    }

    @Test
    void anIndexThatNamesAMissingClassIsRejected() {
        PluginSources.serving("lost", "test_a", NULL).index("test.Missing\n").jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin lost: cannot load test.Missing: no class test.Missing"
                        + " (expected: a class of the plugin's own, of the JDK, or of what the host shares)");
    }

    @Test
    void anIndexThatNamesTwoClassesIsRejected() {
        PluginSources.serving("double", "test_a", NULL)
                .index("test.Entrance\ntest.Other\n")
                .jar(fixture.folder);
        assertThat(fixture.problems()).singleElement().asString().contains("expected: one extension");
    }

    @Test
    void anExtensionThatIsNotAPluginIsRejected() {
        PluginBuilder.plugin("other").source("test.Other", """
                package test;
                @org.pf4j.Extension
                public class Other implements org.pf4j.ExtensionPoint {}
                """).jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin other: extension: test.Other"
                        + " (expected: a class that implements io.weir.api.WeirPlugin)");
    }

    @Test
    void anEntryClassThatDerivesFromAHostClassIsRejected() {
        PluginBuilder.plugin("linked")
                .compiledAgainst(Channel.class)
                .source("test.Entrance", """
                package test;
                @org.pf4j.Extension
                public class Entrance extends io.netty.channel.ChannelInboundHandlerAdapter
                        implements io.weir.api.WeirPlugin {
                    @Override
                    public void provision(io.weir.api.PluginContext context) {}
                }
                """)
                .jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin linked: cannot load test.Entrance:"
                        + " no class io.netty.channel.ChannelInboundHandlerAdapter"
                        + " (expected: a class of the plugin's own, of the JDK, or of what the host shares)");
    }

    @Test
    void aStepThatUsesAHostClassIsRejected() {
        PluginSources.withEntryClass("linked", """
                @Override
                public void provision(PluginContext context) {
                    io.netty.buffer.Unpooled.buffer();
                }
                """)
                .compiledAgainst(io.netty.buffer.Unpooled.class)
                .jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin linked: provision: no class io.netty.buffer.Unpooled"
                        + " (expected: a class of the plugin's own, of the JDK, or of what the host shares)");
    }

    @Test
    void theProxysOwnClassesAreNotThere() {
        PluginSources.withEntryClass("prying", """
                @Override
                public void provision(PluginContext context) throws Exception {
                    Class.forName("io.weir.metrics.Meters");
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems()).singleElement().asString().contains("no class io.weir.metrics.Meters");
    }

    @Test
    void aPluginForANewerApiIsRejected() {
        PluginSources.serving("ahead", "test_a", NULL).requires(">=99.0.0").jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin ahead: requires: >=99.0.0"
                        + " (expected: a range that holds this proxy's plugin API, " + WeirPlugin.API_VERSION + ")");
    }

    @Test
    void aPlainVersionMeansThatOneOrALaterOne() throws Exception {
        PluginSources.serving("older", "test_a", NULL).requires("0.0.9").jar(fixture.folder);
        fixture.open().close();
        PluginSources.serving("newer", "test_b", NULL).requires("98.0.0").jar(fixture.folder);
        assertThat(fixture.problems()).singleElement().asString().startsWith("plugin newer: requires: 98.0.0");
    }

    @Test
    void anUnreadableRangeIsRejected() {
        PluginSources.serving("vague", "test_a", NULL).requires("soon").jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin vague: requires: \"soon\" (expected: a version range such as >=0.1.0)");
    }

    @Test
    void pluginClassesAndDependenciesAreRejected() {
        PluginSources.serving("old-style", "test_a", NULL)
                .descriptor("plugin.class=test.Other")
                .folder(fixture.folder);
        PluginSources.serving("leaning", "test_b", NULL)
                .descriptor("plugin.dependencies=old-style")
                .folder(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly(
                        "plugin leaning: dependencies: other plugins"
                                + " (expected: none, a plugin brings its libraries itself)",
                        "plugin old-style: plugin class: test.Other (expected: none, the entry class is an extension)");
    }

    @Test
    void anIdThatIsNotANameIsRejected() {
        Path jar = PluginSources.serving("Up_1", "test_a", NULL).folder(fixture.folder);
        assertThat(jar).exists();
        assertThat(fixture.problems())
                .singleElement()
                .asString()
                .contains("id: \"Up_1\" (expected: lower-case letters");
    }

    @Test
    void twoPluginsOfOneIdAreRejected() {
        Path jar = PluginSources.serving("twin", "test_a", NULL).jar(fixture.folder);
        Path folder = PluginSources.serving("twin", "test_a", NULL).folder(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin twin: found at " + folder + " and at " + jar + " (expected: one of them)");
    }

    @Test
    void aBrokenArchiveIsSaidClearly() throws Exception {
        Path jar = Files.writeString(fixture.folder.resolve("broken.jar"), "this is no archive");
        assertThat(fixture.problems()).singleElement().asString().startsWith("plugin " + jar + ": cannot be read: ");
    }

    @Test
    void aZipThatWritesOutsideItsFolderIsRejected() throws Exception {
        for (String name : List.of("../../escaped.txt", "/escaped.txt", "lib/../../escaped.txt", "..\\escaped.txt")) {
            PluginBuilder.archive(
                    fixture.folder.resolve("climber.zip"),
                    Map.of("plugin.properties", "plugin.id=climber\nplugin.version=1\n", name, "gotcha"));
            assertThat(fixture.problems()).singleElement().asString().contains("entry: " + name);
        }
        try (var files = Files.walk(temporary)) {
            assertThat(files.filter(file -> file.endsWith("escaped.txt"))).isEmpty();
        }
    }

    @Test
    void twoPluginsThatClaimTheSameAreRejected() {
        PluginSources.serving("first", "test_a", NULL).jar(fixture.folder);
        PluginSources.serving("second", "test_a", NULL).jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin second: method test_a: offered by plugin first too"
                        + " (expected: one of them in plugins.path)");
    }

    @Test
    void theSameMethodForOtherKindsOfNetworkIsNoConflict() throws Exception {
        for (String kind : List.of("red", "blue")) {
            PluginSources.handlers(
                            kind,
                            PluginSources.handler("test_a", NULL)
                                    .replace(
                                            "@Override\n    public CompletionStage",
                                            "@Override\n    public Set<String>"
                                                    + " networkKinds() { return Set.of(\"" + kind
                                                    + "\"); }\n\n    @Override\n"
                                                    + "    public CompletionStage"))
                    .jar(fixture.folder);
        }
        try (PluginHost host = fixture.open()) {
            assertThat(host.catalogue().stages("red")).containsOnlyKeys("test_a");
            assertThat(host.catalogue().stages("ethereum")).isEmpty();
        }
    }

    @Test
    void theProxysOwnSchemesAndKindsAreRejected() {
        PluginSources.withEntryClass("greedy", """
                @Override
                public List<UpstreamProvider> upstreamProviders() {
                    return List.of(new UpstreamProvider() {
                        @Override
                        public String scheme() {
                            return "https";
                        }

                        @Override
                        public LocalNode open(String address) {
                            return null;
                        }
                    });
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly("plugin greedy: URL scheme: https"
                        + " (expected: one that is neither the proxy's own nor offered twice)");
    }

    @Test
    void everyFailingStepIsSaidInOneLineAndThePluginClosed() throws Exception {
        Path told = temporary.resolve("closed");
        String close = """
                @Override
                public void close() {
                    try {
                        java.nio.file.Files.writeString(java.nio.file.Path.of("%s-" + getClass().getPackageName()), "");
                    } catch (java.io.IOException e) {
                        throw new IllegalStateException(e);
                    }
                }
                """.formatted(told);
        PluginSources.withEntryClass("bad-provision", close + """
                @Override
                public void provision(PluginContext context) throws Exception {
                    throw new java.io.IOException("the disk is full\\nand more");
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems()).containsExactly("plugin bad-provision: provision: the disk is full");
        assertThat(Path.of(told + "-test")).exists();
    }

    @Test
    void errorsInStepsAreProblemsToo() {
        PluginSources.withEntryClass("bad-create", "static final int HALF = 1 / Integer.getInteger(\"none\", 0);")
                .jar(fixture.folder);
        PluginSources.withEntryClass("bad-close", """
                @Override
                public List<String> validate() {
                    throw new StackOverflowError();
                }

                @Override
                public void close() {
                    throw new LinkageError("again");
                }
                """).jar(fixture.folder);
        PluginSources.withEntryClass("bad-offers", """
                @Override
                public List<MethodHandler> methodHandlers() {
                    return null;
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems())
                .containsExactly(
                        "plugin bad-close: validate: java.lang.StackOverflowError",
                        "plugin bad-create: create: ArithmeticException: / by zero",
                        "plugin bad-offers: methodHandlers: null (expected: a list without nulls)");
    }

    @Test
    void aStepThatHangsIsGivenUp() {
        // The steps before the one that hangs must end within this time.
        fixture.stepLimit = Duration.ofSeconds(3);
        PluginSources.withEntryClass("stuck", """
                @Override
                public void provision(PluginContext context) throws Exception {
                    new CountDownLatch(1).await();
                }
                """).jar(fixture.folder);
        assertThat(fixture.problems()).containsExactly("plugin stuck: provision: did not end within 3 s");
    }

    @Test
    void aFailingStartPreventsTheProxysStart() throws Exception {
        PluginSources.withEntryClass("late", """
                @Override
                public void provision(PluginContext context) {}

                @Override
                public void start() throws Exception {
                    throw new IllegalStateException("port 99 is taken");
                }
                """).jar(fixture.folder);
        PluginHost host = fixture.open();
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> host.start(new FakeInternalCalls(call -> RpcReply.failure(null))))
                .isInstanceOfSatisfying(
                        PluginException.class,
                        e -> assertThat(e.problems()).containsExactly("plugin late: start: port 99 is taken"));
    }

    @Test
    void wrongSettingsAreSaidByFileAndLine() {
        PluginSources.withEntryClass("tuned", """
                record Inner(@io.weir.api.setting.Setting(value = "1", range = "0 to 9") int size) {}
                record Settings(
                        @io.weir.api.setting.Setting(value = "4 s", range = "1 s to 9 s") long timeMillis,
                        @io.weir.api.setting.Setting Inner inner) {}

                @Override
                public void provision(PluginContext context) {
                    context.settings(Settings.class);
                }

                @Override
                public List<String> validate() {
                    return List.of("inner.size: 0 (expected: at least 1)", "as a whole it is no good");
                }
                """).jar(fixture.folder);
        String file = temporary.resolve("weir.conf").toString();
        fixture.settings = "plugins.tuned {\n  inner {\n    size = 0\n  }\n}\n";
        assertThat(fixture.problems())
                .containsExactly(
                        file + ":3:5: plugins.tuned.inner.size: 0 (expected: at least 1)",
                        "plugin tuned: as a whole it is no good");
        fixture.settings = "plugins.tuned {\n  tiem = 5 s\n}\n";
        assertThat(fixture.problems())
                .containsExactly(file + ":2:3: plugins.tuned.tiem: unknown setting"
                        + " (expected: a known setting; did you mean plugins.tuned.time?)");
    }

    @Test
    void settingsOfAnAbsentPluginAreRejected() {
        fixture.settings = "plugins.devnte { a = 1 }\n";
        assertThat(fixture.problems())
                .containsExactly(temporary.resolve("weir.conf") + ":1:9: plugins.devnte: no such plugin"
                        + " (expected: the id of one in plugins.path)");
    }

    @Test
    void aFailureBeforeTheSettingsAreReadIsSaidAlsoIfThereAreSome() {
        PluginSources.withEntryClass("broken", """
                @Override
                public void provision(PluginContext context) {
                    throw new IllegalStateException("cannot open the database");
                }
                """).jar(fixture.folder);
        fixture.settings = "plugins.broken.size = 1\n";
        assertThat(fixture.problems()).containsExactly("plugin broken: provision: cannot open the database");
    }

    @Test
    void aPluginWithoutSettingsGetsNone() {
        PluginSources.withEntryClass("plain", "").jar(fixture.folder);
        fixture.settings = "plugins.plain.size = 1\n";
        assertThat(fixture.problems())
                .containsExactly(temporary.resolve("weir.conf")
                        + ":1:15: plugins.plain.size: unknown setting (expected: a known setting)");
    }
}
