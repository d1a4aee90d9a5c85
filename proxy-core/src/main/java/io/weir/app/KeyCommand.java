package io.weir.app;

import io.weir.access.HashedKeyRing;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code key}: commands for API keys. */
@Command(name = "key", description = "Creates API keys.", subcommands = KeyCommand.New.class)
final class KeyCommand {

    /** {@code key new NAME}: creates a key. It is shown only this once. */
    @Command(
            name = "new",
            description = "Prints a new random API key once, and the lines to paste into the configuration.")
    static final class New implements Callable<Integer> {

        private static final int KEY_BYTES = 24;

        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "The key's name, which logs and metrics show.")
        private String name;

        @Override
        public Integer call() {
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,62}")) {
                throw new ParameterException(
                        spec.commandLine(), "NAME: \"" + name + "\" (expected: letters, digits, _ and -, at most 63)");
            }
            byte[] random = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(random);
            String key = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
            byte[] digest = HashedKeyRing.sha256(key.getBytes(StandardCharsets.UTF_8));
            PrintWriter out = spec.commandLine().getOut();
            out.println("The key, shown only now:  " + key);
            out.println();
            out.println("Paste this into the configuration:");
            out.println();
            // Written as one path: a line that begins with the name "include" would be an include statement.
            out.println("access.keys." + name + " {");
            out.println("  sha256 = \"" + HexFormat.of().formatHex(digest) + "\"");
            out.println("}");
            out.flush();
            return CommandLine.ExitCode.OK;
        }
    }
}
