package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weir.testing.Machine;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The bill of materials in the archive, compared with the files of the archive. */
final class BillOfMaterialsIT {

    private static final Pattern PACKAGE =
            Pattern.compile("pkg:maven/[^/]+/([^@]+)@([^?]+)\\?(?:classifier=([^&]+)&)?type=jar");

    @TempDir
    private static Path folder;

    private static Path home;
    private static JsonNode bill;

    @BeforeAll
    static void unpack() throws IOException {
        Machine.assumeProgram("tar", "apt-get install tar");
        home = new Unpacked(folder).home();
        Path file = home.resolve("weir.cdx.json");
        assumeThat(file)
                .as("the archive has no bill of materials: mvn -DskipTests package, without -o")
                .exists();
        bill = JsonMapper.shared().readTree(file.toFile());
    }

    @Test
    void itListsTheJarsAndPluginsOfTheArchiveAndNothingElse() throws IOException {
        Set<String> shipped = new TreeSet<>();
        try (Stream<Path> files = Files.walk(home)) {
            // A plugin's own classes are the component of the plugin, below.
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar")
                            && !Set.of("weir.jar", "classes.jar").contains(name))
                    .forEach(shipped::add);
        }
        String version = bill.at("/metadata/component/version").asString();
        shipped.add("weir-core-" + version + ".jar");
        try (Stream<Path> plugins = Files.list(home.resolve("plugins"))) {
            plugins.forEach(plugin -> shipped.add("weir-" + plugin.getFileName() + "-" + version + ".jar"));
        }

        List<String> listed = new ArrayList<>();
        for (JsonNode component : bill.path("components")) {
            listed.add(file(component));
        }

        assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(shipped);
    }

    @Test
    void eachComponentHasAHashAndALicence() {
        for (JsonNode component : bill.path("components")) {
            assertThat(component.path("licenses")).as(component.toString()).isNotEmpty();
            assertThat(component
                            .path("hashes")
                            .valueStream()
                            .map(hash -> hash.path("alg").asString()))
                    .as(component.toString())
                    .contains("SHA-256");
        }
    }

    /** A library of the archive may be a part of the one that its authors published. */
    @Test
    void theHashesAreThoseOfTheShippedLibraries() throws Exception {
        Map<String, String> listed = new TreeMap<>();
        for (JsonNode component : bill.path("components")) {
            component
                    .path("hashes")
                    .valueStream()
                    .filter(hash -> hash.path("alg").asString().equals("SHA-256"))
                    .forEach(hash ->
                            listed.put(file(component), hash.path("content").asString()));
        }
        Map<String, String> shipped = new TreeMap<>();
        try (DirectoryStream<Path> libraries = Files.newDirectoryStream(home.resolve("lib"))) {
            for (Path library : libraries) {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(library));
                shipped.put(library.getFileName().toString(), HexFormat.of().formatHex(hash));
            }
        }
        assertThat(listed).containsAllEntriesOf(shipped);
    }

    /** Returns the name of a component's file. */
    private static String file(JsonNode component) {
        Matcher parts = PACKAGE.matcher(component.path("purl").asString());
        assertThat(parts.matches()).as(component.toString()).isTrue();
        String classifier = parts.group(3) == null ? "" : "-" + parts.group(3);
        return parts.group(1) + "-" + parts.group(2) + classifier + ".jar";
    }

    @Test
    void nothingInItDependsOnTheTimeOfTheBuild() {
        JsonNode metadata = bill.path("metadata");
        assertThat(metadata.has("timestamp")).isFalse();
        assertThat(metadata.path("properties")
                        .valueStream()
                        .map(JsonNode::toString)
                        .collect(Collectors.joining()))
                .contains("cdx:reproducible");
    }
}
