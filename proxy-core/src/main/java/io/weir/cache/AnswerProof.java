package io.weir.cache;

import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.verify.BlockProof;
import io.weir.verify.Finding;
import io.weir.verify.Part;
import io.weir.verify.ProvenBlock;
import io.weir.verify.TransactionProof;
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

    /**
     * Holds an answer against its hashes.
     *
     * @param asked the hash of what was asked for; null where it was asked for otherwise
     */
    public static Result check(KeepRule rule, RawJson answer, @Nullable String asked) {
        JsonNode tree;
        try {
            tree = JSON.readTree(answer.array(), answer.offset(), answer.length());
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

    private static Result ofBlock(Finding<ProvenBlock> finding) {
        if (finding instanceof Finding.Proven<ProvenBlock> proven
                && !proven.value().whole()) {
            return new Result(Outcome.INCOMPLETE, "", "a list of hashes");
        }
        return of(finding, Part.HEADER.word() + ", " + Part.TRANSACTIONS.word());
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
