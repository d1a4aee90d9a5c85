package io.weir.answer;

import io.weir.answer.Judgement.Fault;
import io.weir.answer.Judgement.Proven;
import io.weir.cache.LogPattern;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.jsonrpc.text.PieceScanner;
import io.weir.jsonrpc.text.PieceScanner.ElementReader;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
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
 * the filter wants all logs; else a block whose bloom may hold a wanted log, but of which none is listed, is silent. Of logs in another form
 * than Ethereum's what can be read is judged. Linear in the list and in the known headers of the range; the memory is constant.
 * Confined to one thread at a time.
 */
public final class LogRules implements ElementReader {

    /** Blocks of a range whose headers are looked at, from its end on: nodes may lack the logs of new blocks. */
    private static final int MAX_BLOCKS = 256;

    /** Addresses and topics of a block that are hashed once. */
    private static final int MAX_HASHED = 256;

    private static final NameTable FROM = NameTable.of(Set.of("fromBlock"));
    private static final NameTable TO = NameTable.of(Set.of("toBlock"));
    private static final NameTable HASH = NameTable.of(Set.of("blockHash"));

    private final ChainFacts chain;
    private final @Nullable LogPattern pattern;
    /** The same where nodes differ in what the filter means; null only if it is unknown what it means. */
    private final @Nullable LogPattern widest;

    private final @Nullable RawJson hash;
    private final long from;
    private final long to;
    /** The last block whose header is looked at. */
    private final long last;

    private final Map<Long, ListedBlock> blocks = new HashMap<>();
    private final Set<RawJson> hashed = new HashSet<>();
    private final LogReader log = new LogReader();
    /** Whether items of the log may be others than those of the log before. */
    private boolean itemsDiffer;

    private long blockBefore = -1;
    private long transactionBefore;
    private long indexBefore;
    private RawJson hashBefore = RawJson.NULL;
    private boolean listed = true;
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
     * @param filter in normal form
     * @param chain what is known while the logs are told
     */
    public LogRules(RawJson filter, ChainFacts chain) {
        this.chain = chain;
        this.pattern = LogPattern.of(filter);
        this.widest = pattern == null ? LogPattern.widest(filter) : pattern;
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

    @Override
    public int pass(byte[] text, int start, int end) {
        int behind = unfit == null ? log.readAlike(text, start, end) : -1;
        if (behind > 0) {
            judge();
        }
        return behind;
    }

    @Override
    public void take(byte[] text, int start, int end) {
        empty = false;
        if (unfit != null) {
            return;
        }
        if (log.read(text, start, end)) {
            judge();
        } else {
            unread = true;
            itemsDiffer = true;
            String wrong = wrong();
            unfit = wrong == null ? byItsBlock() : Judgement.of(Fault.UNFIT, "a log in another form: " + wrong);
        }
    }

    /** Judges a log in another form by its block, if that is known. */
    private @Nullable Judgement byItsBlock() {
        BlockHeader header = !chain.hasBlooms() || !log.knows(LogReader.ITEMS | LogReader.OWN_BLOCK)
                ? null
                : chain.header(text(log.blockHash()));
        for (int i = 0; header != null && i < log.itemCount(); i++) {
            Bloom bloom = header.logsBloom();
            if (!bloom.add(Bytes.fromHex(text(log.item(i)))).equals(bloom)) {
                return refuted(header);
            }
        }
        return null;
    }

    private static Judgement refuted(BlockHeader header) {
        return Judgement.of(Fault.REFUTED, "a log of block " + header.number() + " is not in the bloom of the block");
    }

    @Override
    public void takeOther() {
        empty = false;
        unread = true;
        listed = false;
    }

    /** Takes a whole list. */
    void takeAll(RawJson list) {
        PieceScanner scanner = new PieceScanner();
        scanner.show(this);
        try {
            scanner.pass(list.array(), list.offset(), list.offset() + list.length(), false);
        } catch (JsonSyntaxException e) {
            takeOther();
        }
    }

    private void judge() {
        empty = false;
        int differing = log.takeDiffering();
        if (differing == LogReader.INDEX_ALONE && log.index() > indexBefore) {
            // All else was judged with the log before.
            indexBefore = log.index();
            return;
        }
        itemsDiffer = (differing & LogReader.ITEMS) != 0;
        unfit = unfit();
        note();
        blockBefore = log.blockNumber();
        transactionBefore = log.transactionIndex();
        indexBefore = log.index();
        hashBefore = log.blockHash();
    }

    /** Returns whether all logs of a list have Ethereum's form. */
    public static boolean areReadable(RawJson list) {
        LogReader reader = new LogReader();
        try {
            return JsonArray.elements(list, Integer.MAX_VALUE).stream()
                    .allMatch(log -> reader.read(log.array(), log.offset(), log.offset() + log.length()));
        } catch (InvalidParamsException e) {
            return false;
        }
    }

    /** Returns whether a list of objects was told, and nothing else. */
    public boolean areObjects() {
        return listed;
    }

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

    private @Nullable Judgement unfit() {
        String wrong = wrong();
        if (wrong != null) {
            return Judgement.of(Fault.UNFIT, "log " + log.index() + " of block " + log.blockNumber() + ": " + wrong);
        }
        String canonical = hash == null && isOfNext() ? chain.agreedHash(log.blockNumber()) : null;
        return canonical == null || text(log.blockHash()).equals(canonical)
                ? null
                : Judgement.of(
                        Fault.OTHER_BRANCH,
                        "a log of block " + text(log.blockHash()) + " (expected: " + canonical + ")");
    }

    /** Returns whether the log is of another block than the one before. */
    private boolean isOfNext() {
        return log.blockNumber() != blockBefore;
    }

    private @Nullable String wrong() {
        if (log.hasTwice()) {
            return "with a member twice";
        }
        if (hash != null && log.knows(LogReader.OWN_BLOCK) && !log.blockHash().equals(hash)) {
            return "of another block (expected: of " + hash + ")";
        }
        boolean outside = (from >= 0 && log.blockNumber() < from) || (to >= 0 && log.blockNumber() > to);
        if (outside && log.knows(LogReader.OWN_NUMBER)) {
            return "outside of the range";
        }
        if (log.removed()) {
            return "removed (expected: a log of the chain)";
        }
        if (log.knows(LogReader.REQUIRED) && !follows()) {
            return "not in the order of the chain behind log " + indexBefore + " of block " + blockBefore;
        }
        return widest == null
                        || widest.isOfAll()
                        || !itemsDiffer
                        || !log.knows(LogReader.ITEMS)
                        || widest.matches(log.itemCount(), log::item)
                ? null
                : "does not match the filter";
    }

    /** On some chains the index of logs restarts with each transaction. */
    private boolean follows() {
        if (isOfNext()) {
            return log.blockNumber() > blockBefore && !log.blockHash().equals(hashBefore);
        }
        boolean later = log.transactionIndex() > transactionBefore
                || (log.transactionIndex() == transactionBefore && log.index() > indexBefore);
        return later && log.blockHash().equals(hashBefore);
    }

    /** Adds a log to the bloom of its block, if the block's may be known in the end. */
    private void note() {
        boolean next = isOfNext();
        if (!next && !itemsDiffer) {
            return;
        }
        boolean ofRange = log.blockNumber() <= last && log.blockNumber() > last - MAX_BLOCKS;
        if (!(hash == null ? ofRange : blocks.size() < MAX_BLOCKS) || !chain.hasBlooms()) {
            return;
        }
        if (next) {
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
        for (int i = 0; i < log.itemCount(); i++) {
            if (hashed.add(log.item(i))) {
                bloom = bloom.add(Bytes.fromHex(text(log.item(i))));
            }
        }
        blocks.put(log.blockNumber(), new ListedBlock(block.hash(), bloom));
    }

    private Judgement byBlooms(ChainFacts known) {
        if (!known.hasBlooms()) {
            return Judgement.FITS;
        }
        List<BlockHeader> silent = new ArrayList<>();
        boolean filled = false;
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
                return refuted(header);
            }
            if (isSilent(bloom, listed)) {
                silent.add(header);
            } else {
                filled = areAll() && (hash != null || from == to);
            }
        }
        return silent.isEmpty() && !filled
                ? Judgement.FITS
                : new Judgement(null, "", silent, unread, List.of(), filled ? Proven.BLOOM : Proven.NOTHING);
    }

    /** Returns whether the filter wants all logs, and all were read. */
    private boolean areAll() {
        return pattern != null && pattern.isOfAll() && !unread;
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
        if (areAll()) {
            return !bloom.equals(listed);
        }
        return listed.equals(Bloom.EMPTY) && !bloom.equals(Bloom.EMPTY) && pattern.mayBeIn(bloom);
    }

    private static String text(RawJson quoted) {
        String text = quoted.toString();
        return text.substring(1, text.length() - 1);
    }
}
