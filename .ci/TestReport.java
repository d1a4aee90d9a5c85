import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Reads the reports of surefire and failsafe in a checkout, and prints what a reader of the build must know: the tests that passed only when
 * they ran once more, and those that were skipped, with the reasons. The build runs it at its end and keeps the first list in
 * {@code target/flaky-tests.txt}. With {@code --times} it prints where the time went: seconds by module, the time in which fewer classes ran
 * than the machine has processors, the dearest classes and tests.
 *
 * <pre>java .ci/TestReport.java [--times] [FOLDER]</pre>
 */
final class TestReport {

    private static final int ROWS = 50;
    private static final int MESSAGE_LENGTH = 200;
    private static final Set<String> SKIPPED_FOLDERS = Set.of("node_modules", ".git", "src", "quick", "strict");

    /** A class that ran. It ended when its report was written. */
    private record Run(String module, String kind, String name, double seconds, double end) {

        String group() {
            return module + ' ' + kind;
        }

        double start() {
            return end - seconds;
        }
    }

    /** A test that ran. The failure of a first run and the reason of a skipped one are null for others. */
    private record Test(Run run, String name, double seconds, String firstFailure, String skipped) {}

    private final Path root;
    private final List<Run> runs = new ArrayList<>();
    private final List<Test> tests = new ArrayList<>();

    private TestReport(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        Locale.setDefault(Locale.ROOT);
        List<String> rest = new ArrayList<>(List.of(arguments));
        boolean times = rest.remove("--times");
        Path folder = Path.of(rest.isEmpty() ? "" : rest.get(0)).toAbsolutePath().normalize();
        TestReport report = new TestReport(folder);
        report.read();
        if (times) {
            report.printTimes();
        } else {
            report.printExceptions();
        }
    }

    private void read() throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED_FOLDERS.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String folder = file.getParent().getFileName().toString();
                if (folder.endsWith("-reports") && file.getFileName().toString().matches("TEST-.*\\.xml")) {
                    readReport(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private void readReport(Path file) throws IOException {
        Element suite = parsed(file);
        Path reports = file.getParent();
        Run run = new Run(
                root.relativize(reports.getParent().getParent()).toString(),
                reports.getFileName().toString().startsWith("failsafe") ? "integration" : "unit",
                suite.getAttribute("name"),
                Double.parseDouble(suite.getAttribute("time")),
                Files.getLastModifiedTime(file).toMillis() / 1000.0);
        runs.add(run);
        for (Node child = suite.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element test && test.getTagName().equals("testcase")) {
                tests.add(new Test(
                        run,
                        test.getAttribute("classname") + '#' + test.getAttribute("name"),
                        Double.parseDouble(test.getAttribute("time")),
                        message(test, "flakyFailure", "flakyError"),
                        message(test, "skipped")));
            }
        }
    }

    private static Element parsed(Path file) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (Exception e) {
            throw new IOException(file + " is no report of tests", e);
        }
    }

    /** Returns the message of the first child with one of these names, or null if there is none. */
    private static String message(Element test, String... names) {
        for (String name : names) {
            if (test.getElementsByTagName(name).item(0) instanceof Element found) {
                String text = found.getAttribute("message").isEmpty() ? found.getTextContent() : found.getAttribute("message");
                // The message of an assumption of AssertJ begins with the end of a line.
                String line = text.strip()
                        .replaceFirst("^[\\w.]+(Exception|Error):\\s*", "")
                        .replaceFirst("^assumption was not met due to: \\[(.*)]", "$1")
                        .lines()
                        .findFirst()
                        .orElse("")
                        .strip();
                return line.length() > MESSAGE_LENGTH ? line.substring(0, MESSAGE_LENGTH) + "…" : line;
            }
        }
        return null;
    }

    private void printExceptions() throws IOException {
        List<String> flaky = tests.stream()
                .filter(test -> test.firstFailure() != null)
                .map(test -> test.name() + ": " + test.firstFailure())
                .sorted()
                .toList();
        Files.createDirectories(root.resolve("target"));
        Files.write(root.resolve("target/flaky-tests.txt"), flaky);
        System.out.printf("%d tests failed at first and passed when they ran once more.%n", flaky.size());
        flaky.forEach(line -> System.out.println("  " + line));

        Map<String, List<Test>> skipped = tests.stream()
                .filter(test -> test.skipped() != null)
                .collect(Collectors.groupingBy(Test::skipped, TreeMap::new, Collectors.toList()));
        System.out.printf(
                "%d tests were skipped.%n",
                skipped.values().stream().mapToInt(List::size).sum());
        skipped.forEach((reason, group) -> {
            System.out.printf("  %d: %s%n", group.size(), reason);
            group.stream().map(test -> test.run().name()).distinct().sorted().forEach(name -> System.out.println("    " + name));
        });
    }

    private void printTimes() {
        int processors = Runtime.getRuntime().availableProcessors();
        Map<String, List<Run>> groups =
                runs.stream().collect(Collectors.groupingBy(Run::group, TreeMap::new, Collectors.toList()));
        Map<String, Long> counts =
                tests.stream().collect(Collectors.groupingBy(test -> test.run().group(), HashMap::new, Collectors.counting()));
        System.out.printf(
                "%-32s %7s %7s %9s %7s %12s%n", "", "classes", "tests", "seconds", "wall", "below " + processors);
        groups.forEach((name, group) -> System.out.printf(
                "%-32s %7d %7d %9.1f %7.1f %12.1f%n",
                name,
                group.size(),
                counts.getOrDefault(name, 0L),
                group.stream().mapToDouble(Run::seconds).sum(),
                group.stream().mapToDouble(Run::end).max().orElse(0)
                        - group.stream().mapToDouble(Run::start).min().orElse(0),
                secondsBelow(group, processors)));
        printDearest("classes", runs, Run::name, Run::seconds);
        printDearest("tests", tests, Test::name, Test::seconds);
    }

    private static <T> void printDearest(
            String what, List<T> all, Function<T, String> name, Function<T, Double> seconds) {
        System.out.printf("%nThe dearest %s%n", what);
        all.stream()
                .sorted(Comparator.comparing(seconds).reversed())
                .limit(ROWS)
                .forEach(one -> System.out.printf("%9.1f  %s%n", seconds.apply(one), name.apply(one)));
    }

    /** Returns the seconds between the first start and the last end in which fewer classes than this ran. */
    private static double secondsBelow(List<Run> group, int count) {
        Map<Double, Integer> changes = new TreeMap<>();
        for (Run run : group) {
            changes.merge(run.start(), 1, Integer::sum);
            changes.merge(run.end(), -1, Integer::sum);
        }
        double seconds = 0;
        double before = 0;
        int running = 0;
        for (Map.Entry<Double, Integer> change : changes.entrySet()) {
            if (before > 0 && running < count) {
                seconds += change.getKey() - before;
            }
            running += change.getValue();
            before = change.getKey();
        }
        return seconds;
    }
}
