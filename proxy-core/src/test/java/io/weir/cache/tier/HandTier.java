package io.weir.cache.tier;

import io.weir.cache.tier.TierEntry.EntryName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Tier that the test controls. Confined to one thread, except for its records. */
public class HandTier implements ByteTier {

    /** Its entries. */
    public final Map<String, byte[]> records = new ConcurrentHashMap<>();
    /** Lookups that wait for the test. */
    public final List<Runnable> held = new ArrayList<>();
    /** Whether everything fails. */
    public boolean failing;
    /** Whether lookups wait. */
    public boolean holding;
    /** Number of lookups. */
    public int asked;
    /** Number of entries that were discarded. */
    public int discarded;
    /** Whether others write to it too. */
    public boolean shared = true;
    /** Whether it can be asked. */
    public boolean up = true;

    private final String name;

    HandTier() {
        this("hand");
    }

    /** Creates an empty tier. */
    public HandTier(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean shared() {
        return shared;
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public String state() {
        return "up";
    }

    @Override
    public void begin() {}

    @Override
    public void get(EntryName name, Consumer<ReadResult> sink) {
        asked++;
        if (holding) {
            held.add(() -> readRecord(name.text(), sink));
        } else {
            readRecord(name.text(), sink);
        }
    }

    @Override
    public void discard(EntryName name) {
        discarded++;
        records.remove(name.text());
    }

    @Override
    public void put(EntryName name, byte[] entry, Consumer<Boolean> sink) {
        writeRecord(name.text(), entry, sink);
    }

    @Override
    public long entries() {
        return -1;
    }

    @Override
    public long bytes() {
        return -1;
    }

    @Override
    public void readRecord(String name, Consumer<ReadResult> sink) {
        byte[] value = records.get(name);
        sink.accept(failing ? ReadResult.FAILED : value == null ? ReadResult.NOTHING : new ReadResult(value, false));
    }

    @Override
    public void writeRecord(String name, byte[] value, Consumer<Boolean> sink) {
        if (!failing) {
            records.put(name, value);
        }
        sink.accept(!failing);
    }

    @Override
    public void writeRecord(String name, byte[] value, long millis, Consumer<Boolean> sink) {
        writeRecord(name, value, sink);
    }

    @Override
    public void claimRecord(String name, byte[] value, Consumer<ReadResult> sink) {
        if (!failing) {
            records.putIfAbsent(name, value);
        }
        readRecord(name, sink);
    }

    @Override
    public void eraseRecord(String name, Consumer<Boolean> sink) {
        if (!failing) {
            records.remove(name);
        }
        sink.accept(!failing);
    }

    @Override
    public void close() {}
}
