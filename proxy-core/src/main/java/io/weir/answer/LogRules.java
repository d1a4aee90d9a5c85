package io.weir.answer;

import io.weir.answer.Judgement.Fault;
import io.weir.cache.block.LogPattern;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
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
 * Rules for a list of logs. Each log must match the filter, be of a wanted block, and stand in the order of the chain. The blooms of
 * headers that are known must hold what the list holds, and the list what they must hold: all of it if the filter wants all logs; else
 * a block whose bloom may hold a wanted log, but of which none is listed, is silent. Pure; linear in the list and in the known headers
 * of the range.
 */
final class LogRules {

    /** Blocks of a range whose headers are looked at, from its end on: nodes may lack the logs of new blocks. */
    private static final int MAX_BLOCKS = 256;

    private static final NameTable FROM = NameTable.of(Set.of("fromBlock"));
    private static final NameTable TO = NameTable.of(Set.of("toBlock"));
    private static final NameTable HASH = NameTable.of(Set.of("blockHash"));

    private final ChainFacts chain;
    private final List<ListedLog> logs;
    private final @Nullable LogPattern pattern;
    private final @Nullable RawJson hash;
    private final long from;
    private final long to;

    private LogRules(RawJson filter, List<ListedLog> logs, ChainFacts chain) {
        this.chain = chain;
        this.logs = logs;
        this.pattern = LogPattern.of(filter);
        this.hash = JsonObject.member(filter, HASH);
        this.from = number(JsonObject.member(filter, FROM));
        this.to = number(JsonObject.member(filter, TO));
    }

    /** Returns a number; -1 for none and for a tag. */
    private static long number(@Nullable RawJson value) {
        HexText text = value == null ? null : HexText.read(value);
        return text == null ? -1 : text.toLong();
    }

    /**
     * Judges a list.
     *
     * @param filter in normal form
     */
    static Judgement judge(RawJson filter, RawJson list, ChainFacts chain) {
        List<ListedLog> logs = ListedLog.read(list);
        if (logs == null) {
            return Judgement.FITS;
        }
        LogRules rules = new LogRules(filter, logs, chain);
        Judgement unfit = rules.unfit();
        return unfit == null ? rules.byBlooms() : unfit;
    }

    /** Returns the blocks of a filter that are new; see {@link ChainFacts#newFrom}. */
    static List<BlockSelector> newBlocks(RawJson filter, ChainFacts chain) {
        LogRules rules = new LogRules(filter, List.of(), chain);
        if (rules.hash != null) {
            return List.of();
        }
        long first = Math.max(rules.from, Math.max(0, chain.newFrom()));
        long last = rules.to < 0 ? chain.top() : Math.min(rules.to, chain.top());
        return LongStream.rangeClosed(first, last)
                .<BlockSelector>mapToObj(BlockSelector.Height::new)
                .toList();
    }

    private @Nullable Judgement unfit() {
        ListedLog before = null;
        for (ListedLog log : logs) {
            String wrong = wrong(log, before);
            if (wrong != null) {
                return Judgement.of(
                        Fault.UNFIT, "log " + log.index() + " of block " + log.blockNumber() + ": " + wrong);
            }
            String canonical = hash == null ? chain.agreedHash(log.blockNumber()) : null;
            if (canonical != null && !text(log.blockHash()).equals(canonical)) {
                return Judgement.of(
                        Fault.OTHER_BRANCH,
                        "a log of block " + text(log.blockHash()) + " (expected: " + canonical + ")");
            }
            before = log;
        }
        return null;
    }

    private @Nullable String wrong(ListedLog log, @Nullable ListedLog before) {
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
        return matches(log) ? null : "does not match the filter";
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

    private boolean matches(ListedLog log) {
        try {
            return pattern == null || pattern.matches(log.json());
        } catch (JsonSyntaxException e) {
            return false;
        }
    }

    private Judgement byBlooms() {
        if (!chain.hasBlooms()) {
            return Judgement.FITS;
        }
        Map<Long, List<ListedLog>> byBlock = new HashMap<>();
        logs.forEach(log -> byBlock.computeIfAbsent(log.blockNumber(), number -> new ArrayList<>())
                .add(log));
        List<BlockHeader> silent = new ArrayList<>();
        for (BlockHeader header : headers()) {
            List<ListedLog> ofBlock = byBlock.getOrDefault(header.number(), List.of());
            if (!ofBlock.isEmpty()
                    && !text(ofBlock.get(0).blockHash()).equals(header.hash().hex())) {
                // The node has another block there than the one that was seen before.
                continue;
            }
            Set<Bytes> listed = new HashSet<>();
            ofBlock.forEach(log -> log.items().forEach(item -> listed.add(Bytes.fromHex(text(item)))));
            Bloom bloom = header.logsBloom();
            if (!listed.stream().allMatch(bloom::contains)) {
                return Judgement.of(
                        Fault.REFUTED, "a log of block " + header.number() + " is not in the bloom of the block");
            }
            if (isSilent(bloom, listed)) {
                silent.add(header);
            }
        }
        return silent.isEmpty() ? Judgement.FITS : new Judgement(null, "", silent, List.of());
    }

    /** Returns the known headers of the blocks that the filter is about, the newest first. */
    private List<BlockHeader> headers() {
        List<BlockHeader> headers = new ArrayList<>();
        if (hash != null) {
            add(headers, text(hash));
        } else if (from >= 0 && to >= from) {
            long last = chain.top() < 0 ? to : Math.min(to, chain.top());
            for (long number = last; number >= from && number > last - MAX_BLOCKS; number--) {
                add(headers, chain.hash(number));
            }
        }
        return headers;
    }

    private void add(List<BlockHeader> headers, @Nullable String blockHash) {
        BlockHeader header = blockHash == null ? null : chain.header(blockHash);
        if (header != null) {
            headers.add(header);
        }
    }

    /** @param listed addresses and topics of the listed logs */
    private boolean isSilent(Bloom bloom, Set<Bytes> listed) {
        if (pattern == null) {
            return false;
        }
        return pattern.isOfAll() ? !bloom.equals(Bloom.of(listed)) : listed.isEmpty() && pattern.mayBeIn(bloom);
    }

    private static String text(RawJson quoted) {
        String text = quoted.toString();
        return text.substring(1, text.length() - 1);
    }
}
