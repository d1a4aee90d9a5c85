package io.weir.cache;

import io.weir.cache.MemberWalk.IntList;
import io.weir.cache.MemberWalk.Wanted;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.params.kind.JsonArray;
import io.weir.verify.Verification.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Layout of all receipts of a block with their logs, found in one pass over the bytes. Immutable. */
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

    @Override
    public int size() {
        return receipts.length / INTS;
    }

    @Override
    public String hash(RawJson json, int index) {
        return BlockLayout.text(json, receipts[index * INTS + 2]);
    }

    @Override
    public @Nullable Slice answer(RawJson json, BlockQuestion question, int index, boolean proven, boolean allLogs) {
        String parts = proven ? Part.RECEIPTS.word() : "";
        return switch (question.form()) {
            case RECEIPTS -> new Slice(json, parts, true);
            case RECEIPT -> {
                boolean there =
                        index >= 0 && index < size() && hash(json, index).equals(question.transaction());
                yield there ? Slice.of(range(json, receipts, index * INTS).compact(), parts) : null;
            }
            case LOGS -> {
                LogPattern pattern = question.logs();
                RawJson found = pattern == null ? null : logs(json, pattern, proven && allLogs);
                yield found == null ? null : Slice.of(found, proven && allLogs ? Part.WHOLE_LOGS : parts);
            }
            default -> null;
        };
    }

    /** Returns the bytes between two numbers that stand one after the other. */
    private static RawJson range(RawJson json, int[] numbers, int at) {
        return RawJson.slice(json.array(), json.offset() + numbers[at], numbers[at + 1] - numbers[at]);
    }

    /**
     * Returns the logs that match, as a list; null if the receipts cannot be read.
     *
     * @param blooms whether the receipts' blooms were proven, and hold all logs; else one may be empty, and does not count
     */
    public @Nullable RawJson logs(RawJson json, LogPattern pattern, boolean blooms) {
        List<RawJson> found = new ArrayList<>();
        try {
            for (int i = 0; i < size(); i++) {
                int bloom = receipts[i * INTS + 3];
                if (!blooms || bloom < 0 || pattern.mayBeIn(json, bloom)) {
                    collect(json, pattern, i, found);
                }
            }
        } catch (JsonSyntaxException e) {
            return null;
        }
        return JsonArray.of(found, RawJson.EMPTY_ARRAY, !found.isEmpty());
    }

    private void collect(RawJson json, LogPattern pattern, int receipt, List<RawJson> found)
            throws JsonSyntaxException {
        int end = receipt + 1 == size() ? logs.length / 2 : receipts[(receipt + 1) * INTS + 4];
        for (int i = receipts[receipt * INTS + 4]; i < end; i++) {
            RawJson log = range(json, logs, i * 2);
            if (pattern.matches(log)) {
                found.add(log);
            }
        }
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
