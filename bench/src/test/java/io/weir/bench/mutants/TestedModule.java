package io.weir.bench.mutants;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.platform.launcher.Launcher;

/**
 * A module as its build left it. Compiles one of its files again, and runs its tests with the result in place of the module's own
 * classes. Confined to one thread.
 */
final class TestedModule {

    static final String PASSED = "passed";
    static final String SLOW = "took too long";

    /** Flags in the file of all modules come first, then those that a module adds. */
    private static final Pattern FLAGS = Pattern.compile("<test\\.jvm\\.(?:flags|compiler)>([^<]+)<");
    /** Those of pom.xml. */
    private static final List<String> COMPILER_OPTIONS =
            List.of("--release", "17", "-g", "-parameters", "-proc:none", "-nowarn", "-XDstringConcat=inline");

    private static final int SECONDS = 120;

    private final Path folder;
    private final Path work;
    private final String classPath;
    private final List<String> flags = new ArrayList<>();
    private final NearTests tests;

    /**
     * Reads the class path and the classes of a module.
     *
     * @param work holds everything that this program writes
     */
    TestedModule(Path folder, Path work) throws IOException, URISyntaxException {
        this.folder = folder.toAbsolutePath();
        this.work = work;
        Path target = this.folder.resolve("target");
        Path classes = target.resolve("classes");
        Path testClasses = target.resolve("test-classes");
        Path launcher = Path.of(Launcher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        this.classPath = String.join(
                File.pathSeparator,
                testClasses.toString(),
                classes.toString(),
                Files.readString(target.resolve("test-classpath.txt")).strip(),
                launcher.toString());
        for (Path pom : List.of(Path.of("pom.xml"), this.folder.resolve("pom.xml"))) {
            Matcher found = FLAGS.matcher(Files.readString(pom));
            flags.addAll(found.find() ? List.of(found.group(1).split(" ")) : List.of());
        }
        this.tests = NearTests.of(classes, testClasses);
    }

    NearTests tests() {
        return tests;
    }

    /** Compiles a file with a change, and returns whether it could. */
    boolean compile(Mutant mutant, Path output) throws IOException {
        Path file = Files.writeString(work.resolve(mutant.file().getFileName()), mutant.changed());
        List<String> arguments = new ArrayList<>(COMPILER_OPTIONS);
        arguments.addAll(List.of("-cp", classPath, "-d", output.toString(), file.toString()));
        OutputStream unread = OutputStream.nullOutputStream();
        return ToolProvider.getSystemJavaCompiler().run(null, unread, unread, arguments.toArray(String[]::new)) == 0;
    }

    /** Runs test classes until one fails, with the classes of a folder in place of the module's own. */
    Outcome run(List<String> testClasses, Path mutated) throws IOException, InterruptedException {
        return testClasses.isEmpty() ? new Outcome("", PASSED) : run(testClasses, mutated, SECONDS);
    }

    /** Runs the last test class of an outcome without a change. A class that was only slow gets half of the time. */
    Outcome runUnchanged(Outcome outcome) throws IOException, InterruptedException {
        Path nothing = Files.createDirectories(work.resolve("unchanged"));
        return run(List.of(outcome.testClass()), nothing, outcome.event().equals(SLOW) ? SECONDS / 2 : 2 * SECONDS);
    }

    private Outcome run(List<String> testClasses, Path mutated, int seconds) throws IOException, InterruptedException {
        Path report = work.resolve("report");
        Files.deleteIfExists(report);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-Dweir.test.no-class-archive=true", "-Djava.io.tmpdir=" + work.resolve("tmp")));
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(FirstFailure.class.getName(), report.toString(), Integer.toString(seconds)));
        command.addAll(testClasses);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("log").toFile());
        // Inherited by the JVMs that integration tests start.
        builder.environment().put("JDK_JAVA_OPTIONS", "-javaagent:" + work.resolve("agent.jar") + "=" + mutated);
        Process process = builder.start();
        if (!process.waitFor(3L * SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.readAllLines(report);
        String[] last = lines.get(lines.size() - 1).split("\t");
        return new Outcome(last[0], last[1]);
    }

    /**
     * How a run ended.
     *
     * @param testClass the last one
     * @param event the test that failed, or another end
     */
    record Outcome(String testClass, String event) {

        boolean passed() {
            return event.equals(PASSED);
        }

        @Override
        public String toString() {
            return testClass + ": " + event;
        }
    }
}
