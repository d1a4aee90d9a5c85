package io.weir.pipeline.evidence;

import io.weir.cache.AnswerFacts;
import io.weir.cache.CacheMeters.Serving;
import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors.Standing;
import io.weir.pipeline.evidence.JudgeCheck.JudgedResult;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.verify.AnswerProof;
import io.weir.verify.BlockProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ObjectForm;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.TransactionProof;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Missing;
import io.weir.verify.Verification.Part;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Shed;
import io.weir.verify.Verification.Unanchored;
import io.weir.verify.Verification.Unlisted;
import io.weir.verify.Verification.Unprovable;
import io.weir.verify.Verification.Unverifiable;
import io.weir.verify.Verification.Wrong;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Proof of the results of calls that wait for it. A result that contradicts its hashes or its evidence is a failed attempt. Thread-safe;
 * the results of a call stay on its event loop, except for long proofs.
 *
 * <ol>
 *   <li>The result's own hashes prove what they cover.
 *   <li>If the call names no block by its hash, a second node must name the same block ({@link Anchors}).
 *   <li>Evidence proves the rest: a transaction or receipt is compared with its block, receipts with their block, uncles with the header
 *       that lists them. The proxy's own calls fetch it: they go by memory, join equal calls, and their results are proven in the same way.
 *       No evidence waits for what waits for it: receipts need their block, a block its uncles, and these only their hashes.
 * </ol>
 */
public final class FullProof {

    /** More than any chain allows in one block. */
    private static final int MAX_UNCLES = 4;

    /** Nodes that two others may outvote, one after the other, before the next answer is served unanchored. */
    private static final int MAX_OUTVOTED = 2;

    private final VerificationContext shared;
    private final Nodes nodes;
    private final Anchors anchors;

    /** Makes the proof of one network's results. */
    public FullProof(VerificationContext shared, Nodes nodes, Anchors anchors) {
        this.shared = shared;
        this.nodes = nodes;
        this.anchors = anchors;
    }

    /** Proves a result of a node; called on the call's event loop. */
    void check(JudgedResult given) {
        new OneResult(given).prove();
    }

    /**
     * A result that is right by itself. Immutable.
     *
     * @param block null unless the result is one
     * @param place the block that it names; null if it names none
     */
    private record Known(
            JsonNode tree,
            @Nullable ProvenBlock block,
            @Nullable ClaimedBlock place) {}

    /** Proof of one result. Confined to the call's event loop, except for long proofs. */
    private final class OneResult {

        private final JudgedResult given;
        private final CallContext context;
        private final CacheClass rule;
        private final CheckedParams params;
        private final RawJson result;
        private final NeededProof needed;
        private final ChainFamily family = shared.rules().family();
        private final ObjectForm form;
        /** The result's block; null if its place does not matter, or as long as it is not known. */
        private @Nullable ClaimedBlock claim;
        /** Of that block. */
        private Standing standing = Standing.CANONICAL;
        /** Null unless the result is a block that is right by itself. */
        private @Nullable ProvenBlock block;

        /** Name of a member that is not listed for the chain; null as long as none is known. */
        private volatile @Nullable String unlisted;

        OneResult(JudgedResult given) {
            this.given = given;
            this.context = given.context();
            this.rule = given.rule();
            this.params = given.params();
            this.result = given.result();
            this.needed = Objects.requireNonNull(context.route().proof());
            this.form = switch (rule) {
                case BLOCK, HEADER, UNCLE -> ObjectForm.BLOCK;
                case TRANSACTION -> ObjectForm.TRANSACTION;
                default -> ObjectForm.RECEIPT;
            };
        }

        void prove() {
            if (rule == CacheClass.RECEIPTS) {
                ofReceipts();
            } else if (rule == CacheClass.HEADER || !needed.isOfAll()) {
                place(byItself());
            } else {
                aside(result.length(), this::byItself, this::place);
            }
        }

        /** Runs a long proof on the executor. */
        private <T> void aside(long size, Supplier<Verification<T>> proof, Consumer<Verification<T>> next) {
            boolean taken = shared.executor().tryRun(context.holder(), size, () -> {
                Verification<T> found = new Shed<>();
                try {
                    found = proof.get();
                } finally {
                    Verification<T> ended = found;
                    context.loop().execute(() -> context.step(() -> next.accept(ended)));
                }
            });
            if (!taken) {
                next.accept(new Shed<>());
            }
        }

        private Verification<Known> byItself() {
            JsonNode tree = parsed();
            return tree == null
                    ? AnswerProof.unreadable()
                    : switch (rule) {
                        case BLOCK -> BlockProof.block(tree, asked(), family).then(block -> whole(tree, block));
                        case TRANSACTION ->
                            TransactionProof.check(tree, lookedUp(), family).then(proven -> named(tree));
                        case RECEIPT -> receipt(tree);
                        default ->
                            BlockProof.uncle(tree, asked(), family)
                                    .then(block -> new Proven<>(new Known(tree, block, placeOf(block))));
                    };
        }

        /** Returns the result as a tree; null if it is none. */
        private @Nullable JsonNode parsed() {
            JsonNode tree = AnswerProof.parsed(result);
            unlisted = tree == null ? null : shared.rules().names().unlisted(tree, form);
            return tree;
        }

        private @Nullable Hash32 asked() {
            return rule != CacheClass.UNCLE && params.block() instanceof BlockSelector.Hash named
                    ? Hash32.fromHex(named.hash())
                    : needed.hash();
        }

        private Hash32 lookedUp() {
            return Hash32.fromHex(String.valueOf(params.lookupHash()));
        }

        private @Nullable ClaimedBlock placeOf(ProvenBlock block) {
            boolean byHash = params.block() instanceof BlockSelector.Hash;
            return byHash ? null : claim(block.header().number(), block.hash());
        }

        private ClaimedBlock claim(long number, Hash32 hash) {
            return new ClaimedBlock(number, hash.hex(), given.upstreamId());
        }

        private Verification<Known> whole(JsonNode tree, ProvenBlock block) {
            if (needed.isOfAll() && block.transactions() == null) {
                return new Wrong<>("transactions: hashes (expected: in full, as asked for)");
            }
            return block.uncles().size() > MAX_UNCLES
                    ? new Wrong<>("uncles: more than there can be (expected: up to " + MAX_UNCLES + ")")
                    : new Proven<>(new Known(tree, block, placeOf(block)));
        }

        private Verification<Known> receipt(JsonNode tree) {
            String asked = lookedUp().hex();
            if (!tree.path("transactionHash").asString("").equalsIgnoreCase(asked)) {
                return new Wrong<>("transactionHash: another (expected: " + asked + ")");
            }
            return tree.hasNonNull("blockHash")
                    ? named(tree)
                    : new Wrong<>("blockHash: none (expected: the block of the receipt)");
        }

        /** Reads the block that a transaction or a receipt names. */
        private Verification<Known> named(JsonNode tree) {
            if (!tree.hasNonNull("blockHash")) {
                return new Proven<>(new Known(tree, null, null));
            }
            try {
                Hash32 hash = Hash32.fromHex(tree.get("blockHash").asString(""));
                long number = Long.decode(tree.path("blockNumber").asString(""));
                return new Proven<>(new Known(tree, null, claim(number, hash)));
            } catch (IllegalArgumentException e) {
                return new Wrong<>("blockHash, blockNumber: something else (expected: a hash and a number)");
            }
        }

        private void place(Verification<Known> own) {
            if (!(own instanceof Proven<Known> proven)) {
                end(own);
                return;
            }
            Known known = proven.value();
            block = known.block();
            boolean lookup = rule == CacheClass.TRANSACTION || rule == CacheClass.RECEIPT;
            ClaimedBlock claimed = known.place();
            if (!needed.isOfAll()) {
                end(new Proven<>(result, Part.HEADER.word()));
            } else if (claimed != null) {
                claim = claimed;
                anchors.find(context, claimed, found -> prove(known, found));
            } else if (lookup) {
                // No block proves that the transaction is pending, nor its price.
                shared.meters().count(Serving.UNPROVEN);
                given.accept();
            } else {
                prove(known, Standing.CANONICAL);
            }
        }

        private void prove(Known known, Standing found) {
            boolean other = found == Standing.OTHER;
            if (other && context.trace().outvoted() < MAX_OUTVOTED) {
                context.trace().markOutvoted();
                shared.meters().count(Serving.OUTVOTED);
                given.replace(new Failed(Fault.FALSE_ANSWER, Executed.NO, "two others name another block", 0));
                return;
            }
            standing = other ? Standing.UNKNOWN : found;
            switch (rule) {
                case BLOCK -> ofBlock(Objects.requireNonNull(known.block()));
                case TRANSACTION, RECEIPT -> ofLookup(known.tree(), Objects.requireNonNull(known.place()));
                default -> end(new Proven<>(result, Part.HEADER.word()));
            }
        }

        private void ofBlock(ProvenBlock block) {
            if (!block.unclesProven() && needed.isOfUncles()) {
                uncles(block);
                return;
            }
            proved(block, List.of());
        }

        private void proved(ProvenBlock block, List<RawJson> uncles) {
            needed.proved(block, uncles);
            end(new Proven<>(block, Part.WHOLE_BLOCK));
        }

        /** Fetches a block's uncles from the node that named them, and verifies that they are all of the block's. */
        private void uncles(ProvenBlock block) {
            List<Hash32> named = block.uncles();
            Stage node = nodes.only().apply(given.upstreamId());
            UncleFetcher.fetch(
                    block.hash().hex(),
                    named.size(),
                    (call, index, next) -> {
                        CallContext sub = evidence(call, NeededProof.ofHashes(named.get(index)));
                        node.handle(sub, reply -> {
                            if (sub.trace().verification() instanceof Unlisted) {
                                unlisted = "one of an uncle";
                            }
                            next.accept(reply, shared.holds(sub.trace()));
                        });
                    },
                    (uncles, failed) -> {
                        if (failed == null) {
                            withUncles(block, uncles);
                        } else {
                            end(withoutEvidence(failed, "its uncles"));
                        }
                    });
        }

        private void withUncles(ProvenBlock block, List<RawJson> uncles) {
            Verification<ProvenBlock> found = AnswerProof.withUncles(block, uncles, family);
            ProvenBlock whole = found.value();
            if (whole == null) {
                end(found);
            } else {
                proved(whole, uncles);
            }
        }

        private void ofLookup(JsonNode tree, ClaimedBlock place) {
            block(place.hash(), block -> {
                if (rule == CacheClass.RECEIPT) {
                    receipts(tree, block);
                } else {
                    end(BlockProof.transaction(tree, block, family)
                            .then(index -> new Proven<>(result, Part.TRANSACTION.word())));
                }
            });
        }

        /** Fetches a block with its transactions. Without it the proof ends. */
        private void block(String hash, Consumer<ProvenBlock> next) {
            NeededProof proof = NeededProof.withoutUncles();
            CallContext sub = evidence(ChainCalls.blockByHash(hash, true), proof);
            shared.calls().handle(sub, reply -> {
                RawJson json = found(reply, "its block");
                ProvenBlock proven = proof.block();
                if (json != null && proven != null) {
                    next.accept(proven);
                } else if (json != null) {
                    // It was proven for another call, or passed unverified.
                    boolean wasProven = !sub.trace().verified().isEmpty();
                    aside(json.length(), () -> reread(json, hash, wasProven), known -> {
                        ProvenBlock block = known.value();
                        if (block == null || block.transactions() == null) {
                            end(unproven(known, "its block"));
                        } else {
                            next.accept(block);
                        }
                    });
                }
            });
        }

        /** @param wasProven whether the senders of its transactions were proven before */
        private Verification<ProvenBlock> reread(RawJson block, String hash, boolean wasProven) {
            JsonNode tree = AnswerProof.parsed(block);
            Hash32 asked = Hash32.fromHex(hash);
            return tree == null
                    ? AnswerProof.unreadable()
                    : wasProven ? BlockProof.known(tree, asked, family) : BlockProof.block(tree, asked, family);
        }

        /** Compares one receipt with all of its block. */
        private void receipts(JsonNode tree, ProvenBlock block) {
            CallContext sub = evidence(ChainCalls.receipts(block.hash().hex()), NeededProof.ofReceipts(block));
            sub.setRoute(sub.route().toBlock(block.header().number(), true));
            String what = "the receipts of its block";
            shared.calls().handle(sub, reply -> {
                RawJson json = found(reply, what);
                if (json != null) {
                    aside(
                            json.length(),
                            () -> {
                                JsonNode list = AnswerProof.parsed(json);
                                var all = list == null ? null : ReceiptsProof.check(list, block, family);
                                var proven = all == null ? null : all.value();
                                return proven == null
                                        ? unproven(all == null ? AnswerProof.unreadable() : all, what)
                                        : ReceiptsProof.one(tree, block, proven, family)
                                                .then(index -> new Proven<>(result, Part.RECEIPTS.word()));
                            },
                            this::end);
                }
            });
        }

        /** Verifies all receipts of a block that the call names by its hash. */
        private void ofReceipts() {
            ProvenBlock known = needed.block();
            if (known != null) {
                all(known);
            } else {
                block(((BlockSelector.Hash) params.block()).hash(), this::all);
            }
        }

        private void all(ProvenBlock block) {
            aside(
                    result.length(),
                    () -> {
                        JsonNode tree = parsed();
                        return tree == null
                                ? AnswerProof.unreadable()
                                : ReceiptsProof.check(tree, block, family)
                                        .then(receipts -> new Proven<>(result, Part.RECEIPTS.word()));
                    },
                    this::end);
        }

        private CallContext evidence(RpcCall call, NeededProof proof) {
            CallContext sub = context.aside(call, CallCause.VERIFY);
            sub.setRoute(sub.route().ofEvidence(proof));
            return sub;
        }

        /** Returns a piece of evidence; null without it, and then the proof ends. */
        private @Nullable RawJson found(RpcReply reply, String what) {
            if (reply instanceof RpcReply.Result found && !found.value().equals(RawJson.NULL)) {
                return found.value();
            }
            end(withoutEvidence(reply, what));
            return null;
        }

        private void end(Verification<?> verification) {
            String name = unlisted;
            Verification<?> found = name != null && verification instanceof Proven<?> proven
                    ? new Unlisted<>(proven.value(), "a member that is not listed: " + name)
                    : verification;
            NodeOutcome outcome = shared.outcome(found, context.call(), isLaterBlock(), given.upstreamId(), result);
            boolean missing = found instanceof Missing;
            given.end(outcome, found.value() == null ? missing ? found : null : placed(found));
        }

        /** Returns whether the result is a block or a header, but the first one of the chain. */
        private boolean isLaterBlock() {
            ProvenBlock proven = block;
            if (proven != null) {
                return proven.header().number() > 0;
            }
            AnswerFacts facts = form == ObjectForm.BLOCK ? AnswerFacts.read(CacheClass.BLOCK, result) : null;
            return facts != null && facts.number() > 0;
        }

        private Verification<?> placed(Verification<?> found) {
            if (standing == Standing.CANONICAL) {
                return claim != null && !anchors.isReplaced(claim) && found instanceof Proven<?> proven
                        ? new Proven<Object>(proven.value(), proven.parts(), true)
                        : found;
            }
            shared.meters().count(Verification.Kind.UNANCHORED);
            // If no other upstream can confirm the block, the answer is cached, and not called verified.
            return found instanceof Proven<?> proven && !anchors.isPossible()
                    ? proven.withoutParts()
                    : new Unanchored<Object>(found.value());
        }
    }

    /** Returns the verification of a result whose evidence cannot be proven. It passed before, unproven. */
    private static <T> Verification<T> unproven(Verification<?> evidence, String what) {
        String detail = "without " + what;
        if (evidence instanceof Shed) {
            return new Shed<>();
        }
        return evidence instanceof Unprovable ? new Unprovable<>(detail) : new Unverifiable<>(detail);
    }

    /** Returns the verification of a result whose evidence no node gives. */
    private static Verification<?> withoutEvidence(RpcReply reply, String what) {
        String detail = "without " + what;
        if (reply.equals(Fault.UNCHECKED.forClient())) {
            return new Shed<>();
        }
        // A result that does not count has passed unverified.
        boolean passed =
                reply instanceof RpcReply.Result result && !result.value().equals(RawJson.NULL);
        return passed || isUnverifiable(reply) ? new Unverifiable<>(detail) : new Missing<>(detail);
    }

    /** Returns whether a reply tells that no node's answer can be verified, because of what it has, or for lack of the method. */
    public static boolean isUnverifiable(RpcReply reply) {
        return reply.equals(Fault.UNVERIFIABLE.forClient())
                || (reply instanceof RpcReply.Failure failure
                        && failure.error().code() == ErrorCode.METHOD_NOT_FOUND.code());
    }
}
