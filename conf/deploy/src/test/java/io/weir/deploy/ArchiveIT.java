package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Machine;
import io.weir.testing.PluginBuilder;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The archive runs from any folder, as any user, read-only, with one writable folder. */
@Execution(ExecutionMode.CONCURRENT)
final class ArchiveIT {

    private static final Path ROOT = Checkout.find().root();
    private static final List<String> PLUGINS = List.of("devnet", "l2-deploy", "wallet");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]+)[^)\\s]*\\)");
    /** A line of jdeps: a class, one that it uses, and where that is. */
    private static final Pattern USE = Pattern.compile("(?m)^ +(?:\\d+/)?(\\S+) +-> (?:\\d+/)?(\\S+) +(.*?) *$");

    /** A plugin that tells the version of its own library, and which other libraries it sees. */
    private static final String OUTSIDE = """
            package test;

            import io.weir.api.*;
            import java.util.*;
            import java.util.concurrent.*;
            import org.pf4j.Extension;
            import tools.jackson.databind.JsonNode;
            import tools.jackson.databind.node.*;

            @Extension
            public class Outside implements WeirPlugin {
                @Override
                public void provision(PluginContext context) {}

                @Override
                public List<MethodHandler> methodHandlers() {
                    return List.of(new MethodHandler() {
                        @Override
                        public Set<String> methods() {
                            return Set.of("test_libraries");
                        }

                        @Override
                        public CompletionStage<JsonNode> handle(MethodCall call) {
                            return CompletableFuture.completedFuture(seen());
                        }
                    });
                }

                private static JsonNode seen() {
                    ArrayNode seen = JsonNodeFactory.instance.arrayNode();
                    seen.add(new org.bouncycastle.crypto.digests.KeccakDigest().version());
                    for (String name : List.of(
                            "org.bouncycastle.crypto.digests.SHA256Digest",
                            "io.weir.l2.curve.StarkCurve",
                            "io.weir.ethereum.Keccak",
                            "org.sqlite.SQLiteConfig")) {
                        try {
                            seen.add(Class.forName(name).getName());
                        } catch (ClassNotFoundException e) {
                            seen.add("none");
                        }
                    }
                    return seen;
                }
            }
            """;

    @TempDir
    private static Path folder;

    private static Unpacked unpacked;
    private static String config;

    @BeforeAll
    static void unpack() throws IOException {
        Machine.assumeProgram("tar", "apt-get install tar");
        Machine.assumeProgram("setpriv", "apt-get install util-linux");
        unpacked = new Unpacked(folder);
        config = unpacked.onFreePorts().toString();
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> content = Files.list(of)) {
            return content.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void itHoldsTheProxyItsPluginsAndItsConfiguration() throws IOException {
        // A build without network has no bill of materials.
        assertThat(names(unpacked.home()))
                .filteredOn(name -> !name.equals("weir.cdx.json"))
                .containsExactly("LICENSE", "bin", "conf", "lib", "plugins", "weir.jar");
        assertThat(names(unpacked.home().resolve("plugins"))).isEqualTo(PLUGINS);
        assertThat(names(unpacked.home().resolve("conf")))
                .containsExactly(
                        "README.md",
                        "configuration.md",
                        "costs",
                        "deploy",
                        "examples",
                        "exposing.md",
                        "monitoring",
                        "operations.md",
                        "proofs.md",
                        "settings.md",
                        "weir.conf");
        for (String part : List.of("", "costs", "examples", "monitoring")) {
            assertThat(names(unpacked.home().resolve("conf").resolve(part)))
                    .as("conf/" + part)
                    .isEqualTo(names(ROOT.resolve("conf").resolve(part)));
        }
    }

    @Test
    void theLinksOfItsPagesLeadToItsFiles() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(unpacked.home())) {
            pages = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        assertThat(pages).hasSizeGreaterThan(4);
        for (Path page : pages) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(page)).results().toList()) {
                // The measurements were made in the checkout.
                if (!link.group(1).contains("://") && !link.group(1).contains("../bench/")) {
                    assertThat(page.resolveSibling(link.group(1)))
                            .as(page.toString())
                            .exists();
                }
            }
        }
    }

    @Test
    void itIsSmall() throws IOException {
        assertThat(Files.size(Unpacked.ARCHIVE)).isLessThanOrEqualTo(48_000_000);
    }

    @Test
    void noClassIsInItTwice() throws IOException {
        Map<String, List<String>> jarsOfClasses = new HashMap<>();
        for (Path jar : jars()) {
            try (ZipFile content = new ZipFile(jar.toFile())) {
                content.stream()
                        .map(ZipEntry::getName)
                        .filter(name -> name.endsWith(".class")
                                && !name.startsWith("META-INF/")
                                && !name.endsWith("module-info.class"))
                        .forEach(name -> jarsOfClasses
                                .computeIfAbsent(name, first -> new ArrayList<>())
                                .add(jar.toString()));
            }
        }
        assertThat(jarsOfClasses).hasSizeGreaterThan(10_000);
        jarsOfClasses.values().removeIf(jars -> jars.size() == 1);
        assertThat(jarsOfClasses).isEmpty();
    }

    /** Returns the jars of the archive. A link to one of them does not count. */
    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.walk(unpacked.home())) {
            return files.filter(file ->
                            file.toString().endsWith(".jar") && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
    }

    @Test
    void theLibrariesAreThoseThatTheProxyAndItsPluginsName() throws IOException {
        Set<String> named = new TreeSet<>();
        try (JarFile proxy = new JarFile(unpacked.home().resolve("weir.jar").toFile())) {
            String classPath = proxy.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            Stream.of(classPath.split(" ")).forEach(name -> named.add(name.substring("lib/".length())));
        }
        for (String plugin : PLUGINS) {
            Path libraries = unpacked.home().resolve("plugins").resolve(plugin).resolve("lib");
            assertThat(names(libraries))
                    .as(plugin)
                    .isEqualTo(names(ROOT.resolve("plugins").resolve(plugin).resolve("target/plugin/lib")));
            names(libraries).stream()
                    .filter(name -> Files.isSymbolicLink(libraries.resolve(name)))
                    .forEach(named::add);
        }
        assertThat(names(unpacked.home().resolve("lib"))).containsExactlyElementsOf(named);
    }

    /** The rest of Bouncy Castle is not shipped. */
    @Test
    void whatTheProxyAndItsPluginsUseOfBouncyCastleIsThere() throws IOException {
        List<String> words = new ArrayList<>(List.of("-R", "--multi-release", "17", "-verbose:class"));
        words.addAll(List.of("-e", "org\\.bouncycastle\\..*", "--class-path"));
        List<Path> jars = jars();
        words.add(jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        jars.stream()
                .filter(jar -> jar.getFileName().toString().matches("(weir|classes).*\\.jar"))
                .forEach(jar -> words.add(jar.toString()));
        StringWriter told = new StringWriter();
        PrintWriter out = new PrintWriter(told);
        int exit = ToolProvider.findFirst("jdeps").orElseThrow().run(out, out, words.toArray(String[]::new));
        assertThat(exit).as(told.toString()).isZero();

        Map<String, Set<String>> uses = new HashMap<>();
        Set<String> missing = new TreeSet<>();
        for (MatchResult use : USE.matcher(told.toString()).results().toList()) {
            uses.computeIfAbsent(use.group(1), first -> new TreeSet<>()).add(use.group(2));
            if (use.group(3).equals("not found")) {
                missing.add(use.group(2));
            }
        }
        Set<String> reached = new TreeSet<>();
        Deque<String> left = new ArrayDeque<>(uses.keySet().stream()
                .filter(name -> name.startsWith("io.weir."))
                .toList());
        assertThat(left).hasSizeGreaterThan(10);
        while (!left.isEmpty()) {
            String name = left.pop();
            if (reached.add(name)) {
                left.addAll(uses.getOrDefault(name, Set.of()));
            }
        }
        assertThat(reached).hasSizeGreaterThan(400).doesNotContainAnyElementsOf(missing);
        assertThat(missing).isNotEmpty();
    }

    @Test
    void everyPluginLoads() throws IOException {
        String data = unpacked.writable("data of the list").toString();
        try (ChildProcess list = unpacked.start(Map.of(), "--data", data, "plugins", "list", "--config", config)) {
            assertThat(list.awaitExit(Unpacked.PATIENCE)).as(list.told()).isZero();
            assertThat(list.out().stream()
                            .filter(line -> !line.startsWith(" "))
                            .map(line -> line.replaceFirst(" .*", "")))
                    .containsExactlyElementsOf(PLUGINS);
        }
    }

    @Test
    void aStartCopiesNoLibraryThatIsInTheArchiveForAll() throws IOException {
        Path data = unpacked.writable("data of a start");
        Map<String, String> quick = Map.of("WEIR_JAVA_OPTS", Unpacked.QUICK);
        try (ChildProcess proxy = unpacked.start(quick, "--data", data.toString(), "run", "--config", config)) {
            awaitBlock(Unpacked.url(proxy));
            List<Path> staged;
            try (Stream<Path> files = Files.walk(data)) {
                staged = files.filter(file -> file.toString().endsWith(".jar")
                                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                        .toList();
            }
            Path libraries = unpacked.home().resolve("plugins/wallet/lib");
            Set<String> own = new TreeSet<>(names(libraries));
            own.removeIf(name -> Files.isSymbolicLink(libraries.resolve(name)));
            own.add("classes.jar");
            assertThat(own).doesNotContainAnyElementsOf(names(unpacked.home().resolve("lib")));
            assertThat(staged.stream().map(jar -> jar.getFileName().toString()).distinct())
                    .containsExactlyInAnyOrderElementsOf(own);
        }
    }

    @Test
    void aPluginFromOutsideHasItsOwnLibrariesAndNoneOfTheOthers() throws IOException {
        Path library = PluginBuilder.plugin("bcprov")
                .source("org.bouncycastle.crypto.digests.KeccakDigest", """
                        package org.bouncycastle.crypto.digests;
                        public class KeccakDigest {
                            public String version() { return "another version"; }
                        }
                        """)
                .jar(folder);
        Path plugins = Files.createDirectory(folder.resolve("outside"));
        PluginBuilder.plugin("outside")
                .library(library)
                .source("test.Outside", OUTSIDE)
                .zip(plugins);
        Path more = Files.writeString(
                folder.resolve("outside.conf"),
                "include file(\"" + config + "\")\nplugins.path = [plugins, \"" + plugins + "\"]\n");
        Map<String, String> quick = Map.of("WEIR_JAVA_OPTS", Unpacked.QUICK);
        String data = unpacked.writable("data of outside").toString();
        try (ChildProcess proxy = unpacked.start(quick, "--data", data, "run", "--config", more.toString())) {
            String url = Unpacked.url(proxy);
            awaitBlock(url);
            assertThat(new JsonRpcClient(url).result("test_libraries"))
                    .hasToString("[\"another version\",\"none\",\"none\",\"none\",\"none\"]");
        }
    }

    @Test
    void aReadOnlyArchiveAnswersAndWritesToTheDataFolderAlone() throws IOException {
        String data = unpacked.writable("data").toString();
        try (ChildProcess first = unpacked.start(Map.of(), "--data", data, "run", "--config", config)) {
            awaitBlock(Unpacked.url(first));
            first.terminate();
            assertThat(first.awaitExit(Unpacked.PATIENCE)).as(first.told()).isZero();
        }
        assertThat(Path.of(data, "plugins", "wallet")).isDirectory();
        assertThat(names(Path.of(data))).anyMatch(name -> name.matches("classes-\\d+\\.jsa"));

        Map<String, String> logged =
                Map.of("WEIR_DATA", data, "WEIR_JAVA_OPTS", "-Xlog:class+load:file=" + data + "/loaded.log");
        try (ChildProcess second = unpacked.start(logged, "--config=" + config)) {
            awaitBlock(Unpacked.url(second));
            second.terminate();
            assertThat(second.awaitExit(Unpacked.PATIENCE)).as(second.told()).isZero();
        }
        // The second start reads the classes that the first one has written, and removes its temporary files.
        assertThat(Files.readString(Path.of(data, "loaded.log")))
                .containsPattern("io\\.weir\\.app\\.Main source: shared objects file \\(top\\)");
        assertThat(names(Path.of(data)).stream().filter(name -> name.startsWith("weir-tmp-")))
                .hasSizeLessThan(2);
    }

    @Test
    void classesAreStoredBesideTheJarForTheFirstStart() throws IOException {
        Path copy = unpacked.writable("installed");
        Unpacked.run(folder, "cp", "-r", unpacked.home() + "/.", copy.toString());
        Unpacked.run(folder, "chmod", "-R", "u+w", copy.toString());
        String weir = copy.resolve("bin/weir").toString();
        Path data = copy.resolve("data");
        Path loaded = copy.resolve("loaded.log");
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));
        try (ChildProcess classes =
                ChildProcess.start("classes", Path.of("/"), environment, List.of(weir, "classes"))) {
            assertThat(classes.awaitExit(Unpacked.PATIENCE)).as(classes.told()).isZero();
            assertThat(classes.out()).singleElement().asString().matches("weir: .*/installed/classes-\\d+\\.jsa");
        }
        Map<String, String> logged = Map.of(
                "JAVA_HOME", System.getProperty("java.home"), "WEIR_JAVA_OPTS", "-Xlog:class+load:file=" + loaded);
        try (ChildProcess first =
                ChildProcess.start("run", Path.of("/"), logged, List.of(weir, "run", "--config", config))) {
            awaitBlock(Unpacked.url(first));
            first.terminate();
            assertThat(first.awaitExit(Unpacked.PATIENCE)).as(first.told()).isZero();
        }
        assertThat(Files.readString(loaded))
                .containsPattern("io\\.weir\\.app\\.Main source: shared objects file \\(top\\)");
        assertThat(names(data)).noneMatch(name -> name.endsWith(".jsa"));
    }

    @Test
    void theHelpNamesTheCommandOfTheLauncher() {
        try (ChildProcess help = unpacked.start(Map.of(), "--help")) {
            assertThat(help.awaitExit(Unpacked.PATIENCE)).as(help.told()).isZero();
            assertThat(help.out())
                    .anyMatch(line -> line.startsWith("  run "))
                    .anyMatch(line -> line.startsWith("  classes "));
        }
    }

    /** On a machine that does much else, the first answer of the node may take longer than a probe of it. */
    private static void awaitBlock(String url) {
        JsonRpcClient client = new JsonRpcClient(url);
        await().atMost(Unpacked.PATIENCE)
                .until(() -> client.post(JsonRpcClient.call("eth_getBlockByNumber", "0x10", false))
                        .body()
                        .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"));
    }

    @Test
    void aDataFolderThatCannotBeWrittenIsRefused() {
        assumeThat(Path.of("/proc")).as("a folder that no user may write to").isDirectory();
        try (ChildProcess refused = unpacked.start(Map.of(), "run", "--data", "/proc/weir")) {
            assertThat(refused.awaitExit(Unpacked.PATIENCE)).isEqualTo(1);
            assertThat(refused.err())
                    .singleElement()
                    .asString()
                    .startsWith("weir: data folder: /proc/weir (expected: ");
        }
    }

    @Test
    void twoArchivesOfTheSameTreeAreEqual() throws IOException {
        Path again = Path.of("target/again").toAbsolutePath().resolve(Unpacked.ARCHIVE.getFileName());
        assertThat(Files.mismatch(Unpacked.ARCHIVE, again)).isEqualTo(-1);
    }

    @Test
    void nothingOfTheBuildingMachineIsInTheArchive() {
        List<String> entries = Unpacked.run(
                folder, "tar", "--numeric-owner", "--full-time", "--utc", "-tvzf", Unpacked.ARCHIVE.toString());
        assertThat(entries)
                .hasSizeGreaterThan(50)
                .allMatch(line -> line.matches("(d|l|-)rw(x|-)r-(x|-)r-(x|-) 0/0 +\\d+ 2026-11-01 00:00:00 weir-.*"));
        List<String> files = entries.stream()
                .filter(line -> line.startsWith("-rwx"))
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .toList();
        assertThat(files).containsExactly("weir");
    }
}
