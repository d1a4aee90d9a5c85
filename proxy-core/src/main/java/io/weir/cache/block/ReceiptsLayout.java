package io.weir.cache.block;

import io.weir.cache.CachedResult;
import io.weir.cache.ResultLayout;
import io.weir.cache.block.MemberWalk.Wanted;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import org.jspecify.annotations.Nullable;

/** Where each receipt of a block and each of its logs stand, found in one pass over their bytes. Immutable. */
public final class ReceiptsLayout implements ResultLayout {

    private static final Wanted OF_RECEIPT = Wanted.of("transactionHash", "logsBloom", "logs");
    private static final int OWN_BYTES = 80;

    /** Of each receipt: where it begins and ends, where its transaction's hash and its bloom begin, and its first log. */
    private static final int INTS = 5;

    private final int[] receipts;
    private final int[] logs;

    private ReceiptsLayout(Reading reading) {
        this.receipts = reading.receipts.toArray();
        this.logs = reading.logs.toArray();
    }

    /** Finds the parts of a list of receipts; null where one does not say plainly and once what it must. */
    public static @Nullable ReceiptsLayout read(RawJson receipts) {
        try {
            Reading reading = new Reading(receipts);
            return reading.well ? new ReceiptsLayout(reading) : null;
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    /** The layout that kept receipts carry, or else have. */
    public static @Nullable ReceiptsLayout of(CachedResult receipts) {
        return receipts.layout() instanceof ReceiptsLayout known ? known : read(receipts.value());
    }

    @Override
    public int weightBytes() {
        return OWN_BYTES + (receipts.length + logs.length) * Integer.BYTES;
    }

    /** How many receipts there are. */
    public int size() {
        return receipts.length / INTS;
    }

    /** The hash of a receipt's transaction, in lower case. */
    public String hash(RawJson json, int index) {
        return BlockLayout.text(json, receipts[index * INTS + 2]);
    }

    /** A receipt, as a range of the array. */
    RawJson receipt(RawJson json, int index) {
        int start = receipts[index * INTS];
        return RawJson.slice(json.array(), json.offset() + start, receipts[index * INTS + 1] - start);
    }

    /** Where a receipt's bloom begins, with its quote; -1 where it has none. */
    int bloomStart(int index) {
        return receipts[index * INTS + 3];
    }

    /** A receipt's first log, counted over the block; one behind the last receipt's, the number of all. */
    int firstLog(int index) {
        return index == size() ? logs.length / 2 : receipts[index * INTS + 4];
    }

    /** A log, counted over the block, as a range of the array. */
    RawJson log(RawJson json, int index) {
        int start = logs[index * 2];
        return RawJson.slice(json.array(), json.offset() + start, logs[index * 2 + 1] - start);
    }

    /** What one pass finds. Confined to one thread. */
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
