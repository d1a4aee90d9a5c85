package io.weir.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RpcReply;
import io.weir.testing.PluginBuilder;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that a plugin sees, and the unloading of its own. */
@Isolated("it looks at the open files of the JVM")
class PluginClassesTest {

    private static final int CYCLES = 20;

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
    void aPluginsOwnLibraryWinsAndSharedClassesComeFromTheHost() throws Exception {
        Path library = PluginBuilder.plugin("library")
                .source("com.codahale.metrics.MetricRegistry", """
                        package com.codahale.metrics;
                        public class MetricRegistry {
                            public String own() { return "own"; }
                        }
                        """)
                .jar(temporary);
        PluginSources.serving("bringing", "test_classes", """
                        boolean shared = org.slf4j.Logger.class.getClassLoader() != getClass().getClassLoader()
                                && JsonNode.class.getClassLoader() == WeirPlugin.class.getClassLoader();
                        var registry = new com.codahale.metrics.MetricRegistry();
                        return CompletableFuture.completedFuture(JSON.stringNode(registry.own() + " "
                                + (registry.getClass().getClassLoader() == getClass().getClassLoader()) + " " + shared));
                        """)
                .library(library)
                // Shared packages that a careless build bundles stay unused.
                .source("org.slf4j.Logger", "package org.slf4j; public interface Logger {}")
                .folder(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_classes")).hasToString("Result[value=\"own true true\"]");
        }
    }

    @Test
    void aLinkToALibraryOfTheProxyIsReadInPlaceAndAnyOtherOneIsCopied() throws Exception {
        String source = "package test.%1$s; public class Origin { public static String name() { return \"%1$s\"; } }";
        Path home = Files.createDirectories(temporary.resolve("home/lib")).getParent();
        Path elsewhere = Files.createDirectories(temporary.resolve("elsewhere"));
        Path shared = PluginBuilder.plugin("shared")
                .source("test.shared.Origin", source.formatted("shared"))
                .manifest("Class-Path: unasked-1.0.0.jar\n")
                .jar(home.resolve("lib"));
        Path foreign = PluginBuilder.plugin("foreign")
                .source("test.foreign.Origin", source.formatted("foreign"))
                .jar(elsewhere);
        PluginBuilder.plugin("unasked")
                .source("test.unasked.Origin", source.formatted("unasked"))
                .jar(home.resolve("lib"));
        Path folder = PluginSources.serving("linking", "test_links", """
                        String unasked;
                        try {
                            unasked = Class.forName("test.unasked.Origin").getName();
                        } catch (ClassNotFoundException e) {
                            unasked = "none";
                        }
                        return CompletableFuture.completedFuture(JSON.stringNode(
                                test.shared.Origin.name() + " " + test.foreign.Origin.name() + " " + unasked));
                        """)
                .library(shared)
                .library(foreign)
                .packedFolder(fixture.folder);
        for (Path library : List.of(shared, foreign)) {
            Path link = folder.resolve("lib").resolve(library.getFileName());
            Files.delete(link);
            Files.createSymbolicLink(link, link.getParent().relativize(library));
        }
        System.setProperty("weir.home", home.toRealPath().toString());
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_links")).hasToString("Result[value=\"shared foreign none\"]");
            List<Path> staged = new ArrayList<>();
            for (URL url : ((URLClassLoader) host.loaders().get(0)).getURLs()) {
                staged.add(Path.of(url.toURI()));
            }
            assertThat(staged).hasSize(3);
            assertThat(Files.isSymbolicLink(staged.get(1))).isFalse();
            assertThat(Files.readSymbolicLink(staged.get(2))).isEqualTo(shared.toRealPath());
        } finally {
            System.clearProperty("weir.home");
        }
        assertThat(shared).exists();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPluginsOwnClassesWinOverThoseOfItsLibraries(boolean packed) throws Exception {
        String source = "package test; public class Origin { public static String name() { return \"%s\"; } }";
        Path library = PluginBuilder.plugin("a-library")
                .source("test.Origin", source.formatted("library"))
                .jar(temporary);
        PluginBuilder plugin = PluginSources.serving(
                        "packing",
                        "test_origin",
                        "return CompletableFuture.completedFuture(JSON.stringNode(test.Origin.name()));")
                .library(library)
                .source("test.Origin", source.formatted("plugin"));
        if (packed) {
            Path folder = plugin.packedFolder(fixture.folder);
            assertThat(folder.resolve("classes")).doesNotExist();
        } else {
            plugin.folder(fixture.folder);
        }
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_origin")).hasToString("Result[value=\"plugin\"]");
        }
    }

    @Test
    void ofBothFormsOfOwnClassesThePackedOneIsRead() throws Exception {
        PluginSources.serving(
                        "twofold",
                        "test_form",
                        "return CompletableFuture.completedFuture(JSON.stringNode(\"packed\"));")
                .packedFolder(fixture.folder);
        Files.writeString(
                Files.createDirectories(fixture.folder.resolve("twofold/classes/META-INF"))
                        .resolve("extensions.idx"),
                "test.Missing\n");
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_form")).hasToString("Result[value=\"packed\"]");
        }
    }

    @Test
    void theHostsResourcesAreNotSeen() throws Exception {
        PluginSources.serving("looking", "test_look", """
                ClassLoader classes = getClass().getClassLoader();
                return CompletableFuture.completedFuture(JSON.arrayNode()
                        .add(classes.getResource("reference.conf") == null)
                        .add(classes.getResource("logback-test.xml") == null)
                        .add(classes.getResource("io/weir/metrics/Meters.class") == null)
                        .add(classes.getResource("io/weir/api/WeirPlugin.class") != null)
                        .add(java.sql.Connection.class.getName()));
                """).jar(fixture.folder);
        try (PluginHost host = fixture.open()) {
            assertThat(reply(host, "test_look"))
                    .hasToString("Result[value=[true,true,true,true,\"java.sql.Connection\"]]");
        }
    }

    @Test
    void aPluginsFilesMayBeReplacedWhileItRuns() throws Exception {
        Path folder = PluginSources.serving(
                        "replaced",
                        "test_lazy",
                        "return CompletableFuture.completedFuture(JSON.stringNode(new Lazy().toString()));")
                .source("test.Lazy", "package test; class Lazy { public String toString() { return \"lazy\"; } }")
                .folder(fixture.folder);
        try (PluginHost host = fixture.open()) {
            Files.delete(folder.resolve("classes/test/Lazy.class"));
            assertThat(reply(host, "test_lazy")).hasToString("Result[value=\"lazy\"]");
        }
    }

    @Test
    void afterTwentyCyclesNoClassLoaderAndNoFileIsLeft() throws Exception {
        PluginSources.serving("cycling", "test_cycle", """
                        context.scheduler().scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.MILLISECONDS);
                        context.executor().execute(() -> Told.LOCAL.set(new Told("kept by a thread")));
                        context.dataFolder();
                        return context.chain().call("testnet", "eth_chainId", JSON.arrayNode())
                                .thenApply(id -> JSON.pojoNode(new Told(id.toString())));
                        """)
                .source("test.Told", """
                        package test;
                        public record Told(String id) {
                            static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
                            static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(Told.class);
                        }
                        """)
                .jar(fixture.folder);
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        List<Path> copies = new ArrayList<>();
        for (int i = 0; i < CYCLES; i++) {
            loaders.add(cycle(copies));
        }
        await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> {
            System.gc();
            assertThat(loaders).allSatisfy(loader -> assertThat(loader.get()).isNull());
        });
        assertThat(copies).hasSize(CYCLES).allSatisfy(copy -> assertThat(copy).doesNotExist());
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.map(PluginClassesTest::target))
                    .noneMatch(name -> copies.stream().anyMatch(copy -> name.startsWith(copy.toString())));
        }
    }

    private WeakReference<ClassLoader> cycle(List<Path> copies) throws Exception {
        try (PluginHost host = fixture.open()) {
            host.start(new FakeInternalCalls(call -> new RpcReply.Result(io.weir.jsonrpc.RawJson.of("\"0x1\""))));
            assertThat(reply(host, "test_cycle")).hasToString("Result[value={\"id\":\"\\\"0x1\\\"\"}]");
            URLClassLoader classes = (URLClassLoader) host.loaders().get(0);
            copies.add(Path.of(classes.getURLs()[0].toURI()));
            return new WeakReference<>(classes);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (java.io.IOException e) {
            return "";
        }
    }

    private RpcReply reply(PluginHost host, String method) throws Exception {
        return fixture.call(host, method, "[]").get(60, SECONDS);
    }
}
