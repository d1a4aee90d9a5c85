package io.weir.wallet.key;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The file of a seed: a header in the clear, which the cipher binds to the content, and the entropy of the mnemonic, encrypted.
 * Holds no secret. Immutable.
 *
 * <pre>
 * 8  WEIRSEED
 * 1  version of the format, 1
 * 1  how the key is made of the passphrase: 1, Argon2id 1.3
 * 1  how the content is encrypted: 1, AES-256-GCM with a tag of 16 bytes
 * 4  Argon2id: memory in KiB       4  iterations       4  lanes
 * 16 Argon2id: salt
 * 12 AES-GCM: nonce
 * 2  length of the tenant's name   n  the name in UTF-8
 * 1  length of the content         m  content and tag
 * </pre>
 */
@SuppressWarnings("ArrayRecordComponent") // Compared as the bytes of the whole file.
record SealedSeed(String tenant, KeyCost cost, byte[] salt, byte[] nonce, byte[] header, byte[] content) {

    static final int SALT_BYTES = 16;
    static final int NONCE_BYTES = 12;
    static final int TAG_BYTES = 16;
    static final int MAX_TENANT_BYTES = 256;
    /** More than any file has, and little enough to be read whole. */
    static final int MAX_FILE_BYTES = 1024;

    private static final byte[] MAGIC = "WEIRSEED".getBytes(StandardCharsets.US_ASCII);
    private static final byte VERSION = 1;
    private static final byte ARGON2ID = 1;
    private static final byte AES_GCM = 1;
    private static final int MIN_ENTROPY_BYTES = 16;
    private static final int MAX_ENTROPY_BYTES = 32;

    /** The header of a file to be, whose content is encrypted with it. */
    static byte[] header(String tenant, KeyCost cost, byte[] salt, byte[] nonce, int contentBytes) {
        byte[] name = tenant.getBytes(StandardCharsets.UTF_8);
        ByteBuffer header = ByteBuffer.allocate(
                MAGIC.length + 3 + 3 * Integer.BYTES + SALT_BYTES + NONCE_BYTES + Short.BYTES + name.length + 1);
        header.put(MAGIC).put(VERSION).put(ARGON2ID).put(AES_GCM);
        header.putInt(cost.memoryKib()).putInt(cost.iterations()).putInt(cost.lanes());
        header.put(salt).put(nonce);
        header.putShort((short) name.length).put(name);
        header.put((byte) contentBytes);
        return header.array();
    }

    /** The whole file. */
    byte[] bytes() {
        byte[] all = Arrays.copyOf(header, header.length + content.length);
        System.arraycopy(content, 0, all, header.length, content.length);
        return all;
    }

    /**
     * Reads a file.
     *
     * @throws SeedException when it is none, is of another version, or asks for what is out of bounds
     */
    static SealedSeed parse(byte[] file) throws SeedException {
        ByteBuffer in = ByteBuffer.wrap(file);
        try {
            readKind(in);
            KeyCost cost = new KeyCost(in.getInt(), in.getInt(), in.getInt());
            if (!cost.problems().isEmpty()) {
                throw new SeedException("seed file: " + cost.problems().get(0));
            }
            byte[] salt = bytes(in, SALT_BYTES);
            byte[] nonce = bytes(in, NONCE_BYTES);
            String tenant = name(in);
            int contentBytes = in.get() & 0xff;
            byte[] header = Arrays.copyOf(file, in.position());
            byte[] content = bytes(in, contentBytes);
            int entropyBytes = contentBytes - TAG_BYTES;
            if (in.hasRemaining() || entropyBytes < MIN_ENTROPY_BYTES || entropyBytes > MAX_ENTROPY_BYTES) {
                throw new SeedException("seed file: " + file.length + " bytes (expected: the file as it was written)");
            }
            return new SealedSeed(tenant, cost, salt, nonce, header, content);
        } catch (BufferUnderflowException e) {
            throw new SeedException("seed file: ends after " + file.length + " bytes (expected: the whole file)", e);
        }
    }

    private static void readKind(ByteBuffer in) throws SeedException {
        if (!Arrays.equals(bytes(in, MAGIC.length), MAGIC)) {
            throw new SeedException("seed file: begins otherwise than one (expected: a file that this wallet wrote)");
        }
        byte version = in.get();
        if (version != VERSION) {
            throw new SeedException("seed file: version " + version + " (expected: " + VERSION + ")");
        }
        if (in.get() != ARGON2ID || in.get() != AES_GCM) {
            throw new SeedException("seed file: unknown cipher (expected: Argon2id and AES-256-GCM)");
        }
    }

    private static String name(ByteBuffer in) throws SeedException {
        int length = in.getShort() & 0xffff;
        if (length == 0 || length > MAX_TENANT_BYTES) {
            throw new SeedException(
                    "seed file: a name of " + length + " bytes (expected: from 1 to " + MAX_TENANT_BYTES + ")");
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(in, length)));
            return text.toString();
        } catch (CharacterCodingException e) {
            throw new SeedException("seed file: a name that is no text (expected: UTF-8)", e);
        }
    }

    private static byte[] bytes(ByteBuffer in, int count) {
        byte[] bytes = new byte[count];
        in.get(bytes);
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SealedSeed seed && Arrays.equals(seed.bytes(), bytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return "SealedSeed of " + tenant;
    }
}
