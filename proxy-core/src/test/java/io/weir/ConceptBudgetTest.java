package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.weir.metrics.Meter;
import io.weir.pipeline.CallContext;
import io.weir.testing.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bounds what a reader must hold in mind: types, packages, lines, settings, meters, words. The numbers of this class only go down. A change
 * that takes less lowers them; a change that needs more merges something first.
 */
@Tag("rules")
class ConceptBudgetTest {

    private static final Path ROOT = Checkout.find().root();

    @Test
    void theProxyHasNoMoreTopLevelTypes() {
        assertBudget("top-level types in proxy-core", types("proxy-core").size(), 549);
    }

    @Test
    void theProxyHasNoMorePackages() {
        long packages =
                types("proxy-core").stream().map(Path::getParent).distinct().count();

        assertBudget("packages in proxy-core", packages, 63);
    }

    @ParameterizedTest
    @CsvSource({"proxy-core, 93851", "plugins/api, 4279", "plugins/wallet, 13837", "bench, 17507"})
    void noModuleHasMoreLinesOfMainCode(String module, long most) {
        assertBudget("lines of main code in " + module, sum(sources(module), ConceptBudgetTest::lines), most);
    }

    @Test
    void theProxyHasNoMoreSettings() {
        Path file = ROOT.resolve("proxy-core/src/main/resources/reference.conf");

        assertBudget(
                "settings of proxy-core",
                settings(ConfigFactory.parseFile(file.toFile()).root()),
                130);
    }

    private static long settings(ConfigValue value) {
        return value instanceof ConfigObject object && !object.isEmpty()
                // Its values() are a set, which holds equal ones once.
                ? object.entrySet().stream()
                        .mapToLong(member -> settings(member.getValue()))
                        .sum()
                : 1;
    }

    @Test
    void noMoreOfACallsStateIsMutable() {
        long fields = Stream.of(CallContext.class.getDeclaredFields())
                .filter(field -> !Modifier.isFinal(field.getModifiers()))
                .count();

        assertBudget("mutable fields of CallContext", fields, 8);
    }

    @Test
    void thereAreNoMoreMeters() {
        assertBudget("meters", Meter.values().length, 106);
    }

    @Test
    void theReferencePagesHaveNoMoreWords() {
        List<Path> pages = List.of(ROOT.resolve("conf/settings.md"), ROOT.resolve("conf/operations.md"));

        assertBudget("words of conf/settings.md and conf/operations.md", sum(pages, ConceptBudgetTest::words), 16_972);
    }

    @ParameterizedTest
    @CsvSource({"README.md, 1200", "conf/README.md, 1800"})
    void thePagesThatAreReadFirstHaveNoMoreWords(String page, long most) {
        assertBudget("words of " + page, words(ROOT.resolve(page)), most);
    }

    private static void assertBudget(String what, long now, long most) {
        assertThat(now)
                .as(
                        "%s: %d (expected: at most %d). Look for the mechanism that already holds the idea, and merge.",
                        what, now, most)
                .isLessThanOrEqualTo(most);
    }

    private static List<Path> types(String module) {
        return sources(module).stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .toList();
    }

    private static List<Path> sources(String module) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sum(List<Path> files, ToLongFunction<Path> measure) {
        assertThat(files).isNotEmpty();
        return files.stream().mapToLong(measure).sum();
    }

    private static long lines(Path file) {
        return text(file).lines().count();
    }

    private static long words(Path file) {
        return text(file).trim().split("\\s+").length;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
