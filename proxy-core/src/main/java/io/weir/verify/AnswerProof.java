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
     * Verifies an answer by its own hashes. What further evidence proves, and the senders of a block's transactions, which take most of the
     * time of its proof, are left to {@link #completed}.
     *
     * @param asked the requested hash; null if the call names no hash, and the object's own hash counts
     * @param mined whether the answer is known to have a hash, because a block that is not pending was asked for
     * @return of a good answer incomplete or unlisted, with the proven block or transaction
     */
    public static Verification<?> byHashes(
            AnswerKind kind, RawJson answer, @Nullable String asked, boolean mined, ChainRules rules) {
        JsonNode tree = parsed(answer);
        if (tree == null) {
            return unreadable();
        }
        if (mined && kind != AnswerKind.TRANSACTION && !tree.hasNonNull("hash")) {
            return withoutHash();
        }
        Hash32 hash = asked == null ? null : Hash32.fromHex(asked);
        ChainFamily family = rules.family();
        return switch (kind) {
            case BLOCK -> open(BlockProof.known(tree, hash, family), tree, ObjectForm.BLOCK, rules);
            case HEADER, UNCLE -> open(BlockProof.uncle(tree, hash, family), tree, ObjectForm.BLOCK, rules);
            case TRANSACTION -> open(TransactionProof.check(tree, hash, family), tree, ObjectForm.TRANSACTION, rules);
        };
    }

    private static <T> Verification<T> open(
            Verification<T> verification, JsonNode tree, ObjectForm form, ChainRules rules) {
        return listed(verification.then(value -> new Incomplete<>(value, "by its hashes")), tree, form, rules);
    }

    /**
     * Completes the proof of an answer that its own hashes prove.
     *
     * @param byHashes as {@link #byHashes} returned it
     * @return incomplete if uncles of a block are left, or if the block has hashes only
     */
    public static Verification<?> completed(AnswerKind kind, Verification<?> byHashes, ChainRules rules) {
        if (byHashes.value() instanceof ProvenBlock block && kind == AnswerKind.BLOCK) {
            Verification<ProvenBlock> found = BlockProof.senders(block, rules.family());
            return !(found instanceof Proven) ? found : byHashes instanceof Incomplete ? whole(block) : byHashes;
        }
        return byHashes instanceof Incomplete<?> incomplete && incomplete.value() != null
                ? new Proven<>(
                        incomplete.value(),
                        switch (kind) {
                            case HEADER -> Part.HEADER.word();
                            case TRANSACTION -> Part.TRANSACTION.word();
                            // Only the block proves that it is the requested uncle.
                            default -> "";
                        })
                : byHashes;
    }

    private static Verification<ProvenBlock> whole(ProvenBlock block) {
        return block.whole()
                ? new Proven<>(block, Part.WHOLE_BLOCK)
                : new Incomplete<>(block, block.transactions() == null ? "a list of hashes" : "a list of uncles");
    }

    /** Verifies the header of a block by its hash, and nothing of its lists; else as {@link #byHashes}. */
    public static Verification<ProvenBlock> header(
            RawJson block, @Nullable String asked, boolean mined, ChainFamily family) {
        JsonNode members = parsedWithoutLists(block);
        if (members == null) {
            return unreadable();
        }
        return mined && !members.hasNonNull("hash")
                ? withoutHash()
                : BlockProof.header(members, asked == null ? null : Hash32.fromHex(asked), family);
    }

    private static <T> Verification<T> withoutHash() {
        return new Wrong<>("hash: none (expected: one, because the block is not pending)");
    }

    /** Returns an object's members that are neither lists nor objects, as a tree; null if it is not one object, or if a name occurs twice. */
    private static @Nullable JsonNode parsedWithoutLists(RawJson answer) {
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
    public static Verification<?> check(AnswerKind kind, RawJson answer, @Nullable String asked, ChainRules rules) {
        return completed(kind, byHashes(kind, answer, asked, false, rules), rules);
    }

    /** Returns the result, unless it is good and the answer has a member that is not listed. */
    private static <T> Verification<T> listed(
            Verification<T> result, JsonNode tree, ObjectForm form, ChainRules rules) {
        T value = result.value();
        String name = value == null ? null : rules.names().unlisted(tree, form);
        return value == null || name == null ? result : new Unlisted<>(value, "a member that is not listed: " + name);
    }

    /**
     * Reads a block with its transactions that is evidence for another answer.
     *
     * @param proven whether the senders of its transactions were proven before
     * @return incomplete if it proves nothing
     */
    public static Verification<ProvenBlock> evidence(RawJson block, String hash, boolean proven, ChainFamily family) {
        JsonNode tree = parsed(block);
        Hash32 asked = Hash32.fromHex(hash);
        Verification<ProvenBlock> found = tree == null
                ? unreadable()
                : proven ? BlockProof.known(tree, asked, family) : BlockProof.block(tree, asked, family);
        ProvenBlock whole = found.value();
        return whole != null && whole.transactions() != null ? found : without(found, "its block");
    }

    private static <T> Verification<T> without(Verification<?> evidence, String what) {
        String detail = "without " + what;
        return evidence instanceof Unprovable ? new Unprovable<>(detail) : new Incomplete<>(detail);
    }

    /**
     * Verifies all receipts of a block by the block, which was proven before.
     *
     * @param block with its transactions
     * @param hash the block's
     * @param rules of the chain
     */
    public static Verification<?> checkReceipts(RawJson receipts, RawJson block, String hash, ChainRules rules) {
        Verification<ProvenBlock> known = evidence(block, hash, true, rules.family());
        ProvenBlock whole = known.value();
        return whole == null ? known : receipts(receipts, null, whole, rules);
    }

    /**
     * Verifies all receipts of a block by the block.
     *
     * @param byHeader as {@link #receiptsByHeader} returned it, so that only the rest is verified; null if it was not called
     * @param block with its transactions
     * @param rules of the chain
     */
    public static Verification<?> receipts(
            RawJson receipts, @Nullable Verification<?> byHeader, ProvenBlock block, ChainRules rules) {
        JsonNode tree = parsed(receipts);
        if (tree == null) {
            return unreadable();
        }
        boolean rooted = byHeader != null
                && byHeader.value() instanceof BlockHeader header
                && header.hash().equals(block.hash());
        Verification<?> found = rooted
                ? ReceiptsProof.following(tree, block, rules.family())
                : ReceiptsProof.check(tree, block, rules.family());
        return listed(found.then(all -> new Proven<>(all, Part.RECEIPTS.word())), tree, ObjectForm.RECEIPT, rules);
    }

    /**
     * Verifies what the header of their block, which was proven before, says of receipts.
     *
     * @return of good receipts incomplete, with the header
     */
    public static Verification<?> receiptsByHeader(RawJson receipts, BlockHeader header, ChainFamily family) {
        JsonNode tree = parsed(receipts);
        return tree == null
                ? unreadable()
                : ReceiptsProof.byHeader(tree, header, family)
                        .then(proven -> new Incomplete<>(header, "by the header"));
    }

    /**
     * Verifies one receipt by its block.
     *
     * @param all the receipts of the block
     * @param block with its transactions
     * @return incomplete if those receipts prove nothing
     */
    public static Verification<?> receipt(RawJson receipt, RawJson all, ProvenBlock block, ChainRules rules) {
        JsonNode tree = parsed(receipt);
        JsonNode list = parsed(all);
        if (tree == null) {
            return unreadable();
        }
        Verification<List<ChainReceipt>> found =
                list == null ? unreadable() : ReceiptsProof.check(list, block, rules.family());
        List<ChainReceipt> proven = found.value();
        return proven == null
                ? without(found, "the receipts of its block")
                : listed(
                        ReceiptsProof.one(tree, block, proven, rules.family())
                                .then(index -> new Proven<>(index, Part.RECEIPTS.word())),
                        tree,
                        ObjectForm.RECEIPT,
                        rules);
    }

    /**
     * Completes the proof of a block with the headers of its uncles.
     *
     * @param block of which only the uncles are left
     * @param uncles all of them, in order; possibly from other upstreams than the block
     * @return wrong only if the block is wrong; unverifiable if an uncle is
     */
    public static Verification<ProvenBlock> withUncles(ProvenBlock block, List<RawJson> uncles, ChainFamily family) {
        List<BlockHeader> headers = headers(uncles, family);
        if (headers == null) {
            return new Unverifiable<>("an uncle does not have its hash");
        }
        boolean asNamed =
                block.uncles().equals(headers.stream().map(BlockHeader::hash).toList());
        boolean asHashed = BlockRoots.ommers(headers).equals(block.header().sha3Uncles());
        if (!asNamed && !asHashed) {
            return new Unverifiable<>("the uncles are others");
        }
        return asNamed && asHashed
                ? new Proven<>(block.withProvenUncles(), Part.WHOLE_BLOCK)
                : new Wrong<>("uncles: not those of the header");
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

    /** Compares a transaction, its position included, with its block. Its own hash was proven before. */
    public static Verification<?> position(RawJson transaction, ProvenBlock block, ChainFamily family) {
        JsonNode tree = parsed(transaction);
        return tree == null
                ? unreadable()
                : BlockProof.transaction(tree, block, family)
                        .then(index -> new Proven<>(index, Part.TRANSACTION.word()));
    }

    /**
     * Compares an uncle with the block that lists it.
     *
     * @param block whose own uncles are not proven
     * @param index in the list
     */
    public static Verification<?> uncleOf(ProvenBlock block, long index, ProvenBlock uncle) {
        List<Hash32> uncles = block.uncles();
        boolean same = index < uncles.size() && uncles.get((int) index).equals(uncle.hash());
        return same
                ? new Proven<>(uncle, Part.HEADER.word())
                : new Wrong<>("hash: another (expected: the uncle of its block)");
    }
}
