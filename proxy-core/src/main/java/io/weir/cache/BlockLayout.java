package io.weir.cache;

import io.weir.cache.MemberWalk.IntList;
import io.weir.cache.MemberWalk.Wanted;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.params.kind.HexText;
import io.weir.verify.Verification.Part;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Layout of a block with its transactions, found in one pass over its bytes. Immutable. */
public final class BlockLayout implements ResultLayout {

    private static final Wanted OF_BLOCK = Wanted.of("number", "hash", "transactions", "uncles", "logsBloom");
    private static final Wanted OF_TRANSACTION = Wanted.of("hash");

    /** Bytes of the object with its fields and the header of its array. */
    private static final int OWN_BYTES = 64;

    /** Numbers per transaction: its start, its end, and the start of its hash. */
    private static final int INTS = 3;

    private final int listStart;
    private final int listEnd;
    private final int uncles;
    private final int bloomStart;
    private final int[] transactions;

    private BlockLayout(Reading reading) {
        this.listStart = reading.listStart;
        this.listEnd = reading.listEnd;
        this.uncles = reading.uncles;
        this.bloomStart = reading.bloomStart;
        this.transactions = reading.transactions.toArray();
    }

    /**
     * Finds the parts of a block. Returns null if it is not a block with all its transactions. Also returns null if a
     * required member is missing, repeated or in an unusual form. A block without transactions has all of them.
     */
    public static @Nullable BlockLayout read(RawJson block) {
        try {
            Reading reading = new Reading(block);
            return reading.isWhole() ? new BlockLayout(reading) : null;
        } catch (JsonSyntaxException e) {
            return null;
        }
    }

    /** Returns the layout that a cached block carries, or computes it. */
    public static @Nullable BlockLayout of(CachedResult block) {
        return block.layout() instanceof BlockLayout known ? known : read(block.value());
    }

    @Override
    public int weightBytes() {
        return OWN_BYTES + transactions.length * Integer.BYTES;
    }

    @Override
    public int size() {
        return transactions.length / INTS;
    }

    @Override
    public String hash(RawJson block, int index) {
        return text(block, transactions[index * INTS + 2]);
    }

    static String text(RawJson json, int start) {
        return RawJson.slice(json.array(), json.offset() + start + 1, MemberWalk.HASH_LENGTH - 2)
                .toString()
                .toLowerCase(Locale.ROOT);
    }

    @Override
    public @Nullable Slice answer(RawJson block, BlockQuestion question, int index, boolean proven, boolean allLogs) {
        String header = proven ? Part.HEADER.word() : "";
        String whole = proven ? Part.WHOLE_BLOCK : "";
        return switch (question.form()) {
            case WHOLE -> new Slice(block, whole, true);
            case HASHES -> Slice.of(withHashes(block), whole);
            case TRANSACTION -> {
                boolean byHash = question.transaction() != null;
                boolean there = !byHash || isAt(block, index, question.transaction());
                yield there ? transaction(block, byHash ? index : question.index(), proven, whole) : null;
            }
            case TRANSACTION_COUNT -> Slice.of(Slice.quantity(size()), whole);
            case UNCLE_COUNT -> Slice.of(Slice.quantity(uncles), header);
            case UNCLE -> question.index() >= uncles ? Slice.of(RawJson.NULL, header) : null;
            case RECEIPTS -> size() == 0 ? Slice.of(RawJson.EMPTY_ARRAY, header) : null;
            case LOGS -> {
                boolean all = proven && allLogs;
                boolean none = hasNone(block, question.logs(), all);
                yield none ? Slice.of(RawJson.EMPTY_ARRAY, all ? Part.NO_LOGS : header) : null;
            }
            case RECEIPT -> null;
        };
    }

    private boolean isAt(RawJson block, int index, @Nullable String transaction) {
        return index >= 0 && index < size() && hash(block, index).equals(transaction);
    }

    /** @param whole the proven parts of the whole block, which tells that a transaction does not exist */
    private @Nullable Slice transaction(RawJson block, long index, boolean proven, String whole) {
        if (index >= size()) {
            return Slice.of(RawJson.NULL, whole);
        }
        if (index < 0) {
            return null;
        }
        int start = transactions[(int) index * INTS];
        int end = transactions[(int) index * INTS + 1];
        RawJson transaction = RawJson.slice(block.array(), block.offset() + start, end - start);
        return Slice.of(transaction.compact(), proven ? Part.TRANSACTION.word() : "");
    }

    /** Returns the block with its transactions' hashes instead of the transactions. */
    private RawJson withHashes(RawJson block) {
        int size = size();
        if (size == 0) {
            return block;
        }
        int list = size * (MemberWalk.HASH_LENGTH + 1) + 1;
        int behind = block.length() - listEnd;
        byte[] text = new byte[listStart + list + behind];
        copy(block, 0, text, 0, listStart);
        int at = listStart;
        for (int i = 0; i < size; i++) {
            text[at++] = (byte) (i == 0 ? '[' : ',');
            copy(block, transactions[i * INTS + 2], text, at, MemberWalk.HASH_LENGTH);
            at += MemberWalk.HASH_LENGTH;
        }
        text[at++] = ']';
        copy(block, listEnd, text, at, behind);
        return RawJson.of(text);
    }

    private static void copy(RawJson block, int from, byte[] to, int at, int length) {
        System.arraycopy(block.array(), block.offset() + from, to, at, length);
    }

    /**
     * Returns whether the bloom rules out every log.
     *
     * @param blooms whether the bloom was proven, and holds all logs; else it may be empty, and does not count
     */
    private boolean hasNone(RawJson block, @Nullable LogPattern logs, boolean blooms) {
        boolean outside = blooms && logs != null && bloomStart >= 0 && !logs.mayBeIn(block, bloomStart);
        return size() == 0 || outside;
    }

    /** Findings of one pass. Confined to one thread. */
    private static final class Reading {

        private final MemberWalk walk;
        private final IntList transactions = new IntList();
        private int listStart = -1;
        private int listEnd;
        private int uncles = -1;
        private int bloomStart = -1;
        private boolean numbered;
        private boolean hashed;
        private final boolean well;

        Reading(RawJson block) throws JsonSyntaxException {
            this.walk = new MemberWalk(block);
            this.well = walk.object(OF_BLOCK, this::member);
        }

        boolean isWhole() {
            return well && numbered && hashed && listStart >= 0 && uncles >= 0;
        }

        private boolean member(String name) throws JsonSyntaxException {
            switch (name) {
                case "number" -> {
                    HexText number = HexText.read(walk.value());
                    numbered = number != null && number.digits() > 0;
                }
                case "hash" -> hashed = walk.hash() >= 0;
                case "logsBloom" -> bloomStart = walk.bloom();
                case "uncles" -> {
                    uncles = 0;
                    return walk.list(this::uncle);
                }
                case "transactions" -> {
                    listStart = walk.start();
                    boolean full = walk.list(this::transaction);
                    listEnd = walk.position();
                    return full;
                }
                default -> walk.value();
            }
            return true;
        }

        private boolean uncle() throws JsonSyntaxException {
            uncles++;
            return walk.hash() >= 0;
        }

        private boolean transaction() throws JsonSyntaxException {
            transactions.add(walk.start());
            int[] hash = {-1};
            boolean object = walk.object(OF_TRANSACTION, name -> {
                hash[0] = walk.hash();
                return hash[0] >= 0;
            });
            transactions.add(walk.position());
            transactions.add(hash[0]);
            return object && hash[0] >= 0;
        }
    }
}
