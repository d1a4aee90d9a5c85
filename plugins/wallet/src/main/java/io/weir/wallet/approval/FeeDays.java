package io.weir.wallet.approval;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The sums that policies approved today (UTC): the fees of each tenant, and its amounts of tokens. The file is written before the approval is given, so that a
 * restart gives no second day. What was approved and then not sent counts too. Thread-safe; blocks on the disk.
 */
final class FeeDays {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_BYTES = 1024 * 1024;

    private final Path file;
    private final Clock clock;

    private @Nullable LocalDate day;
    private Map<String, BigInteger> sums = new TreeMap<>();

    FeeDays(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    /**
     * An addition to a sum. Immutable.
     *
     * @param name the sum's: a tenant for its fees
     * @param most the most that the sum may come to
     */
    record Charge(String name, BigInteger amount, BigInteger most) {}

    /**
     * Counts charges, all or none.
     *
     * @return whether every sum with its charge is at most what it may come to
     * @throws IOException when the sums are not to be had or cannot be kept: nothing may be approved then
     */
    boolean add(List<Charge> charges) throws IOException {
        return add(charges, true);
    }

    /**
     * Counts charges of what is signed in any case, so that the sums may pass what they may come to.
     *
     * @throws IOException as for {@link #add}: nothing may be signed then
     */
    void charge(List<Charge> charges) throws IOException {
        add(charges, false);
    }

    private synchronized boolean add(List<Charge> charges, boolean bounded) throws IOException {
        LocalDate known = day == null ? read() : day;
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        Map<String, BigInteger> next = new TreeMap<>(sums);
        if (today.isAfter(known)) {
            // A clock that was set back begins no day anew.
            next.clear();
            known = today;
        }
        for (Charge charge : charges) {
            BigInteger sum = next.merge(charge.name(), charge.amount(), BigInteger::add);
            if (bounded && sum.compareTo(charge.most()) > 0) {
                return false;
            }
        }
        write(known, next);
        day = known;
        sums = next;
        return true;
    }

    private LocalDate read() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES);
        } catch (NoSuchFileException e) {
            return LocalDate.MIN;
        }
        try {
            JsonNode root = JSON.readTree(bytes);
            LocalDate read = LocalDate.parse(root.path("day").asString());
            Map<String, BigInteger> found = new TreeMap<>();
            for (Map.Entry<String, JsonNode> sum : root.path("sums").properties()) {
                found.put(sum.getKey(), new BigInteger(sum.getValue().asString()));
            }
            sums = found;
            return read;
        } catch (JacksonException | DateTimeException | NumberFormatException e) {
            throw new IOException(file.getFileName() + ": not understood (expected: the file as it was written)", e);
        }
    }

    private void write(LocalDate date, Map<String, BigInteger> all) throws IOException {
        ObjectNode root = JSON.createObjectNode().put("day", date.toString());
        ObjectNode list = root.putObject("sums");
        all.forEach((tenant, sum) -> list.put(tenant, sum.toString()));
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            if (draft.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
            }
            ByteBuffer bytes = ByteBuffer.wrap(JSON.writeValueAsBytes(root));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
