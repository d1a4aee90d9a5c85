package io.weir.wallet.key;

import io.weir.api.setting.NearestName;
import io.weir.l2.key.Mnemonic;
import io.weir.wallet.state.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The seeds in files, one for each tenant. Reads a tenant's file each time, so that a seed made by a command is there at once.
 * Thread-safe.
 */
public final class FileSeedVault implements SeedVault, AutoCloseable {

    /** A tenant's file as {@link #list} tells of it: the name that it bears, or what is wrong with it, one of them empty. */
    public record Entry(String tenant, String problem) {}

    /** Seeds that are opened to see whether they can be: a few show that the passphrase is theirs. */
    private static final int MOST_OPENED = 16;

    private final SeedFiles files;
    private final PassphraseSource passphrases;
    private final KeyCost cost;
    private final KeyMemory keys;
    private final SecureRandom random;

    /**
     * The seeds of a folder.
     *
     * @param folder made when the first seed is kept
     * @param environment gives a variable of the environment, or null
     */
    public FileSeedVault(
            Path folder, SeedSettings settings, UnaryOperator<@Nullable String> environment, SecureRandom random) {
        this(folder, settings.passphrase(environment), settings.cost(), random);
    }

    FileSeedVault(Path folder, PassphraseSource passphrases, KeyCost cost, SecureRandom random) {
        this.files = new SeedFiles(folder);
        this.passphrases = passphrases;
        this.cost = cost;
        this.keys = new KeyMemory(passphrases, Runtime.getRuntime().maxMemory());
        this.random = random;
    }

    @Override
    public byte[] open(String tenant) throws SeedException {
        try (Mnemonic mnemonic = mnemonic(tenant)) {
            return mnemonic.seed(new char[0]);
        }
    }

    /**
     * Opens a tenant's mnemonic: whoever asks closes it.
     *
     * @throws SeedException when there is none, or it cannot be opened
     */
    public Mnemonic mnemonic(String tenant) throws SeedException {
        checkName(tenant);
        byte[] file = read(tenant);
        if (file == null) {
            throw new SeedException(
                    "seed of " + tenant + ": none (expected: one made by the command: plugin wallet create)");
        }
        try {
            SealedSeed sealed = SealedSeed.parse(file);
            if (!sealed.tenant().equals(tenant)) {
                throw new SeedException("seed file: another tenant's (expected: that of " + tenant + ")");
            }
            byte[] key = keys.key(sealed);
            try {
                Mnemonic mnemonic = SeedCipher.open(sealed, key);
                keys.keep(sealed, key);
                return mnemonic;
            } finally {
                Arrays.fill(key, (byte) 0);
            }
        } catch (SeedException e) {
            throw new SeedException("seed of " + tenant + ": " + e.getMessage(), e);
        }
    }

    private byte @Nullable [] read(String tenant) throws SeedException {
        try {
            return files.read(tenant);
        } catch (IOException e) {
            throw unreadable(tenant, "read", e);
        }
    }

    /**
     * Keeps a tenant's first seed. The mnemonic stays open.
     *
     * @throws SeedException when the tenant has one, or it cannot be written
     */
    public void create(String tenant, Mnemonic mnemonic) throws SeedException {
        byte[] sealed = sealed(tenant, mnemonic);
        try {
            files.create(tenant, sealed);
        } catch (FileAlreadyExistsException e) {
            throw new SeedException("seed of " + tenant + ": there is one (expected: a tenant without)", e);
        } catch (IOException e) {
            throw unreadable(tenant, "written", e);
        }
    }

    /** Keeps a tenant's seed in place of the one it has, if any: that one is gone. The mnemonic stays open. */
    public void replace(String tenant, Mnemonic mnemonic) throws SeedException {
        byte[] sealed = sealed(tenant, mnemonic);
        try {
            files.replace(tenant, sealed);
        } catch (IOException e) {
            throw unreadable(tenant, "written", e);
        }
    }

    /** Takes a tenant's seed away for good. */
    public void delete(String tenant) throws SeedException {
        try {
            files.delete(tenant);
        } catch (IOException e) {
            throw unreadable(tenant, "deleted", e);
        }
    }

    private byte[] sealed(String tenant, Mnemonic mnemonic) throws SeedException {
        checkName(tenant);
        byte[] passphrase = passphrases.read();
        try {
            return SeedCipher.seal(tenant, mnemonic, passphrase, cost, random).bytes();
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    /** The tenants that have a seed, and the files that are none. Needs no passphrase: what it tells is not proven. */
    public List<Entry> list() throws SeedException {
        List<Entry> entries = new ArrayList<>();
        try {
            for (Path file : files.all()) {
                entries.add(entry(file));
            }
        } catch (IOException e) {
            throw new SeedException(
                    "seeds: their folder cannot be read: " + e.getClass().getSimpleName(), e);
        }
        return entries;
    }

    private Entry entry(Path file) throws IOException {
        try {
            String tenant = SealedSeed.parse(files.bytes(file)).tenant();
            checkName(tenant);
            return files.holds(file, tenant)
                    ? new Entry(tenant, "")
                    : new Entry(
                            "",
                            file.getFileName() + ": another file's content (expected: the file where it was written)");
        } catch (SeedException e) {
            return new Entry("", file.getFileName() + ": " + e.getMessage());
        }
    }

    /**
     * Says what keeps seeds from being used, one line each as {@code setting: found (expected: rule)}. Opens some of the seeds, which takes up
     * to a second each.
     *
     * @param tenants the names of those who can call
     */
    public List<String> warnings(Set<String> tenants) {
        List<String> lines = new ArrayList<>();
        passphrase(lines);
        boolean readable = lines.isEmpty();
        try {
            int opened = 0;
            for (Entry entry : list()) {
                String problem = entry.tenant().isEmpty()
                        ? entry.problem()
                        : problem(entry.tenant(), tenants, readable && opened++ < MOST_OPENED);
                if (!problem.isEmpty()) {
                    lines.add("seeds: " + problem);
                }
            }
        } catch (SeedException e) {
            lines.add("seeds: " + e.getMessage());
        }
        return lines;
    }

    private void passphrase(List<String> lines) {
        Path file = passphrases.file();
        String setting = file == null ? "seeds.passphrase-env" : "seeds.passphrase-file";
        try {
            Arrays.fill(passphrases.read(), (byte) 0);
            if (file != null && PrivateFiles.isOpen(file)) {
                lines.add(setting + ": " + file + ", which every user may read (expected: mode 600)");
            }
        } catch (SeedException e) {
            lines.add(setting + String.valueOf(e.getMessage()).substring("passphrase".length()));
        } catch (IOException e) {
            lines.add(setting + ": " + e.getClass().getSimpleName() + " (expected: a file that can be read)");
        }
    }

    private String problem(String tenant, Set<String> tenants, boolean opens) {
        if (!tenants.contains(tenant)) {
            return "one of " + tenant + " (expected: the name of an API key" + NearestName.hint(tenant, tenants)
                    + "; a renamed key needs its seed imported again)";
        }
        if (opens) {
            try {
                mnemonic(tenant).close();
            } catch (SeedException e) {
                return String.valueOf(e.getMessage());
            }
        }
        return "";
    }

    /** Whether any tenant has a seed. */
    public boolean hasSeeds() {
        try {
            return !list().isEmpty();
        } catch (SeedException e) {
            return true;
        }
    }

    /** Names become parts of headers, lines and pages: bounded, and without what would end or hide a line. */
    private static void checkName(String tenant) throws SeedException {
        int bytes = tenant.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > SealedSeed.MAX_TENANT_BYTES) {
            throw new SeedException(
                    "tenant: a name of " + bytes + " bytes (expected: from 1 to " + SealedSeed.MAX_TENANT_BYTES + ")");
        }
        if (tenant.codePoints()
                .anyMatch(point -> Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE)) {
            throw new SeedException("tenant: a name with control characters (expected: the name of an API key)");
        }
    }

    private static SeedException unreadable(String tenant, String what, IOException e) {
        return new SeedException(
                "seed of " + tenant + ": its file cannot be " + what + ": "
                        + e.getClass().getSimpleName(),
                e);
    }

    /** Forgets and wipes every key. */
    @Override
    public void close() {
        keys.close();
    }
}
