package io.weir.answer;

import io.weir.answer.Judgement.Fault;
import io.weir.cache.block.LogPattern;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.jsonrpc.text.PieceElements;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Rules for a list of logs, which are told one after the other. Each log must match the filter, be of a wanted block, and stand in the
 * order of the chain. The blooms of headers that are known must hold what the list holds, and the list what they must hold: all of it if
 * the filter wants all logs; else a block whose bloom may hold a wanted log, but of which none is listed, is silent. Logs in another form
 * than Ethereum's are left out; the others are judged. Linear in the list and in the known headers of the range; the memory is constant.
 * Confined to one thread at a time.
 */
public final class LogRules {

    /** Blocks of a range whose headers are looked at, from its end on: nodes may lack the logs of new blocks. */
    private static final int MAX_BLOCKS = 256;

    /** Addresses and topics of a block that are hashed once. */
    private static final int MAX_HASHED = 256;

    private static final NameTable FROM = NameTable.of(Set.of("fromBlock"));
    private static final NameTable TO = NameTable.of(Set.of("toBlock"));
    private static final NameTable HASH = NameTable.of(Set.of("blockHash"));

    private final ChainFacts chain;
    private final @Nullable LogPattern pattern;
    private final @Nullable RawJson hash;
    private final long from;
    private final long to;
    /** The last block whose header is looked at. */
    private final long last;

    private final Map<Long, ListedBlock> blocks = new HashMap<>();
    private final Set<RawJson> hashed = new HashSet<>();
    private @Nullable ListedLog before;
    private boolean empty = true;
    private boolean unread;
    private @Nullable Judgement unfit;

    /**
     * A block of which logs are listed. Immutable.
     *
     * @param bloom of these logs; null if nobody knows the block's
     */
    private record ListedBlock(RawJson hash, @Nullable Bloom bloom) {}

    /**
     * Begins before the first log.
     *
     * @param filter in normal form
     * @param chain what is known while the logs are told
     */
    public LogRules(RawJson filter, ChainFacts chain) {
        this.chain = chain;
        this.pattern = LogPattern.of(filter);
        this.hash = JsonObject.member(filter, HASH);
        this.from = number(JsonObject.member(filter, FROM));
        this.to = number(JsonObject.member(filter, TO));
        this.last = chain.top() < 0 ? to : Math.min(to, chain.top());
    }

    /** Returns a number; -1 for none and for a tag. */
    private static long number(@Nullable RawJson value) {
        HexText text = value == null ? null : HexText.read(value);
        return text == null ? -1 : text.toLong();
    }

    /** Takes the next log, which is not modified any more. */
    public void take(RawJson json) {
        empty = false;
        if (unfit != null) {
            return;
        }
        ListedLog log = ListedLog.read(json, before);
        if (log == null) {
            unread = true;
        } else {
            unfit = unfit(log);
            note(log);
            before = log;
        }
    }

    /** Returns whether all logs of a list have Ethereum's form. */
    public static boolean areReadable(RawJson list) {
        boolean[] readable = {true};
        PieceElements logs = new PieceElements(log -> readable[0] &= ListedLog.read(RawJson.of(log), null) != null);
        logs.pass(list.array(), list.offset(), list.offset() + list.length());
        return readable[0];
    }

    /** Returns whether no log was told. */
    boolean isEmpty() {
        return empty;
    }

    /** Judges the logs that were told. */
    Judgement judgement(ChainFacts known) {
        return unfit == null ? byBlooms(known) : unfit;
    }

    /** Returns the blocks of the filter that are new; see {@link ChainFacts#newFrom}. */
    List<BlockSelector> newBlocks(ChainFacts known) {
        if (hash != null) {
            return List.of();
        }
        long first = Math.max(from, Math.max(0, known.newFrom()));
        long newest = to < 0 ? known.top() : Math.min(to, known.top());
        return LongStream.rangeClosed(first, newest)
                .<BlockSelector>mapToObj(BlockSelector.Height::new)
                .toList();
    }

    private @Nullable Judgement unfit(ListedLog log) {
        String wrong = wrong(log);
        if (wrong != null) {
            return Judgement.of(Fault.UNFIT, "log " + log.index() + " of block " + log.blockNumber() + ": " + wrong);
        }
        String canonical = hash == null && isOfNext(log) ? chain.agreedHash(log.blockNumber()) : null;
        return canonical == null || text(log.blockHash()).equals(canonical)
                ? null
                : Judgement.of(
                        Fault.OTHER_BRANCH,
                        "a log of block " + text(log.blockHash()) + " (expected: " + canonical + ")");
    }

    /** Returns whether a log is of another block than the one before. */
    private boolean isOfNext(ListedLog log) {
        return before == null || log.blockNumber() != before.blockNumber();
    }

    private @Nullable String wrong(ListedLog log) {
        if (hash != null && !log.blockHash().equals(hash)) {
            return "of another block (expected: of " + hash + ")";
        }
        if ((from >= 0 && log.blockNumber() < from) || (to >= 0 && log.blockNumber() > to)) {
            return "outside of the range";
        }
        if (log.removed()) {
            return "removed (expected: a log of the chain)";
        }
        if (before != null && !follows(log, before)) {
            return "not in the order of the chain behind log " + before.index() + " of block " + before.blockNumber();
        }
        return pattern == null || pattern.isOfAll() || pattern.matches(log.items())
                ? null
                : "does not match the filter";
    }

    /** On some chains the index of logs restarts with each transaction. */
    private static boolean follows(ListedLog log, ListedLog before) {
        if (log.blockNumber() != before.blockNumber()) {
            return log.blockNumber() > before.blockNumber();
        }
        boolean later = log.transactionIndex() > before.transactionIndex()
                || (log.transactionIndex() == before.transactionIndex() && log.index() > before.index());
        return later && log.blockHash().equals(before.blockHash());
    }

    /** Adds a log to the bloom of its block, if the block's may be known in the end. */
    private void note(ListedLog log) {
        boolean ofRange = log.blockNumber() <= last && log.blockNumber() > last - MAX_BLOCKS;
        if (!(hash == null ? ofRange : blocks.size() < MAX_BLOCKS) || !chain.hasBlooms()) {
            return;
        }
        if (isOfNext(log)) {
            boolean comparable = log.blockNumber() >= chain.newFrom() || chain.header(text(log.blockHash())) != null;
            blocks.put(log.blockNumber(), new ListedBlock(log.blockHash(), comparable ? Bloom.EMPTY : null));
            hashed.clear();
        }
        ListedBlock block = blocks.get(log.blockNumber());
        Bloom bloom = block == null ? null : block.bloom();
        if (block == null || bloom == null) {
            return;
        }
        if (hashed.size() >= MAX_HASHED) {
            hashed.clear();
        }
        for (RawJson item : log.items()) {
            if (!hashed.contains(item)) {
                hashed.add(item.compact());
                bloom = bloom.add(Bytes.fromHex(text(item)));
            }
        }
        blocks.put(log.blockNumber(), new ListedBlock(block.hash(), bloom));
    }

    private Judgement byBlooms(ChainFacts known) {
        if (!known.hasBlooms()) {
            return Judgement.FITS;
        }
        List<BlockHeader> silent = new ArrayList<>();
        for (BlockHeader header : headers(known)) {
            ListedBlock block = blocks.get(header.number());
            Bloom listed = block == null ? Bloom.EMPTY : block.bloom();
            boolean other =
                    block != null && !text(block.hash()).equals(header.hash().hex());
            if (other || listed == null) {
                // The node has another block there than the one that was seen before, or the header was seen later.
                continue;
            }
            Bloom bloom = header.logsBloom();
            if (!bloom.or(listed).equals(bloom)) {
                return Judgement.of(
                        Fault.REFUTED, "a log of block " + header.number() + " is not in the bloom of the block");
            }
            if (isSilent(bloom, listed)) {
                silent.add(header);
            }
        }
        return silent.isEmpty() ? Judgement.FITS : new Judgement(null, "", silent, unread, List.of());
    }

    /** Returns the known headers of the blocks that the filter is about, the newest first. */
    private List<BlockHeader> headers(ChainFacts known) {
        List<BlockHeader> headers = new ArrayList<>();
        if (hash != null) {
            add(headers, text(hash), known);
        } else if (from >= 0 && to >= from) {
            for (long number = last; number >= from && number > last - MAX_BLOCKS; number--) {
                add(headers, known.hash(number), known);
            }
        }
        return headers;
    }

    private static void add(List<BlockHeader> headers, @Nullable String blockHash, ChainFacts known) {
        BlockHeader header = blockHash == null ? null : known.header(blockHash);
        if (header != null) {
            headers.add(header);
        }
    }

    /** @param listed bloom of the listed logs */
    private boolean isSilent(Bloom bloom, Bloom listed) {
        if (pattern == null) {
            return false;
        }
        if (pattern.isOfAll() && !unread) {
            return !bloom.equals(listed);
        }
        return listed.equals(Bloom.EMPTY) && !bloom.equals(Bloom.EMPTY) && pattern.mayBeIn(bloom);
    }

    private static String text(RawJson quoted) {
        String text = quoted.toString();
        return text.substring(1, text.length() - 1);
    }

    /**
     * A log of a node's list. Immutable.
     *
     * @param blockHash in normal form
     * @param transactionHash in normal form
     * @param items its address and its topics, in normal form; not modified any more
     * @param removed whether the node calls it removed
     */
    private record ListedLog(
            long blockNumber,
            RawJson blockHash,
            RawJson transactionHash,
            long transactionIndex,
            long index,
            List<RawJson> items,
            boolean removed) {

        private static final String NUMBER = "blockNumber";
        private static final String BLOCK = "blockHash";
        private static final String TRANSACTION_INDEX = "transactionIndex";
        private static final String TRANSACTION = "transactionHash";
        private static final String INDEX = "logIndex";
        private static final String ADDRESS = "address";
        private static final String TOPICS = "topics";
        private static final String REMOVED = "removed";
        private static final NameTable NAMES =
                NameTable.of(List.of(NUMBER, BLOCK, TRANSACTION_INDEX, TRANSACTION, INDEX, ADDRESS, TOPICS, REMOVED));

        private static final int WORD_DIGITS = 64;
        private static final int ADDRESS_DIGITS = 40;
        private static final int MAX_NUMBER_DIGITS = 15;

        /**
         * Reads a log; null if it is written in another form than Ethereum's, of which nothing can be said.
         *
         * @param before the log before it, with which most share values that need no second look; null if there is none
         */
        static @Nullable ListedLog read(RawJson json, @Nullable ListedLog before) {
            JsonScanner scanner = JsonScanner.delimiters(json.array(), json.offset(), json.length());
            try {
                ListedLog log = scanner.peek() == '{' ? read(json, scanner, before) : null;
                scanner.end();
                return log;
            } catch (JsonSyntaxException e) {
                return null;
            }
        }

        private static @Nullable ListedLog read(RawJson json, JsonScanner scanner, @Nullable ListedLog before)
                throws JsonSyntaxException {
            @Nullable RawJson[] members = new RawJson[8];
            List<RawJson> items = new ArrayList<>(5);
            items.add(RawJson.NULL);
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                String name = scanner.knownMember(NAMES);
                int place = name == null ? -1 : place(name);
                if (place < 0) {
                    scanner.skip();
                } else if (members[place] != null) {
                    // Readers differ in which of two members counts.
                    return null;
                } else if (TOPICS.equals(name)) {
                    members[place] = RawJson.NULL;
                    if (!addTopics(json, scanner, items, before)) {
                        return null;
                    }
                } else {
                    members[place] = value(json, scanner);
                }
                more = scanner.nextEntry();
            }
            RawJson address = hex(members[place(ADDRESS)], ADDRESS_DIGITS, before == null ? null : before.items.get(0));
            if (address == null || members[place(TOPICS)] == null) {
                return null;
            }
            items.set(0, address);
            return of(members, items, before);
        }

        /** Returns a known member's place among those that were read; -1 for another name. */
        private static int place(String name) {
            return switch (name) {
                case ADDRESS -> 0;
                case TOPICS -> 1;
                case BLOCK -> 2;
                case NUMBER -> 3;
                case TRANSACTION -> 4;
                case TRANSACTION_INDEX -> 5;
                case INDEX -> 6;
                case REMOVED -> 7;
                default -> -1;
            };
        }

        private static @Nullable ListedLog of(
                @Nullable RawJson[] members, List<RawJson> items, @Nullable ListedLog before) {
            RawJson block = hex(members[place(BLOCK)], WORD_DIGITS, before == null ? null : before.blockHash);
            RawJson transaction =
                    hex(members[place(TRANSACTION)], WORD_DIGITS, before == null ? null : before.transactionHash);
            long number = number(members[place(NUMBER)]);
            long transactionIndex = number(members[place(TRANSACTION_INDEX)]);
            long index = number(members[place(INDEX)]);
            if (block == null || transaction == null || number < 0 || transactionIndex < 0 || index < 0) {
                return null;
            }
            RawJson removed = members[place(REMOVED)];
            boolean gone = removed != null && removed.first() == 't';
            return new ListedLog(number, block, transaction, transactionIndex, index, items, gone);
        }

        private static boolean addTopics(
                RawJson log, JsonScanner scanner, List<RawJson> items, @Nullable ListedLog before)
                throws JsonSyntaxException {
            if (scanner.peek() != '[') {
                return false;
            }
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                int place = items.size();
                RawJson like = before == null || place >= before.items.size() ? null : before.items.get(place);
                RawJson topic = hex(value(log, scanner), WORD_DIGITS, like);
                if (topic == null) {
                    return false;
                }
                items.add(topic);
                more = scanner.nextEntry();
            }
            return true;
        }

        private static RawJson value(RawJson log, JsonScanner scanner) throws JsonSyntaxException {
            scanner.peek();
            int start = scanner.position();
            scanner.skip();
            return RawJson.slice(log.array(), start, scanner.position() - start);
        }

        /** @param like a value in normal form, which many are equal to */
        private static @Nullable RawJson hex(@Nullable RawJson value, int digits, @Nullable RawJson like) {
            if (like != null && value != null && value.equals(like)) {
                return like;
            }
            HexText text = value == null ? null : HexText.read(value);
            return text == null || text.digits() != digits ? null : text.bytes();
        }

        private static long number(@Nullable RawJson value) {
            HexText text = value == null ? null : HexText.read(value);
            return text == null || text.digits() == 0 || text.significantDigits() > MAX_NUMBER_DIGITS
                    ? -1
                    : text.toLong();
        }
    }
}
