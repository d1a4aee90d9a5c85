package io.weir.pipeline.evidence;

import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Incomplete;
import io.weir.verify.Verification.Part;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Shed;
import io.weir.verify.Verification.Unanchored;
import io.weir.verify.Verification.Unlisted;
import io.weir.verify.Verification.Unverifiable;
import io.weir.verify.Verification.Wrong;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proof of what the hashes of an answer leave open. It goes on from what they proved, once for each answer: before the answer is served if
 * the call waits for that ({@link ResultProof}), otherwise before it is stored. Both take the same steps, and differ in where the evidence
 * comes from. Thread-safe.
 *
 * <ul>
 *   <li>The senders of a block's transactions are recovered, and its uncles compared with its header.
 *   <li>A transaction, an uncle and receipts are compared with their block, and one receipt with all receipts of its block.
 * </ul>
 */
public final class ProofCompletion {

    /** More than any chain allows in one block. */
    static final int MAX_UNCLES = 4;

    private ProofCompletion() {}

    /**
     * An answer whose proof is open. Immutable.
     *
     * @param rule of its call
     * @param known what its hashes proved; null if nothing was proven
     * @param block the hash of the block that it is compared with; null if that is not known
     * @param uncle the index of the uncle that the call names; -1 if it names none
     * @param withUncles whether the uncles of a block must be proven
     * @param served whether a client waits: then it goes on although the answer has a member that is not listed, and asks only its node for
     *     uncles
     * @param mayBeOfOther whether the node may have had another block at the height
     */
    public record OpenProof(
            CacheClass rule,
            RawJson answer,
            @Nullable Verification<?> known,
            @Nullable String block,
            long uncle,
            boolean withUncles,
            boolean served,
            boolean mayBeOfOther) {}

    /** Source of what proves an answer apart from its own hashes. Its methods are called on any thread, and so may be the sinks. */
    public interface Evidence {

        /** Runs a long step on another thread; returns false if there is no room for it. */
        boolean tryRun(long bytes, Runnable step);

        /** Finds a block with its transactions. */
        void block(String hash, Consumer<Verification<BlockEvidence>> sink);

        /** Finds an uncle of a block. */
        void uncle(ProvenBlock block, int index, Consumer<Verification<RawJson>> sink);

        /** Finds all receipts of a block. */
        default void receipts(ProvenBlock block, Consumer<Verification<RawJson>> sink) {
            sink.accept(new Incomplete<>("without the receipts of its block"));
        }
    }

    /**
     * A block as evidence. Immutable.
     *
     * @param bytes that are to be read; 0 if it is at hand
     */
    public record BlockEvidence(long bytes, Supplier<Verification<ProvenBlock>> block) {

        /** Returns a block that is at hand. */
        static BlockEvidence of(ProvenBlock block) {
            Verification<ProvenBlock> proven = new Proven<>(block);
            return new BlockEvidence(0, () -> proven);
        }

        /**
         * Returns a block that is to be read.
         *
         * @param proven whether the senders of its transactions were proven before
         */
        public static BlockEvidence of(RawJson json, String hash, boolean proven, ChainFamily family) {
            return new BlockEvidence(json.length(), () -> AnswerProof.evidence(json, hash, proven, family));
        }
    }

    /**
     * Completes a proof.
     *
     * @param sink gets the result once, on any thread; shed if there is no room for a step
     */
    public static void complete(ChainRules rules, OpenProof open, Evidence evidence, Consumer<Verification<?>> sink) {
        new Steps(rules, open, evidence, sink).begin();
    }

    /** Steps of one proof. Each runs after the one before it, perhaps on another thread. */
    private static final class Steps {

        private final ChainRules rules;
        private final OpenProof open;
        private final CacheClass rule;
        private final Evidence evidence;
        private final Consumer<Verification<?>> sink;
        /** What is proven of the answer apart from its place; null as long as nothing is. */
        private @Nullable Object content;
        /** Names a member that is not listed; null if there is none. */
        private @Nullable String unlisted;

        Steps(ChainRules rules, OpenProof open, Evidence evidence, Consumer<Verification<?>> sink) {
            this.rules = rules;
            this.open = open;
            this.rule = open.rule();
            this.evidence = evidence;
            this.sink = sink;
        }

        void begin() {
            AnswerKind kind = rule.provenAs();
            if (kind == null) {
                compare();
            } else if (rule == CacheClass.BLOCK || open.known() == null) {
                aside(open.answer().length(), () -> byHashes(kind), this::goOn);
            } else {
                goOn(byHashes(kind));
            }
        }

        private void aside(long bytes, Supplier<Verification<?>> step, Consumer<Verification<?>> next) {
            boolean taken = evidence.tryRun(bytes, () -> {
                Verification<?> found = new Shed<>();
                try {
                    found = step.get();
                } finally {
                    next.accept(found);
                }
            });
            if (!taken) {
                sink.accept(new Shed<>());
            }
        }

        private Verification<?> byHashes(AnswerKind kind) {
            Verification<?> known = open.known();
            return known == null
                    ? AnswerProof.check(kind, open.answer(), null, rules)
                    : AnswerProof.completed(kind, known, rules);
        }

        private void goOn(Verification<?> found) {
            boolean isStrange = found instanceof Unlisted;
            content = found.value();
            unlisted = isStrange ? found.detail() : null;
            if (content == null || (isStrange && !open.served())) {
                sink.accept(found);
            } else if (rule.isPlacedByItsBlock()) {
                compare();
            } else if (rule == CacheClass.BLOCK) {
                ofBlock(found, (ProvenBlock) content);
            } else {
                finish(found);
            }
        }

        private void ofBlock(Verification<?> found, ProvenBlock block) {
            boolean isOpen = block.transactions() != null && !block.unclesProven();
            if (isOpen && !open.withUncles()) {
                finish(new Proven<>(block, Part.WHOLE_BLOCK));
            } else if (!isOpen || block.uncles().size() > MAX_UNCLES) {
                finish(found);
            } else {
                fetchUncles(block, new ArrayList<>(0));
            }
        }

        /** Fetches the uncles of a block one after the other. */
        private void fetchUncles(ProvenBlock block, List<RawJson> uncles) {
            if (uncles.size() == block.uncles().size()) {
                long bytes = uncles.stream().mapToLong(RawJson::length).sum();
                aside(bytes, () -> withUncles(block, uncles), this::finish);
                return;
            }
            evidence.uncle(block, uncles.size(), found -> {
                RawJson uncle = found.value();
                if (uncle == null) {
                    finish(found);
                    return;
                }
                unlisted = found instanceof Unlisted ? found.detail() : unlisted;
                uncles.add(uncle);
                fetchUncles(block, uncles);
            });
        }

        private Verification<?> withUncles(ProvenBlock block, List<RawJson> uncles) {
            Verification<ProvenBlock> whole = AnswerProof.withUncles(block, uncles, rules.family());
            boolean mayBeOfOther = whole instanceof Unverifiable && !open.served();
            return mayBeOfOther ? new Incomplete<>("a list of uncles") : whole;
        }

        /** Compares the answer with its block. */
        private void compare() {
            String hash = open.block();
            if (hash == null) {
                finish(new Incomplete<>("without its block"));
                return;
            }
            evidence.block(hash, found -> {
                BlockEvidence block = found.value();
                if (block == null) {
                    finish(found);
                } else if (rule == CacheClass.RECEIPT) {
                    read(block, () -> block.block().get(), this::ofReceipt);
                } else if (rule == CacheClass.RECEIPTS) {
                    aside(open.answer().length() + block.bytes(), () -> byBlock(block), this::finish);
                } else {
                    read(block, () -> byBlock(block), this::finish);
                }
            });
        }

        /** Runs a step that takes long only if a block is to be read. */
        private void read(BlockEvidence block, Supplier<Verification<?>> step, Consumer<Verification<?>> next) {
            if (block.bytes() == 0) {
                next.accept(step.get());
            } else {
                aside(open.answer().length() + block.bytes(), step, next);
            }
        }

        private Verification<?> byBlock(BlockEvidence given) {
            Verification<ProvenBlock> read = given.block().get();
            ProvenBlock block = read.value();
            if (block == null) {
                return read;
            }
            if (rule == CacheClass.RECEIPTS) {
                return AnswerProof.receipts(open.answer(), open.known(), block, rules);
            }
            Verification<?> placed = rule == CacheClass.UNCLE
                    ? AnswerProof.uncleOf(block, open.uncle(), (ProvenBlock) Objects.requireNonNull(content))
                    : AnswerProof.position(open.answer(), block, rules.family());
            return placed instanceof Wrong && open.mayBeOfOther() ? new Unanchored<>() : placed;
        }

        private void ofReceipt(Verification<?> read) {
            if (!(read.value() instanceof ProvenBlock block)) {
                finish(read);
                return;
            }
            evidence.receipts(block, found -> {
                RawJson all = found.value();
                if (all == null) {
                    finish(found);
                } else {
                    aside(all.length(), () -> AnswerProof.receipt(open.answer(), all, block, rules), this::finish);
                }
            });
        }

        private void finish(Verification<?> found) {
            String detail = unlisted;
            sink.accept(
                    detail != null && found instanceof Proven
                            ? new Unlisted<Object>(Objects.requireNonNull(found.value()), detail)
                            : found);
        }
    }
}
