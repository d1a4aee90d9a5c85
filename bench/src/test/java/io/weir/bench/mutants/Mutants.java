package io.weir.bench.mutants;

import static java.util.Objects.requireNonNull;

import io.weir.bench.mutants.TestedModule.Outcome;
import io.weir.bench.subscription.Arguments;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Measures how many wrong changes of the code the tests catch. Draws places of the code by a seed, makes one wrong change at a time,
 * and runs the unit tests nearest to it.
 *
 * <pre>
 * .ci/mutants [--seed S] [--count N] [--from DRAW] [--in PATH] [--tests N] [--its N]
 * </pre>
 *
 * <p>{@code --from} continues the run of a seed. {@code --in} draws only from files whose path contains a text.
 * {@code --tests} is the number of unit test classes that may run against each change; 40. {@code --its} is that of integration
 * tests, which run if no unit test fails; 0.
 */
public final class Mutants {

    private static final List<String> FOLDERS = List.of(
            "proxy-core/src/main/java/io/weir/access",
            "proxy-core/src/main/java/io/weir/cache",
            "proxy-core/src/main/java/io/weir/chain",
            "proxy-core/src/main/java/io/weir/pipeline",
            "proxy-core/src/main/java/io/weir/subscription",
            "proxy-core/src/main/java/io/weir/upstream",
            "proxy-core/src/main/java/io/weir/verify",
            "plugins/l2-crypto/src/main/java/io/weir/l2",
            "plugins/l2-deploy/src/main/java/io/weir/l2",
            "plugins/wallet/src/main/java/io/weir/wallet");
    private static final Set<String> OPTIONS = Set.of("--seed", "--count", "--from", "--in", "--tests", "--its");

    private final Arguments options;
    private final Path work;
    private final Map<String, TestedModule> modules = new HashMap<>();
    /** Mutants that were caught, and all of them, by kind and by folder. */
    private final Map<String, int[]> numbers = new TreeMap<>();

    private Mutants(Arguments options, Path work) {
        this.options = options;
        this.work = work;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException, URISyntaxException {
        Arguments options = Arguments.of(List.of(args), Set.of(), OPTIONS);
        Path work = Files.createTempDirectory("mutants");
        try {
            new Mutants(options, work).run();
        } finally {
            delete(work);
        }
    }

    private void run() throws IOException, InterruptedException, URISyntaxException {
        SwapAgent.writeJar(work.resolve("agent.jar"));
        Files.createDirectories(work.resolve("tmp"));
        long seed = options.number("--seed", System.nanoTime());
        List<Mutant> mutants = drawn(new Random(seed));
        for (String module : mutants.stream().map(Mutant::module).distinct().toList()) {
            modules.put(module, new TestedModule(Path.of(module), work));
        }
        int count = options.count("--count", 150);
        System.out.println("seed " + seed + ": " + count + " of " + mutants.size() + " places");
        int draw = options.count("--from", 0);
        for (int measured = 0; measured < count && draw < mutants.size(); draw++) {
            System.out.print("#" + draw + " ");
            measured += measure(mutants.get(draw)) ? 1 : 0;
        }
        numbers.forEach((group, of) -> System.out.println(group + ": caught " + of[0] + " of " + of[1]));
        System.out.println("to continue: --seed " + seed + " --from " + draw);
    }

    /** Returns a mutant for each place, in random order. */
    private List<Mutant> drawn(Random random) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> file.toString().contains(options.text("--in", "")))
                        .sorted()
                        .forEach(sources::add);
            }
        }
        List<Mutant> mutants = new ArrayList<>();
        for (Path source : sources) {
            for (List<Mutant> place : MutationScanner.places(source, Files.readString(source))) {
                mutants.add(place.get(random.nextInt(place.size())));
            }
        }
        Collections.shuffle(mutants, random);
        return mutants;
    }

    /** Returns whether the mutant compiled. */
    private boolean measure(Mutant mutant) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Path mutated = work.resolve("mutated");
        delete(mutated);
        Files.createDirectory(mutated);
        TestedModule module = requireNonNull(modules.get(mutant.module()));
        if (!module.compile(mutant, mutated)) {
            System.out.println("does not compile: " + mutant.title());
            return false;
        }
        NearTests tests = module.tests();
        String name = mutant.className();
        Outcome outcome = outcome(module, mutated, tests.near(name, "Test", options.count("--tests", 40)));
        if (outcome.passed()) {
            outcome = outcome(module, mutated, tests.near(name, "IT", options.count("--its", 0)));
        }
        System.out.println((outcome.passed() ? "survived" : "caught") + ", "
                + (System.nanoTime() - start) / 1_000_000_000 + " s: " + mutant.title());
        if (outcome.passed()) {
            System.out.println("    - " + mutant.lines(mutant.source().substring(mutant.start(), mutant.end())));
            System.out.println("    + " + mutant.lines(mutant.replacement()));
        } else {
            System.out.println("    " + outcome);
        }
        count(mutant, outcome.passed() ? 0 : 1);
        return true;
    }

    private void count(Mutant mutant, int caught) {
        String folder =
                FOLDERS.stream().filter(mutant.file()::startsWith).findFirst().orElseThrow();
        for (String group : List.of("all", mutant.kind(), folder)) {
            int[] of = numbers.computeIfAbsent(group, name -> new int[2]);
            of[0] += caught;
            of[1]++;
        }
    }

    /** Runs tests against a mutant. Leaves out a test that fails without the change too, or is slow. */
    private Outcome outcome(TestedModule module, Path mutated, List<String> tests)
            throws IOException, InterruptedException {
        Outcome outcome = module.run(tests, mutated);
        Outcome unchanged = outcome.passed() ? outcome : module.runUnchanged(outcome);
        if (unchanged.passed()) {
            return outcome;
        }
        System.out.print("left out " + unchanged + ", ");
        return outcome(module, mutated, tests.subList(tests.indexOf(outcome.testClass()) + 1, tests.size()));
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
