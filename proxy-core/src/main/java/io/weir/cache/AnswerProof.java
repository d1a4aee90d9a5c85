package io.weir.cache;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.RawJson;
import io.weir.verify.BlockProof;
import io.weir.verify.Finding;
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
     */
    public static Result check(KeepRule rule, RawJson answer, @Nullable String asked) {
        JsonNode tree;
        try {
            tree = tree(answer);
        } catch (JacksonException e) {
            return new Result(Outcome.WRONG, "", "not one JSON value");
        }
        Hash32 hash = asked == null ? null : Hash32.fromHex(asked);
        return switch (rule) {
            case BLOCK -> ofBlock(BlockProof.block(tree, hash));
            case HEADER -> of(BlockProof.uncle(tree, hash), Part.HEADER.word());
            // That it is the uncle which was asked for, only its block could say.
            case UNCLE -> of(BlockProof.uncle(tree, hash), "");
            case TRANSACTION -> of(TransactionProof.check(tree, hash), Part.TRANSACTION.word());
            default -> throw new IllegalArgumentException("rule: " + rule + " (expected: one that can be proven)");
        };
    }

    /**
     * Holds all receipts of a block against the block, which was proven before.
     *
     * @param block with its transactions
     * @param hash the block's
     */
    public static Result checkReceipts(RawJson receipts, RawJson block, String hash) {
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
        return of(ReceiptsProof.check(tree, known.header(), transactions), Part.RECEIPTS.word());
    }

    /**
     * Holds a block with its transactions against its hash, its roots and its uncles.
     *
     * @param hash the block's
     * @param uncles all of them, in order
     */
    public static Result checkWithUncles(RawJson block, String hash, List<RawJson> uncles) {
        try {
            JsonNode tree = tree(block);
            Finding<ProvenBlock> finding = BlockProof.block(tree, Hash32.fromHex(hash));
            List<BlockHeader> headers = new ArrayList<>();
            for (RawJson uncle : uncles) {
                Finding<ProvenBlock> one = BlockProof.uncle(tree(uncle), null);
                if (!(one instanceof Finding.Proven<ProvenBlock> proven)) {
                    return of(one, "");
                }
                headers.add(proven.value().header());
            }
            List<Hash32> named = BlockProof.namedUncles(tree);
            if (finding instanceof Finding.Proven<ProvenBlock> proven
                    && (named == null || !BlockProof.uncles(proven.value().header(), headers, named))) {
                return new Result(Outcome.WRONG, "", "the uncles are others");
            }
            return of(finding, WHOLE);
        } catch (JacksonException e) {
            return new Result(Outcome.WRONG, "", "not one JSON value");
        }
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
