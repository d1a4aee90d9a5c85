package io.weir.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every byte of a key's digest counts, although the first eight are enough to find its entry. */
class KeyDigestTest {

    private static final int DIGEST_BYTES = 32;
    private static final RateConfig NO_LIMIT = new RateConfig(0, 0, false);

    @Test
    void aKeyIsFoundByItsWholeDigest() throws Exception {
        assertThat(ring(digest("demo")).find("demo")).isNotNull();
    }

    @Test
    void aDigestThatDiffersInAnySingleByteIsAnotherKeys() throws Exception {
        for (int at = 0; at < DIGEST_BYTES; at++) {
            byte[] digest = digest("demo");
            digest[at] ^= 1;

            assertThat(ring(digest).find("demo")).as("byte %d differs", at).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 31})
    void theBeginningOfADigestIsNotEnough(int same) throws Exception {
        byte[] digest = digest("demo");
        for (int at = same; at < DIGEST_BYTES; at++) {
            digest[at] = 0;
        }

        assertThat(ring(digest).find("demo")).isNull();
    }

    private static byte[] digest(String key) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
    }

    private static HashedKeyRing ring(byte[] digest) {
        KeyConfig key = new KeyConfig(
                HexFormat.of().formatHex(digest),
                Set.of("*"),
                Set.of("*"),
                false,
                Unverifiable.PASS,
                NO_LIMIT,
                BoundConfig.NONE);
        return HashedKeyRing.of(new AccessConfig(false, NO_LIMIT, Map.of("demo-key", key)), TestAccounts.create());
    }
}
