package io.weir.wallet.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.PluginCommand;
import io.weir.l2.key.Mnemonic;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SeedCommandsTest {

    private static final String WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";

    private static final Set<String> TENANTS = Set.of("demo", "shop");

    @TempDir
    private Path folder;

    private FileSeedVault vault;
    private String passphrase = "correct horse";
    private String out = "";
    private String err = "";

    @BeforeEach
    void openVault() {
        SeedSettings settings = new SeedSettings(null, "PASSPHRASE", 8 << 20);
        vault = new FileSeedVault(folder, settings, name -> passphrase, new SecureRandom());
    }

    private int run(String input, String... words) throws Exception {
        ByteArrayOutputStream toOut = new ByteArrayOutputStream();
        int code = run(input, new PrintStream(toOut, true, UTF_8), words);
        out = toOut.toString(UTF_8);
        return code;
    }

    private int run(String input, PrintStream toOut, String... words) throws Exception {
        ByteArrayOutputStream toErr = new ByteArrayOutputStream();
        List<String> all = List.of(words);
        PluginCommand command =
                SeedCommands.all(vault, TENANTS, new SecureRandom(), new ByteArrayInputStream(input.getBytes(US_ASCII)))
                        .stream()
                        .filter(one -> one.name().equals(all.get(0)))
                        .findFirst()
                        .orElseThrow();
        int code = command.run(all.subList(1, all.size()), toOut, new PrintStream(toErr, true, UTF_8));
        err = toErr.toString(UTF_8);
        return code;
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        }
    }

    @Test
    void createShowsTheWordsOfTheSeedThatItKeeps() throws Exception {
        assertThat(run("", "create", "demo")).isZero();
        assertThat(err).contains("shown now and never again");
        assertThat(out.strip().split(" ")).hasSize(24);
        try (Mnemonic shown = Mnemonic.parse(out.toCharArray())) {
            assertThat(vault.open("demo")).isEqualTo(shown.seed(new char[0]));
        }
        String words = out.strip();
        assertThat(run("", "list")).isZero();
        assertThat(out).isEqualTo("demo" + System.lineSeparator());
        assertThat(out + err).doesNotContain(words.split(" ")[0] + " " + words.split(" ")[1]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "import"})
    void aTenantThatIsNoKeyGetsNoSeed(String command) throws Exception {
        assertThat(run(WORDS, command, "dmo")).isEqualTo(1);
        assertThat(err.strip())
                .isEqualTo("tenant: dmo (expected: the name of an API key in access.keys; did you mean demo?)");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void deleteShowsNoWordAndDeletesNothingBeforeTheNameIsTyped() throws Exception {
        run(WORDS, "import", "demo");
        for (String typed : List.of("", "dem", "demon\n", "other\n")) {
            assertThat(run(typed, "delete", "demo")).as(typed).isEqualTo(1);
            assertThat(out).isEmpty();
            assertThat(err).contains("nothing is shown or deleted").doesNotContain("winner");
        }
        assertThat(vault.list()).hasSize(1);
        assertThat(run("demo\n", "delete", "demo")).isZero();
        assertThat(out.strip()).isEqualTo(WORDS);
        assertThat(vault.list()).isEmpty();
        assertThat(run("demo\n", "delete", "demo")).isEqualTo(1);
        assertThat(err).contains("seed of demo: none");
    }

    @Test
    void deleteAsksNobodyWhoIsSureAndKeepsWhatItCannotShow() throws Exception {
        run(WORDS, "import", "demo");
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left");
            }
        };
        assertThat(run("", new PrintStream(full, true, UTF_8), "delete", "--yes", "demo"))
                .isEqualTo(1);
        assertThat(vault.list()).hasSize(1);
        assertThat(run("", "delete", "--yes", "demo")).isZero();
        assertThat(out.strip()).isEqualTo(WORDS);
        assertThat(vault.list()).isEmpty();
    }

    @Test
    void createNeverTouchesASeedThatIsThere() throws Exception {
        run("", "create", "demo");
        byte[] seed = vault.open("demo");
        assertThat(run("", "create", "demo")).isEqualTo(1);
        assertThat(err).isEqualTo("seed of demo: there is one (expected: a tenant without)" + System.lineSeparator());
        assertThat(out).isEmpty();
        assertThat(vault.open("demo")).isEqualTo(seed);
    }

    @Test
    void wordsThatNobodySawAreNotKept() throws Exception {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space left");
            }
        };
        assertThat(run("", new PrintStream(full, true, UTF_8), "create", "demo"))
                .isEqualTo(1);
        assertThat(err).contains("words: could not be shown");
        assertThat(files()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {WORDS, WORDS + "\n", "\n  \n" + WORDS + "\nmore lines\n", "  " + WORDS + "\r\n"})
    void importKeepsTheSeedOfTheWordsItReads(String input) throws Exception {
        assertThat(run(input, "import", "demo")).as(err).isZero();
        try (Mnemonic mnemonic = Mnemonic.parse(WORDS.toCharArray())) {
            assertThat(vault.open("demo")).isEqualTo(mnemonic.seed(new char[0]));
        }
        assertThat(out + err).doesNotContain("winner");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "legal winner", "legal winner thank year wave sausage worth useful legal winner thank legal"
            })
    void wrongWordsAreRefusedWithoutBeingRepeated(String input) throws Exception {
        assertThat(run(input, "import", "demo")).isEqualTo(1);
        assertThat(err).startsWith("mnemonic: ").doesNotContain("winner");
        assertThat(files()).isZero();
    }

    @Test
    void moreThanWordsCanBeIsRefused() throws Exception {
        assertThat(run("a".repeat(5000), "import", "demo")).isEqualTo(1);
        assertThat(err).contains("more than 4096 bytes");
    }

    @Test
    void importReplacesOnlyWhereItIsTold() throws Exception {
        run("", "create", "demo");
        assertThat(run(WORDS, "import", "demo")).isEqualTo(1);
        assertThat(err).contains("there is one");
        assertThat(run(WORDS, "import", "--replace", "demo")).isZero();
        try (Mnemonic mnemonic = Mnemonic.parse(WORDS.toCharArray())) {
            assertThat(vault.open("demo")).isEqualTo(mnemonic.seed(new char[0]));
        }
    }

    @Test
    void withoutAPassphraseNothingIsMade() throws Exception {
        passphrase = "short";
        assertThat(run("", "create", "demo")).isEqualTo(1);
        assertThat(err).contains("passphrase: 5 bytes (expected: from 8 to 1024)");
        assertThat(out).isEmpty();
        assertThat(files()).isZero();
    }

    @Test
    void listNamesFilesThatAreNone() throws Exception {
        run("", "create", "demo");
        Files.writeString(folder.resolve("00.seed"), "garbage");
        assertThat(run("", "list")).isEqualTo(1);
        assertThat(out.strip()).isEqualTo("demo");
        assertThat(err).startsWith("00.seed: seed file: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "create one two", "create --help", "import", "import --force demo", "list demo"})
    void wrongUsageIsSaidWithTheExitCodeForIt(String line) throws Exception {
        assertThat(run("", line.split(" "))).isEqualTo(2);
        assertThat(err).startsWith("usage: plugin wallet " + line.split(" ")[0]);
        assertThat(files()).isZero();
    }
}
