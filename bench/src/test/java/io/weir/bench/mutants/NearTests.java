package io.weir.bench.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * The test classes of a module, in the order of their distance from a class. Nested classes belong to the class around them.
 * Immutable.
 *
 * @param users the classes that refer to a class, by its name
 */
record NearTests(Map<String, Set<String>> users) {

    private static final Pattern REFERENCE = Pattern.compile(" +(io\\.weir\\.[^ $]+)[^ ]* +-> (io\\.weir\\.[^ $]+).*");
    private static final Pattern WORDS = Pattern.compile("\\.|(?<=[a-z])(?=[A-Z])");
    /** References further away say little. */
    private static final int FAR = 3;

    /** Reads which classes refer to which. */
    static NearTests of(Path classes, Path testClasses) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(new PrintStream(lines), System.err, "-v", "--ignore-missing-deps", classes + "", testClasses + "");
        Map<String, Set<String>> users = new HashMap<>();
        for (String line : lines.toString(UTF_8).split("\n")) {
            Matcher reference = REFERENCE.matcher(line);
            if (reference.matches()) {
                users.computeIfAbsent(reference.group(2), name -> new TreeSet<>())
                        .add(reference.group(1));
            }
        }
        return new NearTests(users);
    }

    /**
     * Returns the test classes nearest to a class. Its own test comes first, then those that reach it through few references. Of
     * equally near ones come first those of its package, then those whose names have words in common with its name.
     *
     * @param suffix ends the names of the test classes
     */
    List<String> near(String name, String suffix, int max) {
        Map<String, Integer> distances = distances(name);
        List<String> words = words(name);
        String folder = name.substring(0, name.lastIndexOf('.') + 1);
        return users.values().stream()
                .flatMap(Set::stream)
                .filter(test -> test.endsWith(suffix))
                .distinct()
                .sorted(Comparator.comparing((String test) -> !test.startsWith(name))
                        .thenComparing(test -> 2 * Math.min(distances.getOrDefault(test, FAR), FAR)
                                + (test.startsWith(folder) ? 0 : 1))
                        .thenComparing(test ->
                                -words(test).stream().filter(words::contains).count())
                        .thenComparing(Comparator.naturalOrder()))
                .limit(max)
                .toList();
    }

    /** Returns how many references lead from each class to this one. */
    private Map<String, Integer> distances(String name) {
        Map<String, Integer> distances = new HashMap<>(Map.of(name, 0));
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            String used = open.remove();
            for (String user : users.getOrDefault(used, Set.of())) {
                if (distances.putIfAbsent(user, distances.getOrDefault(used, 0) + 1) == null) {
                    open.add(user);
                }
            }
        }
        return distances;
    }

    private static List<String> words(String name) {
        return WORDS.splitAsStream(name)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }
}
