package io.weir.bench.subscription;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** Program of the command line that shows a property of the proxy. */
@FunctionalInterface
public interface CheckedProgram {

    /**
     * Runs once.
     *
     * @return whether the property holds
     * @throws IllegalArgumentException if the options are wrong, or if something is missing on the machine
     */
    boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException;

    /** Runs a program and ends the process: with 0 if the property holds, 1 if it does not, and 2 if the options are wrong. */
    static void exit(CheckedProgram program, String... args) throws IOException, InterruptedException {
        try {
            System.exit(program.run(List.of(args), System.out) ? 0 : 1);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }
}
