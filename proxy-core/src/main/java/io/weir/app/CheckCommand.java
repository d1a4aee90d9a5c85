package io.weir.app;

import io.weir.app.start.Startup;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code check}: prints every problem of the configuration and the plugins' settings, or what stays unproven. Starts nothing. */
@Command(name = "check", description = "Checks the configuration and the plugins' settings, and starts nothing.")
final class CheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Override
    public Integer call() throws Exception {
        Startup.Checked checked = config.startup().check();
        if (checked.problems().isEmpty()) {
            PrintWriter out = spec.commandLine().getOut();
            checked.summary().forEach(out::println);
            checked.warnings().forEach(warning -> out.println("warning: " + warning));
            int count = checked.warnings().size();
            out.println(config.name() + ": no problem found" + (count == 0 ? "" : ", warnings: " + count));
            return ExitCodes.OK;
        }
        checked.problems().forEach(spec.commandLine().getOut()::println);
        return ExitCodes.PROBLEM;
    }
}
