package io.weir.cache;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.jsonrpc.RawJson;
import io.weir.method.CacheClass;
import io.weir.verify.BlockProof;
import io.weir.verify.Finding;
import io.weir.verify.MemberNames;
import io.weir.verify.ObjectForm;
import io.weir.verify.Part;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ProvenTransaction;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.TransactionProof;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Holds one answer against its hashes, and says whether it may be kept for that. Thread-safe. */
public final class AnswerProof {

    /** A name that stands twice is no answer: readers differ in which one counts. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** What is proven of a block with all its transactions. */
    private static final String WHOLE = Part.HEADER.word() + ", " + Part.TRANSACTIONS.word();

    private AnswerProof() {}

    /** What came of it. */
    public enum Outcome {
        /** All that hashes cover is proven. */
        PROVEN,
        /** What is there is right, and part of it no hash covers: a list of hashes. */
        INCOMPLETE,
        /** All that hashes cover is proven, and beside it stands a member that is neither known nor listed for the chain. */
        UNLISTED,
        /** It holds something that is not known, or has no hash yet. */
        UNVERIFIABLE,
        /** A hash, a root or a comparison fails. */
        WRONG
    }

    /**
     * An outcome and its words.
     *
     * @param parts what was proven, as clients are told; empty where nothing was
     * @param detail what differs, for the log
     */
    public record Result(Outcome outcome, String parts, String detail) {}

    /** The answer as a tree; null where it is not one JSON value, each name once. */
    public static @Nullable JsonNode parsed(RawJson answer) {
        try {
            return tree(answer);
        } catch (JacksonException e) {
            return null;
        }
    }

    /**
     * Holds an answer against its hashes.
     *
     * @param asked the hash of what was asked for; null where it was asked for otherwise
     * @param names the members that may stand in a proven answer
     */
    public static Result check(CacheClass rule, RawJson answer, @Nullable String asked, MemberNames names) {
        JsonNode tree;
        try {
            tree = tree(answer);
        } catch (JacksonException e) {
            return new Result(Outcome.WRONG, "", "not one JSON value");
        }
        Hash32 hash = asked == null ? null : Hash32.fromHex(asked);
        Result result = switch (rule) {
            case BLOCK -> ofBlock(BlockProof.block(tree, hash));
            case HEADER -> of(BlockProof.uncle(tree, hash), Part.HEADER.word());
            // Only the block says whether it is the uncle that was asked for.
            case UNCLE -> of(BlockProof.uncle(tree, hash), "");
            case TRANSACTION -> of(TransactionProof.check(tree, hash), Part.TRANSACTION.word());
            default -> throw new IllegalArgumentException("rule: " + rule + " (expected: one that can be proven)");
        };
        return listed(result, tree, rule == CacheClass.TRANSACTION ? ObjectForm.TRANSACTION : ObjectForm.BLOCK, names);
    }

    /** The result, unless it is good and the answer has a member that is not listed. */
    private static Result listed(Result result, JsonNode tree, ObjectForm form, MemberNames names) {
        boolean good = result.outcome() == Outcome.PROVEN || result.outcome() == Outcome.INCOMPLETE;
        String name = good ? names.unlisted(tree, form) : null;
        return name == null ? result : new Result(Outcome.UNLISTED, "", "a member that is not listed: " + name);
    }

    /**
     * Holds all receipts of a block against the block, which was proven before.
     *
     * @param block with its transactions
     * @param hash the block's
     * @param names the members that may stand in a proven answer
     */
    public static Result checkReceipts(RawJson receipts, RawJson block, String hash, MemberNames names) {
        Finding<ProvenBlock> finding;
        JsonNode tree;
        try {
            finding = BlockProof.known(tree(block), Hash32.fromHex(hash));
            tree = tree(receipts);
        } catch (JacksonException e) {
            return new Result(Outcome.WRONG, "", "not one JSON value");
        }
        ProvenBlock known = finding instanceof Finding.Proven<ProvenBlock> proven ? proven.value() : null;
        List<ProvenTransaction> transactions = known == null ? null : known.transactions();
        if (known == null || transactions == null) {
            return new Result(Outcome.INCOMPLETE, "", "receipts without their block");
        }
        Result result = of(ReceiptsProof.check(tree, known.header(), transactions), Part.RECEIPTS.word());
        return listed(result, tree, ObjectForm.RECEIPT, names);
    }

    /**
     * Holds a block with its transactions against its hash, its roots and its uncles.
     *
     * @param hash the block's
     * @param uncles all of them, in order; other upstreams than the block's may have sent them
     * @param names the members that may stand in a proven answer
     * @return wrong only where it is the block that is wrong; unverifiable where an uncle is
     */
    public static Result checkWithUncles(RawJson block, String hash, List<RawJson> uncles, MemberNames names) {
        try {
            JsonNode tree = tree(block);
            Finding<ProvenBlock> finding = BlockProof.block(tree, Hash32.fromHex(hash));
            if (!(finding instanceof Finding.Proven<ProvenBlock> proven)) {
                return of(finding, "");
            }
            List<BlockHeader> headers = headers(uncles);
            List<Hash32> named = BlockProof.namedUncles(tree);
            if (headers == null || named == null) {
                return new Result(Outcome.UNVERIFIABLE, "", "an uncle does not have its hash");
            }
            BlockHeader header = proven.value().header();
            boolean asNamed =
                    named.equals(headers.stream().map(BlockHeader::hash).toList());
            boolean asHashed = BlockRoots.ommers(headers).equals(header.sha3Uncles());
            if (!asNamed && !asHashed) {
                return new Result(Outcome.UNVERIFIABLE, "", "the uncles are others");
            }
            return asNamed && asHashed
                    ? listed(of(finding, WHOLE), tree, ObjectForm.BLOCK, names)
                    : new Result(Outcome.WRONG, "", "uncles: not those of the header");
        } catch (JacksonException e) {
            return new Result(Outcome.WRONG, "", "not one JSON value");
        }
    }

    /** The headers of uncles that have the hashes they name; null where one has not. */
    private static @Nullable List<BlockHeader> headers(List<RawJson> uncles) {
        List<BlockHeader> headers = new ArrayList<>();
        for (RawJson uncle : uncles) {
            JsonNode tree = parsed(uncle);
            Finding<ProvenBlock> finding = tree == null ? null : BlockProof.uncle(tree, null);
            if (!(finding instanceof Finding.Proven<ProvenBlock> proven)) {
                return null;
            }
            headers.add(proven.value().header());
        }
        return headers;
    }

    /**
     * Compares the place of a transaction or an uncle, whose own hash was proven before, with its block.
     *
     * @param block proven before
     * @param hash the block's
     * @param index of the uncle; -1 for a transaction, which names its own
     */
    public static Result checkPlace(RawJson answer, RawJson block, String hash, long index) {
        JsonNode blockTree = parsed(block);
        JsonNode tree = parsed(answer);
        Finding<ProvenBlock> finding = blockTree == null ? null : BlockProof.known(blockTree, Hash32.fromHex(hash));
        if (tree == null || blockTree == null || !(finding instanceof Finding.Proven<ProvenBlock> known)) {
            return new Result(Outcome.INCOMPLETE, "", "without its block");
        }
        if (index < 0) {
            return of(BlockProof.transaction(tree, known.value()), Part.TRANSACTION.word());
        }
        List<Hash32> uncles = BlockProof.namedUncles(blockTree);
        boolean there = uncles != null
                && index < uncles.size()
                && uncles.get((int) index)
                        .hex()
                        .equalsIgnoreCase(tree.path("hash").asString(""));
        return there
                ? new Result(Outcome.PROVEN, Part.HEADER.word(), "")
                : new Result(Outcome.WRONG, "", "hash: another (expected: the uncle of its block)");
    }

    private static JsonNode tree(RawJson json) {
        return JSON.readTree(json.array(), json.offset(), json.length());
    }

    private static Result ofBlock(Finding<ProvenBlock> finding) {
        if (finding instanceof Finding.Proven<ProvenBlock> proven
                && !proven.value().whole()) {
            return new Result(Outcome.INCOMPLETE, "", "a list of hashes");
        }
        return of(finding, WHOLE);
    }

    private static Result of(Finding<?> finding, String parts) {
        if (finding instanceof Finding.Proven<?>) {
            return new Result(Outcome.PROVEN, parts, "");
        }
        if (finding instanceof Finding.Unverifiable<?> unverifiable) {
            return new Result(Outcome.UNVERIFIABLE, "", unverifiable.reason());
        }
        return new Result(Outcome.WRONG, "", ((Finding.Wrong<?>) finding).difference());
    }
}
