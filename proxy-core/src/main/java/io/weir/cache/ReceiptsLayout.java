package io.weir.cache;

import io.weir.cache.MemberWalk.Wanted;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Positions of each receipt of a block and of each log, found in one pass over the bytes. Immutable. */
public final class ReceiptsLayout implements ResultLayout {

    private static final Wanted OF_RECEIPT = Wanted.of("transactionHash", "logsBloom", "logs");
    private static final int OWN_BYTES = 80;

    /**
     * Numbers per receipt: its start, its end, the start of its transaction's hash, the start of its bloom, and its first
     * log.
     */
    private static final int INTS = 5;

    private final int[] receipts;
    private final int[] logs;

    private ReceiptsLayout(Reading reading) {
        this.receipts = reading.receipts.toArray();
        this.logs = reading.logs.toArray();
    }

    /**
     * Finds the parts of a list of receipts. Returns null if a required member is missing, repeated or in an unusual form.
     */
    public static @Nullable ReceiptsLayout read(RawJson receipts) {
        try {
            Reading reading = new Reading(receipts);
            return reading.well ? new ReceiptsLayout(reading) : null;
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    /** Returns the layout that cached receipts carry, or computes it. */
    public static @Nullable ReceiptsLayout of(CachedResult receipts) {
        return receipts.layout() instanceof ReceiptsLayout known ? known : read(receipts.value());
    }

    @Override
    public int weightBytes() {
        return OWN_BYTES + (receipts.length + logs.length) * Integer.BYTES;
    }

    /** Returns the number of receipts. */
    public int size() {
        return receipts.length / INTS;
    }

    /** Returns the hash of a receipt's transaction, in lower case. */
    public String hash(RawJson json, int index) {
        return BlockLayout.text(json, receipts[index * INTS + 2]);
    }

    /** Returns the hashes of all receipts' transactions, in order and in lower case. */
    public List<String> hashes(RawJson json) {
        return IntStream.range(0, size()).mapToObj(i -> hash(json, i)).toList();
    }

    /** Returns a receipt, as a range of the array. */
    RawJson receipt(RawJson json, int index) {
        int start = receipts[index * INTS];
        return RawJson.slice(json.array(), json.offset() + start, receipts[index * INTS + 1] - start);
    }

    /** Returns the start of a receipt's bloom, at its quote; -1 if it has none. */
    int bloomStart(int index) {
        return receipts[index * INTS + 3];
    }

    /**
     * Returns the index of a receipt's first log within the block. For the index after the last receipt, returns the number
     * of all logs.
     */
    int firstLog(int index) {
        return index == size() ? logs.length / 2 : receipts[index * INTS + 4];
    }

    /** Returns a log by its index within the block, as a range of the array. */
    RawJson log(RawJson json, int index) {
        int start = logs[index * 2];
        return RawJson.slice(json.array(), json.offset() + start, logs[index * 2 + 1] - start);
    }

    /** Findings of one pass. Confined to one thread. */
    private static final class Reading {

        private final MemberWalk walk;
        private final IntList receipts = new IntList();
        private final IntList logs = new IntList();
        private final boolean well;
        private int hash;
        private int bloom;
        private boolean hasLogs;

        Reading(RawJson json) throws JsonSyntaxException {
            this.walk = new MemberWalk(json);
            this.well = walk.list(this::receipt);
        }

        private boolean receipt() throws JsonSyntaxException {
            int firstLog = logs.size() / 2;
            receipts.add(walk.start());
            hash = -1;
            bloom = -1;
            hasLogs = false;
            boolean object = walk.object(OF_RECEIPT, this::member);
            receipts.add(walk.position());
            receipts.add(hash);
            receipts.add(bloom);
            receipts.add(firstLog);
            return object && hash >= 0 && hasLogs;
        }

        private boolean member(String name) throws JsonSyntaxException {
            switch (name) {
                case "transactionHash" -> hash = walk.hash();
                case "logsBloom" -> bloom = walk.bloom();
                default -> {
                    hasLogs = true;
                    return walk.list(this::log);
                }
            }
            return true;
        }

        private boolean log() throws JsonSyntaxException {
            logs.add(walk.start());
            walk.value();
            logs.add(walk.position());
            return true;
        }
    }
}
