package io.weir;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that classes do not know each other in large cycles, and that each name means one type. */
@Tag("rules")
class ClassStructureTest {

    private static final String OWN = "io.weir.";
    private static final int MAX_CYCLE = 3;

    /** A line of jdeps about a reference, such as {@code io.weir.app.Main -> io.weir.config.WeirConfig weir.jar}. */
    private static final Pattern REFERENCE = Pattern.compile("^ +io\\.weir\\.(\\S+) +-> +(\\S+)");

    /** Top-level classes with those that each refers to; nested classes are part of theirs. */
    private static final Map<String, Set<String>> REFERENCES = references();

    @Test
    void noCycleHasMoreThanThreeTopLevelClasses() {
        List<Set<String>> large = new Cycles(REFERENCES)
                .all().stream().filter(cycle -> cycle.size() > MAX_CYCLE).toList();

        assertThat(large).isEmpty();
    }

    @Test
    void cyclesAreFound() {
        Map<String, Set<String>> references = Map.of(
                "a", Set.of("b"), "b", Set.of("c", "d"), "c", Set.of("a"), "d", Set.of("e"), "e", Set.of("d", "f"));

        assertThat(new Cycles(references).all())
                .containsExactlyInAnyOrder(Set.of("a", "b", "c"), Set.of("d", "e"), Set.of("f"));
    }

    @Test
    void everyTopLevelNameMeansOneType() {
        Map<String, List<String>> byName =
                REFERENCES.keySet().stream().collect(groupingBy(type -> type.substring(type.lastIndexOf('.') + 1)));

        assertThat(byName).hasSizeGreaterThan(100);
        assertThat(byName.values()).allSatisfy(types -> assertThat(types).hasSize(1));
    }

    /** As jdeps sees them, which unlike ArchUnit counts the permitted classes of a sealed one. */
    private static Map<String, Set<String>> references() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String classes =
                Main.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        int status = ToolProvider.findFirst("jdeps")
                .orElseThrow(() -> new AssertionError("jdeps is missing (expected: a JDK)"))
                .run(new PrintWriter(out), new PrintWriter(err), "-v", "-filter:none", classes);
        assertThat(status).as("jdeps %s: %s", classes, err).isZero();
        Map<String, Set<String>> references = new HashMap<>();
        out.toString().lines().map(REFERENCE::matcher).filter(Matcher::find).forEach(reference -> {
            Set<String> targets = references.computeIfAbsent(topLevel(reference.group(1)), name -> new TreeSet<>());
            if (reference.group(2).startsWith(OWN)) {
                targets.add(topLevel(reference.group(2).substring(OWN.length())));
            }
        });
        references.keySet().removeIf(name -> name.endsWith("package-info"));
        return references;
    }

    private static String topLevel(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /** Strongly connected components, by Tarjan's algorithm. */
    private static final class Cycles {

        private final Map<String, Set<String>> references;
        private final Map<String, Integer> indexes = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<Set<String>> found = new ArrayList<>();

        Cycles(Map<String, Set<String>> references) {
            this.references = references;
        }

        List<Set<String>> all() {
            for (String name : references.keySet()) {
                if (!indexes.containsKey(name)) {
                    visit(name);
                }
            }
            return found;
        }

        private void visit(String name) {
            int index = indexes.size();
            indexes.put(name, index);
            lowest.put(name, index);
            open.push(name);
            for (String target : references.getOrDefault(name, Set.of())) {
                if (!indexes.containsKey(target)) {
                    visit(target);
                    lowest.merge(name, lowest.get(target), Math::min);
                } else if (open.contains(target)) {
                    lowest.merge(name, indexes.get(target), Math::min);
                }
            }
            if (lowest.get(name) == index) {
                Set<String> cycle = new TreeSet<>();
                while (cycle.add(open.pop()) && !cycle.contains(name)) {
                    // Down to the first of the cycle that was visited.
                }
                found.add(cycle);
            }
        }
    }
}
