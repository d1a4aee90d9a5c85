package io.weir.verify;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.verify.ReceiptsProof.ChainReceipt;
import io.weir.verify.Verification.Incomplete;
import io.weir.verify.Verification.Part;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Unlisted;
import io.weir.verify.Verification.Unprovable;
import io.weir.verify.Verification.Unverifiable;
import io.weir.verify.Verification.Wrong;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Verifies one answer in JSON by its hashes. Thread-safe. */
public final class AnswerProof {

    /** Refuses a name that occurs twice: readers differ in which of the two counts. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The proven parts of a block with all its transactions. */
    private static final String WHOLE = Part.HEADER.word() + ", " + Part.TRANSACTIONS.word();

    private AnswerProof() {}

    /** Returns the answer as a tree; null if it is not one JSON value, or if a name occurs twice in an object. */
    public static @Nullable JsonNode parsed(RawJson answer) {
        try {
            return JSON.readTree(answer.array(), answer.offset(), answer.length());
        } catch (JacksonException e) {
            return null;
        }
    }

    /**
     * Verifies an answer by its own hashes without what takes most of the time of a block's proof: the senders of its transactions count
     * as they stand.
     *
     * @param asked the requested hash; null if the call names no hash
     * @param mined whether the answer is known to have a hash, because a block that is not pending was asked for
     */
    public static Verification<?> withoutSenders(
            AnswerKind kind, RawJson answer, @Nullable String asked, boolean mined, ChainFamily family) {
        JsonNode tree = kind == AnswerKind.HEADER ? parsedWithoutLists(answer) : parsed(answer);
        if (tree == null) {
            return unreadable();
        }
        if (mined && kind != AnswerKind.TRANSACTION && !tree.hasNonNull("hash")) {
            return new Wrong<>("hash: none (expected: one, because the block is not pending)");
        }
        Hash32 hash = asked == null ? null : Hash32.fromHex(asked);
        return switch (kind) {
            case BLOCK -> BlockProof.known(tree, hash, family);
            case HEADER -> BlockProof.header(tree, hash, family);
            case UNCLE -> BlockProof.uncle(tree, hash, family);
            case TRANSACTION -> TransactionProof.check(tree, hash, family);
        };
    }

    /** Returns an object's members that are neither lists nor objects, as a tree; null if it is not one object, or if a name occurs twice. */
    public static @Nullable JsonNode parsedWithoutLists(RawJson answer) {
        ObjectNode members = JSON.createObjectNode();
        try (JsonParser parser = JSON.createParser(answer.array(), answer.offset(), answer.length())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (parser.nextToken().isStructStart()) {
                    parser.skipChildren();
                } else {
                    members.set(name, parser.<JsonNode>readValueAsTree());
                }
            }
            return parser.nextToken() == null ? members : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Returns the result for an answer that {@link #parsed} cannot read. */
    public static <T> Verification<T> unreadable() {
        return new Wrong<>("not one JSON value");
    }

    /**
     * Verifies an answer by its hashes.
     *
     * @param asked the requested hash; null if the call names no hash
     * @param rules of the chain
     */
    public static Verification<JsonNode> check(
            AnswerKind kind, RawJson answer, @Nullable String asked, ChainRules rules) {
        JsonNode tree = parsed(answer);
        if (tree == null) {
            return unreadable();
        }
        Hash32 hash = asked == null ? null : Hash32.fromHex(asked);
        ChainFamily family = rules.family();
        Verification<JsonNode> result = switch (kind) {
            case BLOCK ->
                BlockProof.block(tree, hash, family)
                        .then(block -> block.whole()
                                ? new Proven<>(tree, WHOLE)
                                : new Incomplete<JsonNode>("a list of hashes"));
            case HEADER -> proven(BlockProof.uncle(tree, hash, family), tree, Part.HEADER.word());
            // Only the block proves that it is the requested uncle.
            case UNCLE -> proven(BlockProof.uncle(tree, hash, family), tree, "");
            case TRANSACTION -> proven(TransactionProof.check(tree, hash, family), tree, Part.TRANSACTION.word());
        };
        return listed(result, tree, kind == AnswerKind.TRANSACTION ? ObjectForm.TRANSACTION : ObjectForm.BLOCK, rules);
    }

    private static <T> Verification<JsonNode> proven(Verification<T> verification, JsonNode tree, String parts) {
        return verification.then(value -> new Proven<>(tree, parts));
    }

    /** Returns the result, unless it is good and the answer has a member that is not listed. */
    private static Verification<JsonNode> listed(
            Verification<JsonNode> result, JsonNode tree, ObjectForm form, ChainRules rules) {
        boolean good = result instanceof Proven || result instanceof Incomplete;
        String name = good ? rules.names().unlisted(tree, form) : null;
        return name == null ? result : new Unlisted<>(tree, "a member that is not listed: " + name);
    }

    /**
     * Verifies all receipts of a block by the block, which was proven before.
     *
     * @param block with its transactions
     * @param hash the block's
     * @param rules of the chain
     */
    public static Verification<JsonNode> checkReceipts(RawJson receipts, RawJson block, String hash, ChainRules rules) {
        JsonNode blockTree = parsed(block);
        JsonNode tree = parsed(receipts);
        if (blockTree == null || tree == null) {
            return unreadable();
        }
        Verification<ProvenBlock> known = BlockProof.known(blockTree, Hash32.fromHex(hash), rules.family());
        ProvenBlock whole = known.value();
        if (whole == null || whole.transactions() == null) {
            return without(known, "receipts without their block");
        }
        return listed(
                proven(ReceiptsProof.check(tree, whole, rules.family()), tree, Part.RECEIPTS.word()),
                tree,
                ObjectForm.RECEIPT,
                rules);
    }

    /** Verifies what the header of their block, which was proven before, says of receipts. */
    public static Verification<List<ChainReceipt>> receiptsByHeader(
            RawJson receipts, BlockHeader header, ChainFamily family) {
        JsonNode tree = parsed(receipts);
        return tree == null ? unreadable() : ReceiptsProof.byHeader(tree, header, family);
    }

    /** Returns the result for an answer whose block is not proven. */
    private static Verification<JsonNode> without(Verification<ProvenBlock> block, String detail) {
        return block instanceof Unprovable ? block.failure() : new Incomplete<>(detail);
    }

    /**
     * Verifies a block with its transactions by its hash, its roots and its uncles.
     *
     * @param hash the block's
     * @param uncles all of them, in order; possibly from other upstreams than the block
     * @param rules of the chain
     * @return wrong only if the block is wrong; unverifiable if an uncle is
     */
    public static Verification<JsonNode> checkWithUncles(
            RawJson block, String hash, List<RawJson> uncles, ChainRules rules) {
        JsonNode tree = parsed(block);
        return tree == null
                ? unreadable()
                : BlockProof.block(tree, Hash32.fromHex(hash), rules.family()).then(proven -> {
                    Verification<JsonNode> result = withUncles(tree, proven.header(), uncles, rules.family());
                    return listed(result, tree, ObjectForm.BLOCK, rules);
                });
    }

    private static Verification<JsonNode> withUncles(
            JsonNode block, BlockHeader header, List<RawJson> uncles, ChainFamily family) {
        List<BlockHeader> headers = headers(uncles, family);
        List<Hash32> named = BlockProof.namedUncles(block);
        if (headers == null || named == null) {
            return new Unverifiable<>("an uncle does not have its hash");
        }
        boolean asNamed = named.equals(headers.stream().map(BlockHeader::hash).toList());
        boolean asHashed = BlockRoots.ommers(headers).equals(header.sha3Uncles());
        if (!asNamed && !asHashed) {
            return new Unverifiable<>("the uncles are others");
        }
        return asNamed && asHashed ? new Proven<>(block, WHOLE) : new Wrong<>("uncles: not those of the header");
    }

    /** Returns the headers of uncles; null if the hash of one is not the hash that it names. */
    private static @Nullable List<BlockHeader> headers(List<RawJson> uncles, ChainFamily family) {
        List<BlockHeader> headers = new ArrayList<>();
        for (RawJson uncle : uncles) {
            JsonNode tree = parsed(uncle);
            ProvenBlock proven =
                    tree == null ? null : BlockProof.uncle(tree, null, family).value();
            if (proven == null) {
                return null;
            }
            headers.add(proven.header());
        }
        return headers;
    }

    /**
     * Compares the position of a transaction or an uncle with its block. The answer's own hash was proven before.
     *
     * @param block proven before
     * @param hash the block's
     * @param index of the uncle; -1 for a transaction, which names its own
     * @param rules of the chain
     */
    public static Verification<JsonNode> checkPosition(
            RawJson answer, RawJson block, String hash, long index, ChainRules rules) {
        JsonNode blockTree = parsed(block);
        JsonNode tree = parsed(answer);
        if (tree == null || blockTree == null) {
            return new Incomplete<>("without its block");
        }
        Verification<ProvenBlock> known = BlockProof.known(blockTree, Hash32.fromHex(hash), rules.family());
        ProvenBlock whole = known.value();
        if (whole == null) {
            return without(known, "without its block");
        }
        if (index < 0) {
            return proven(BlockProof.transaction(tree, whole, rules.family()), tree, Part.TRANSACTION.word());
        }
        List<Hash32> uncles = BlockProof.namedUncles(blockTree);
        boolean same = uncles != null
                && index < uncles.size()
                && uncles.get((int) index)
                        .hex()
                        .equalsIgnoreCase(tree.path("hash").asString(""));
        return same
                ? new Proven<>(tree, Part.HEADER.word())
                : new Wrong<>("hash: another (expected: the uncle of its block)");
    }
}
