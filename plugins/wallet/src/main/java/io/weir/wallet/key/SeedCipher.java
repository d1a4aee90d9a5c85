package io.weir.wallet.key;

import io.weir.l2.key.Mnemonic;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** Encrypts and decrypts what is kept of a seed. Thread-safe. */
final class SeedCipher {

    private static final int KEY_BYTES = 32;

    private SeedCipher() {}

    /**
     * Encrypts a mnemonic's entropy for a tenant, with a salt and a nonce that were never used. Both secrets stay as they are: whoever
     * made them wipes them.
     */
    static SealedSeed seal(String tenant, Mnemonic mnemonic, byte[] passphrase, KeyCost cost, SecureRandom random) {
        byte[] salt = bytes(random, SealedSeed.SALT_BYTES);
        byte[] nonce = bytes(random, SealedSeed.NONCE_BYTES);
        byte[] key = key(passphrase, cost, salt);
        byte[] entropy = mnemonic.entropy();
        try {
            byte[] header = SealedSeed.header(tenant, cost, salt, nonce, entropy.length + SealedSeed.TAG_BYTES);
            byte[] content = cipher(Cipher.ENCRYPT_MODE, key, nonce, header).doFinal(entropy);
            return new SealedSeed(tenant, cost, salt, nonce, header, content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM: missing (expected: in every JVM)", e);
        } finally {
            Arrays.fill(key, (byte) 0);
            Arrays.fill(entropy, (byte) 0);
        }
    }

    /** The key of a file's content: whoever asks wipes it. Takes the time and the memory that the file's header says. */
    static byte[] key(byte[] passphrase, KeyCost cost, byte[] salt) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(cost.memoryKib())
                .withIterations(cost.iterations())
                .withParallelism(cost.lanes())
                .withSalt(salt)
                .build());
        byte[] key = new byte[KEY_BYTES];
        generator.generateBytes(passphrase, key);
        return key;
    }

    /**
     * Decrypts a file's content. The key stays as it is.
     *
     * @throws SeedException when the key is not its key, or a byte of the file is not as it was written: which, nobody can tell
     */
    static Mnemonic open(SealedSeed sealed, byte[] key) throws SeedException {
        byte[] entropy = {};
        try {
            entropy = cipher(Cipher.DECRYPT_MODE, key, sealed.nonce(), sealed.header())
                    .doFinal(sealed.content());
            return Mnemonic.ofEntropy(entropy);
        } catch (AEADBadTagException e) {
            throw new SeedException(
                    "seed file: cannot be opened (expected: the passphrase it was made with, and the file as it was written)",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM: missing (expected: in every JVM)", e);
        } finally {
            Arrays.fill(entropy, (byte) 0);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] header) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(SealedSeed.TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(header);
        return cipher;
    }

    private static byte[] bytes(SecureRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
