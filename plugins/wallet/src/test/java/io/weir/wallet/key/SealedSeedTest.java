package io.weir.wallet.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.l2.key.Mnemonic;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are not as they were written. */
final class SealedSeedTest {

    private static final int MEMORY_AT = 11;
    private static final int HEADER_BYTES = 11 + 12 + 16 + 12 + 2 + 4 + 1;

    @TempDir
    private static Path folder;

    private static Path file;
    private static byte[] good;

    @BeforeAll
    static void keepASeed() throws Exception {
        try (FileSeedVault vault = TestVaults.of(folder);
                Mnemonic mnemonic = Mnemonic.generate(new SecureRandom())) {
            vault.create("demo", mnemonic);
        }
        try (Stream<Path> files = Files.list(folder)) {
            file = files.findFirst().orElseThrow();
        }
        good = Files.readAllBytes(file);
    }

    private static void assertRefused(byte[] bytes, String what) throws Exception {
        Files.write(file, bytes);
        try (FileSeedVault vault = TestVaults.of(folder)) {
            assertThatThrownBy(() -> vault.open("demo")).as(what).isInstanceOf(SeedException.class);
        }
        assertThat(Files.readAllBytes(file)).as("the file after %s", what).isEqualTo(bytes);
    }

    @Test
    void theHeaderIsAsDocumented() throws Exception {
        SealedSeed parsed = SealedSeed.parse(good);
        assertThat(parsed.header()).hasSize(HEADER_BYTES);
        assertThat(parsed.content()).hasSize(32 + 16);
        assertThat(parsed.tenant()).isEqualTo("demo");
        assertThat(parsed.cost()).isEqualTo(TestVaults.cheap());
        assertThat(parsed.bytes()).isEqualTo(good);
    }

    /** Every byte, one bit of it, drawn; what the bit changes is bounded or bound to the content. */
    @Test
    void noChangedByteOpens() throws Exception {
        long seed = new SecureRandom().nextLong();
        Random random = new Random(seed);
        for (int at = 0; at < good.length; at++) {
            byte[] changed = good.clone();
            changed[at] ^= (byte) (1 << random.nextInt(8));
            assertRefused(changed, "byte " + at + " changed, seed " + seed);
        }
    }

    @Test
    void noPartOfAFileOpens() throws Exception {
        for (int length = 0; length < good.length; length++) {
            assertRefused(Arrays.copyOf(good, length), "cut to " + length);
        }
        assertRefused(Arrays.copyOf(good, good.length + 1), "a byte more");
        assertRefused(Arrays.copyOf(good, 1 << 20), "a mebibyte");
    }

    @ParameterizedTest
    @ValueSource(ints = {64 * 1024 * 1024, Integer.MAX_VALUE, -1, 0, 8191})
    void aFileCannotAskForMemoryOutOfBounds(int memoryKib) throws Exception {
        byte[] changed = good.clone();
        ByteBuffer.wrap(changed).putInt(MEMORY_AT, memoryKib);
        assertThatThrownBy(() -> SealedSeed.parse(changed))
                .isInstanceOf(SeedException.class)
                .hasMessage("seed file: memory: " + memoryKib + " KiB (expected: from 8192 KiB to 524288 KiB)");
        assertRefused(changed, "memory of " + memoryKib + " KiB");
    }

    @ParameterizedTest
    @ValueSource(ints = {17, Integer.MAX_VALUE, 0, -1})
    void norForMoreTimeThanIsAllowed(int iterations) {
        byte[] changed = good.clone();
        ByteBuffer.wrap(changed).putInt(MEMORY_AT + 4, iterations);
        assertThatThrownBy(() -> SealedSeed.parse(changed)).hasMessageContaining("iterations: " + iterations);
        byte[] lanes = good.clone();
        ByteBuffer.wrap(lanes).putInt(MEMORY_AT + 8, iterations);
        assertThatThrownBy(() -> SealedSeed.parse(lanes)).hasMessageContaining("lanes: " + iterations);
    }

    @Test
    void anotherVersionIsNamed() {
        byte[] changed = good.clone();
        changed[8] = 2;
        assertThatThrownBy(() -> SealedSeed.parse(changed)).hasMessage("seed file: version 2 (expected: 1)");
    }

    @Test
    void aSaltAndANonceAreNeverUsedTwice() throws Exception {
        try (Mnemonic mnemonic = Mnemonic.generate(new SecureRandom())) {
            byte[] passphrase = TestVaults.PASSPHRASE.getBytes(UTF_8);
            SealedSeed one = SeedCipher.seal("demo", mnemonic, passphrase, TestVaults.cheap(), new SecureRandom());
            SealedSeed two = SeedCipher.seal("demo", mnemonic, passphrase, TestVaults.cheap(), new SecureRandom());
            assertThat(one.salt()).isNotEqualTo(two.salt());
            assertThat(one.nonce()).isNotEqualTo(two.nonce());
            assertThat(one.content()).isNotEqualTo(two.content());
        }
    }
}
