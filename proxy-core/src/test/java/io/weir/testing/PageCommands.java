package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The shell commands of a page of the checkout, run as a reader would run them. Confined to one thread. */
public final class PageCommands {

    private static final Path ROOT = Checkout.find().root();
    private static final List<String> LINKS = List.of("conf", "plugins", "proxy-core");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> commands;

    /**
     * Reads a page.
     *
     * @param page its path in the checkout
     */
    public PageCommands(String page) throws IOException {
        this(page, any -> true);
    }

    /**
     * Reads a page of which other tests run some blocks.
     *
     * @param page its path in the checkout
     * @param chosen whether to run a block
     */
    public PageCommands(String page, Predicate<String> chosen) throws IOException {
        this.commands = MarkdownBlocks.of(ROOT.resolve(page)).in("sh").stream()
                .filter(chosen)
                .toList();
    }

    /** Returns the number of blocks of commands. */
    public int size() {
        return commands.size();
    }

    /**
     * Runs each block of commands in a folder that looks like the checkout. A block must succeed and print something that is no
     * error.
     *
     * @param folder takes the files that commands write
     * @param here replaces addresses in a block by those of the running proxy
     */
    public void run(Path folder, UnaryOperator<String> here) throws IOException {
        Machine.assumeProgram("curl", "apt-get install curl");
        Machine.assumeProgram("openssl", "apt-get install openssl");
        Path checkout = likeTheCheckout(folder);
        for (String command : commands) {
            List<String> bash = List.of("bash", "-euo", "pipefail", "-c", here.apply(command));
            try (ChildProcess run = ChildProcess.start(command, checkout, Map.of(), bash)) {
                assertThat(run.awaitExit(PATIENCE)).as(command + run.told()).isZero();
                assertThat(run.out())
                        .as(command)
                        .isNotEmpty()
                        .noneMatch(line -> line.contains("expected:") || line.contains("\"code\":-32"));
            }
        }
        for (String name : LINKS) {
            Files.delete(checkout.resolve(name));
        }
    }

    private static Path likeTheCheckout(Path folder) throws IOException {
        Path checkout = Files.createTempDirectory(folder, "checkout");
        for (String name : LINKS) {
            Files.createSymbolicLink(checkout.resolve(name), ROOT.resolve(name));
        }
        Files.writeString(checkout.resolve("words"), "test ".repeat(11) + "junk\n");
        return checkout;
    }
}
