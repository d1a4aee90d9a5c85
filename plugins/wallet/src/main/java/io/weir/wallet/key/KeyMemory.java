package io.weir.wallet.key;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys of the files that were opened last, so that Argon2id runs once for a file and not at each use of a seed. A key opens one
 * file alone; a wiped memory holds none. At most one key is made at a time, for the memory it takes. Thread-safe.
 */
final class KeyMemory implements AutoCloseable {

    private static final int MAX = 256;

    private final PassphraseSource passphrase;
    private final long heapBytes;
    /** By the header of the file, salt and tenant among it. */
    private final Map<ByteBuffer, byte[]> keys = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;

    /**
     * Remembers nothing yet.
     *
     * @param heapBytes the most that the heap can be
     */
    KeyMemory(PassphraseSource passphrase, long heapBytes) {
        this.passphrase = passphrase;
        this.heapBytes = heapBytes;
    }

    /**
     * The key of a file's content: whoever asks wipes it.
     *
     * @throws SeedException when there is no passphrase, or no room to make the key
     */
    synchronized byte[] key(SealedSeed sealed) throws SeedException {
        byte[] known = keys.get(ByteBuffer.wrap(sealed.header()));
        if (known != null) {
            return known.clone();
        }
        // A file that asks for much must not end the process that reads it.
        long needed = sealed.cost().memoryKib() * 1024L;
        if (needed > heapBytes / 2) {
            throw new SeedException("seed file: memory: " + sealed.cost().memoryKib()
                    + " KiB (expected: at most half of the heap, " + heapBytes / 2048 + " KiB)");
        }
        byte[] secret = passphrase.read();
        try {
            return SeedCipher.key(secret, sealed.cost(), sealed.salt());
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }

    /** Remembers a copy of a key that has opened its file. */
    synchronized void keep(SealedSeed sealed, byte[] key) {
        ByteBuffer header = ByteBuffer.wrap(sealed.header());
        if (closed || keys.containsKey(header)) {
            return;
        }
        if (keys.size() >= MAX) {
            Iterator<byte[]> eldest = keys.values().iterator();
            Arrays.fill(eldest.next(), (byte) 0);
            eldest.remove();
        }
        keys.put(header, key.clone());
    }

    @Override
    public synchronized void close() {
        closed = true;
        keys.values().forEach(key -> Arrays.fill(key, (byte) 0));
        keys.clear();
    }
}
