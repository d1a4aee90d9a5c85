package io.weir.method.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.method.MethodFacts;
import io.weir.testing.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where the sources of the proxy write the name of a method. */
class MethodNamesTest {

    private static final Path SOURCES = Checkout.find().root().resolve("proxy-core/src/main/java/io/weir");

    @Test
    void onlyTheTableOfMethodsAndTheCallsToNodesNameAMethod() throws IOException {
        Map<String, List<String>> named = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.startsWith(SOURCES.resolve("method")))
                    .forEach(file -> named.put(file.getFileName().toString(), namesIn(file)));
        }
        assertThat(named).hasSizeGreaterThan(100);
        named.values().removeIf(List::isEmpty);
        assertThat(named).isEmpty();
    }

    private static List<String> namesIn(Path file) {
        try {
            String text = Files.readString(file);
            return MethodCatalogue.ethereum().rows().stream()
                    .map(MethodFacts::name)
                    .filter(name -> text.contains('"' + name + '"'))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
