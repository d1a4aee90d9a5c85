package io.weir.wallet.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.l2.key.Mnemonic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileSeedVaultTest {

    private static final String WORDS = "abandon ".repeat(11) + "about";
    private static final String OTHER_WORDS =
            "legal winner thank year wave sausage worth useful legal winner thank yellow";

    @TempDir
    private Path folder;

    private static Mnemonic words(String sentence) {
        return Mnemonic.parse(sentence.toCharArray());
    }

    private static byte[] seed(String sentence) {
        try (Mnemonic mnemonic = words(sentence)) {
            return mnemonic.seed(new char[0]);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @Test
    void aSeedComesBackAsItWasKept() throws Exception {
        TestVaults.of(folder).create("demo", words(WORDS));
        try (FileSeedVault later = TestVaults.of(folder)) {
            assertThat(later.open("demo")).isEqualTo(seed(WORDS));
            assertThat(later.open("demo")).as("by the key that is remembered").isEqualTo(seed(WORDS));
        }
    }

    @Test
    void aSeedThatDoesNotOpenAndOneThatNoKeyHasAreNamed() throws Exception {
        TestVaults.of(folder).create("demo", words(WORDS));
        TestVaults.of(folder, "another passphrase").create("two", words(OTHER_WORDS));
        TestVaults.of(folder).create("shop", words(OTHER_WORDS));

        FileSeedVault vault = TestVaults.of(folder);
        assertThat(vault.hasSeeds()).isTrue();
        assertThat(vault.warnings(Set.of("demo", "two", "shop")))
                .singleElement()
                .asString()
                .startsWith("seeds: seed of two: ");
        assertThat(vault.warnings(Set.of("demo", "two", "shops")))
                .contains("seeds: one of shop (expected: the name of an API key; did you mean shops?;"
                        + " a renamed key needs its seed imported again)");
        assertThat(TestVaults.of(folder.resolve("none")).hasSeeds()).isFalse();
    }

    @Test
    void everyTenantHasItsOwn() throws Exception {
        FileSeedVault vault = TestVaults.of(folder);
        vault.create("one", words(WORDS));
        vault.create("two", words(OTHER_WORDS));
        assertThat(vault.open("one")).isEqualTo(seed(WORDS));
        assertThat(vault.open("two")).isEqualTo(seed(OTHER_WORDS));
        assertThat(vault.list()).extracting(FileSeedVault.Entry::tenant).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void neitherTheEntropyNorAWordNorThePassphraseStandsInTheFile() throws Exception {
        TestVaults.of(folder).create("demo", words(OTHER_WORDS));
        byte[] entropy = words(OTHER_WORDS).entropy();
        for (Path file : files()) {
            String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            assertThat(bytes)
                    .doesNotContain(new String(entropy, StandardCharsets.ISO_8859_1))
                    .doesNotContain("winner")
                    .doesNotContain(TestVaults.PASSPHRASE);
        }
    }

    @Test
    void filesAndFolderAreForTheUserAlone() throws Exception {
        Path seeds = folder.resolve("seeds");
        FileSeedVault vault = TestVaults.of(seeds);
        vault.create("demo", words(WORDS));
        vault.replace("demo", words(OTHER_WORDS));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(seeds)))
                .isEqualTo("rwx------");
        assertThat(files())
                .hasSize(1)
                .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------"));
    }

    @Test
    void aFirstSeedIsNeverWrittenOver() throws Exception {
        FileSeedVault vault = TestVaults.of(folder);
        vault.create("demo", words(WORDS));
        byte[] before = Files.readAllBytes(files().get(0));
        assertThatThrownBy(() -> vault.create("demo", words(OTHER_WORDS)))
                .isInstanceOf(SeedException.class)
                .hasMessage("seed of demo: there is one (expected: a tenant without)");
        assertThat(files()).hasSize(1);
        assertThat(Files.readAllBytes(files().get(0))).isEqualTo(before);
    }

    @Test
    void ofManyThatCreateAtOnceOneDoes() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Boolean> create = () -> {
                try {
                    TestVaults.of(folder).create("demo", words(WORDS));
                    return true;
                } catch (SeedException e) {
                    return false;
                }
            };
            int made = 0;
            for (Future<Boolean> one : threads.invokeAll(List.of(create, create, create, create, create, create))) {
                made += one.get() ? 1 : 0;
            }
            assertThat(made).isEqualTo(1);
            assertThat(files()).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aReplacedSeedIsTheNewOneAtOnce() throws Exception {
        FileSeedVault vault = TestVaults.of(folder);
        vault.create("demo", words(WORDS));
        assertThat(vault.open("demo")).isEqualTo(seed(WORDS));
        vault.replace("demo", words(OTHER_WORDS));
        assertThat(vault.open("demo")).isEqualTo(seed(OTHER_WORDS));
        assertThat(files()).hasSize(1);
    }

    @Test
    void aDraftThatAKilledProcessLeftIsInNobodysWay() throws Exception {
        FileSeedVault vault = TestVaults.of(folder);
        vault.create("demo", words(WORDS));
        Files.writeString(folder.resolve("0b7e.new"), "half a fi");
        assertThat(vault.list()).extracting(FileSeedVault.Entry::tenant).containsExactly("demo");
        vault.replace("demo", words(OTHER_WORDS));
        assertThat(vault.open("demo")).isEqualTo(seed(OTHER_WORDS));
    }

    @Test
    void aWrongPassphraseOpensNothingAndLeavesTheFile() throws Exception {
        TestVaults.of(folder).create("demo", words(WORDS));
        byte[] before = Files.readAllBytes(files().get(0));
        assertThatThrownBy(() -> TestVaults.of(folder, "wrong horse").open("demo"))
                .isInstanceOf(SeedException.class)
                .hasMessage(
                        "seed of demo: seed file: cannot be opened (expected: the passphrase it was made with, and the file as it"
                                + " was written)");
        assertThat(Files.readAllBytes(files().get(0))).isEqualTo(before);
        assertThat(TestVaults.of(folder).open("demo")).isEqualTo(seed(WORDS));
    }

    @Test
    void aTenantWithoutASeedIsToldHowToGetOne() {
        assertThatThrownBy(() -> TestVaults.of(folder).open("demo"))
                .isInstanceOf(SeedException.class)
                .hasMessageContaining("seed of demo: none")
                .hasMessageContaining("plugin wallet create");
    }

    @Test
    void anotherTenantsFileUnderThisOnesNameIsRefused() throws Exception {
        FileSeedVault vault = TestVaults.of(folder);
        vault.create("rich", words(WORDS));
        Path rich = files().get(0);
        vault.create("poor", words(OTHER_WORDS));
        Path poor =
                files().stream().filter(file -> !file.equals(rich)).findFirst().orElseThrow();
        Files.copy(rich, poor, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> vault.open("poor"))
                .isInstanceOf(SeedException.class)
                .hasMessageContaining("another tenant's");
        assertThat(vault.list()).filteredOn(entry -> !entry.problem().isEmpty()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../escape", "/etc/passwd", "a/b", "..", ".", "C:\\x", "ключ", "a b", "%2e%2e", "CON"})
    void noNameOfATenantLeadsOutOfTheFolder(String tenant) throws Exception {
        Path seeds = folder.resolve("inner/seeds");
        FileSeedVault vault = TestVaults.of(seeds);
        vault.create(tenant, words(WORDS));
        assertThat(vault.open(tenant)).isEqualTo(seed(WORDS));
        assertThat(files())
                .hasSize(1)
                .allSatisfy(file -> assertThat(file.getParent()).isEqualTo(seeds));
        assertThat(files().get(0).getFileName().toString()).matches("[0-9a-f]{64}\\.seed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "a\u0000b", "a\u001b[31mb", "\ud800"})
    void aNameThatWouldSpoilALineIsRefused(String tenant) throws Exception {
        assertThatThrownBy(() -> TestVaults.of(folder).create(tenant, words(WORDS)))
                .isInstanceOf(SeedException.class);
        assertThatThrownBy(() -> TestVaults.of(folder).create("x".repeat(257), words(WORDS)))
                .isInstanceOf(SeedException.class);
        assertThat(files()).isEmpty();
    }

    @Test
    void aFileThatAsksForMoreThanTheHeapIsRefusedBeforeItGetsAny() throws Exception {
        SealedSeed sealed = SeedCipher.seal(
                "demo", words(WORDS), TestVaults.PASSPHRASE.getBytes(UTF_8), TestVaults.cheap(), new SecureRandom());
        try (KeyMemory small = new KeyMemory(TestVaults.source(TestVaults.PASSPHRASE), 10L * 1024 * 1024)) {
            assertThatThrownBy(() -> small.key(sealed))
                    .isInstanceOf(SeedException.class)
                    .hasMessageContaining("8192 KiB (expected: at most half of the heap");
        }
    }

    @Test
    void noExceptionNamesAPath() throws Exception {
        Path blocked = Files.writeString(folder.resolve("file"), "not a folder");
        assertThatThrownBy(() -> TestVaults.of(blocked).create("demo", words(WORDS)))
                .isInstanceOf(SeedException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(folder.toString()));
        assertThatThrownBy(() -> TestVaults.of(blocked).open("demo"))
                .isInstanceOf(SeedException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(folder.toString()));
    }
}
