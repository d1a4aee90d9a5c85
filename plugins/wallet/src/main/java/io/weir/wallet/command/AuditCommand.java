package io.weir.wallet.command;

import io.weir.api.PluginCommand;
import io.weir.wallet.audit.ChainCheck;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code audit}: verifies the audit log. Confined to the thread that runs it.
 *
 * @param file null if the log is turned off
 */
public record AuditCommand(@Nullable Path file) implements PluginCommand {

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String description() {
        return "Verifies the audit log, and prints the number of its lines and the hash of the last one.";
    }

    @Override
    public int run(List<String> arguments, PrintStream out, PrintStream err) throws IOException {
        if (!arguments.isEmpty()) {
            err.println("usage: plugin wallet audit");
            return SeedCommands.WRONG_USAGE;
        }
        if (file == null || !Files.exists(file)) {
            err.println(file == null ? "audit.file: empty (expected: the path of a file)" : file + ": no such file");
            return SeedCommands.PROBLEM;
        }
        ChainCheck.Result result = ChainCheck.check(file);
        if (result.problem() != null) {
            err.println(result.problem());
            return SeedCommands.PROBLEM;
        }
        out.println(result.lines() + " lines, last hash " + result.lastHash());
        if (result.unfinished() > 0) {
            err.println("the last line is unfinished: " + result.unfinished()
                    + " bytes (expected: none, or the proxy is writing; its next start notes a torn line)");
        }
        return SeedCommands.WELL;
    }
}
