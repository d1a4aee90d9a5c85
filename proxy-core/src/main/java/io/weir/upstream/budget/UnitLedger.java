package io.weir.upstream.budget;

import io.weir.config.WriteAccess;
import io.weir.limit.SecondBudget;
import io.weir.metrics.OutOfMemory;
import io.weir.metrics.RateLimitedLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Units that nodes and API keys used on the present UTC day, and nodes within the present second, by name. It outlives their objects, so
 * that a changed configuration begins no day and no second again. A file keeps the days over a restart; a thread of its own writes it.
 * Thread-safe.
 */
public final class UnitLedger implements AutoCloseable {

    /** Milliseconds between two writes of the file, if anything changed. A process that is killed loses the units used since. */
    private static final int WRITE_MILLIS = 200;

    private static final String FILE = "units.json";
    /** No network has a colon in its name. */
    private static final String KEY = "key:";

    private static final int MAX_BYTES = 1 << 24;
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(UnitLedger.class));

    private final LongSupplier wallMillis;
    private final @Nullable Path file;
    private final String proxy;
    /** The units of the day on which the file was read. */
    private final Map<String, Long> before;

    private final LocalDate readOn;
    private final ConcurrentMap<String, DayUnits> counts = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, SecondBudget> seconds = new ConcurrentHashMap<>();
    private @Nullable ScheduledExecutorService writer;
    private Map<String, Long> written = Map.of();

    private record Content(String proxy, Map<String, Long> used) {

        static Content empty() {
            return new Content(UUID.randomUUID().toString(), Map.of());
        }
    }

    private UnitLedger(LongSupplier wallMillis, @Nullable Path file, Content content) {
        this.wallMillis = wallMillis;
        this.file = file;
        this.proxy = content.proxy();
        this.before = content.used();
        this.readOn = today(wallMillis);
    }

    /** Creates a ledger that forgets everything with the process. */
    public static UnitLedger inMemory(LongSupplier wallMillis) {
        return new UnitLedger(wallMillis, null, Content.empty());
    }

    /**
     * Reads the file in a folder, if it is of today, and begins to write it. Creates the folder if needed, with access for the owner
     * only.
     *
     * @throws IOException with a one-line message for the operator
     */
    public static UnitLedger open(Path folder, LongSupplier wallMillis) throws IOException {
        UnitLedger ledger = read(folder, wallMillis);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "weir-units");
            thread.setDaemon(true);
            return thread;
        });
        ledger.writer = timer;
        timer.scheduleWithFixedDelay(
                () -> OutOfMemory.run(ledger::write), WRITE_MILLIS, WRITE_MILLIS, TimeUnit.MILLISECONDS);
        return ledger;
    }

    /** Reads the file as {@link #open} does. It is written only by {@link #write}. */
    static UnitLedger read(Path folder, LongSupplier wallMillis) throws IOException {
        String brokenRule;
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder);
                if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
                }
            }
            brokenRule = WriteAccess.brokenRule(folder);
        } catch (IOException e) {
            throw problem(folder, "a folder that can be made and written to");
        }
        if (brokenRule != null) {
            throw problem(folder, brokenRule);
        }
        Path file = folder.resolve(FILE);
        return new UnitLedger(wallMillis, file, contentOf(file, today(wallMillis)));
    }

    private static Content contentOf(Path file, LocalDate today) throws IOException {
        Map<String, Long> used = new HashMap<>();
        try {
            byte[] bytes = Files.size(file) > MAX_BYTES ? new byte[0] : Files.readAllBytes(file);
            JsonNode root = JSON.readTree(bytes);
            LocalDate day = LocalDate.parse(root.path("day").asString(""));
            for (Map.Entry<String, JsonNode> node : root.path("used").properties()) {
                used.put(node.getKey(), node.getValue().asLong());
            }
            // A new day may have a new name.
            return day.equals(today)
                    ? new Content(root.path("proxy").asString(UUID.randomUUID().toString()), Map.copyOf(used))
                    : Content.empty();
        } catch (NoSuchFileException e) {
            return Content.empty();
        } catch (JacksonException | DateTimeException e) {
            throw problem(file, "the file as it was written, or none");
        } catch (IOException e) {
            throw problem(file, "a file that can be read");
        }
    }

    private static IOException problem(Path path, String rule) {
        return new IOException("server.data: " + path + " (expected: " + rule + ")");
    }

    private static LocalDate today(LongSupplier wallMillis) {
        return LocalDate.ofEpochDay(wallMillis.getAsLong() / DayUnits.DAY_MILLIS);
    }

    /** Returns the count of a node, the same one each time. */
    DayUnits of(String network, String upstream) {
        return named(network + "/" + upstream);
    }

    /**
     * Returns the budget of a node within a second, the same one each time: a network and the one that replaces it send calls to the node
     * at the same time.
     *
     * @param max the bound from now on
     * @param nowNanos the time at present, on the clock of the budget
     */
    SecondBudget secondOf(String network, String upstream, long max, long nowNanos) {
        SecondBudget budget =
                seconds.computeIfAbsent(network + "/" + upstream, name -> new SecondBudget(max, nowNanos));
        budget.bound(max);
        return budget;
    }

    /** Returns the count of an API key, the same one each time. */
    public DayUnits ofKey(String key) {
        return named(KEY + key);
    }

    /** Returns the name of this proxy among those that share the units: a random one, which the file keeps with the units. */
    public String proxy() {
        return proxy;
    }

    public void forEach(BiConsumer<String, DayUnits> each) {
        counts.forEach(each);
    }

    /** Returns the clock of the days, in milliseconds since 1970. */
    public LongSupplier wallMillis() {
        return wallMillis;
    }

    private DayUnits named(String name) {
        return counts.computeIfAbsent(name, key -> new DayUnits(wallMillis, usedBefore(key)));
    }

    private long usedBefore(String name) {
        return today(wallMillis).equals(readOn) ? before.getOrDefault(name, 0L) : 0;
    }

    /** Writes the file if anything changed. Blocks on the disk. */
    synchronized void write() {
        if (file == null) {
            return;
        }
        Map<String, Long> now = new TreeMap<>();
        counts.forEach((name, units) -> now.put(name, units.own().units()));
        if (now.equals(written)) {
            return;
        }
        ObjectNode root =
                JSON.createObjectNode().put("day", today(wallMillis).toString()).put("proxy", proxy);
        ObjectNode used = root.putObject("used");
        now.forEach(used::put);
        Path draft = file.resolveSibling(FILE + ".new");
        try {
            Files.write(draft, JSON.writeValueAsBytes(root));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            written = now;
        } catch (IOException e) {
            LOG.warn("server.data: " + file
                    + " cannot be written; a restart would count used units again from the last time");
        }
    }

    /** Writes the file once more, and ends the thread. */
    @Override
    public void close() {
        if (writer != null) {
            writer.shutdown();
        }
        write();
    }
}
