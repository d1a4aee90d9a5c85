package io.weir.pipeline.admission;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.cache.BlockLayout;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.admission.AdmissionDecision.Proof;
import io.weir.pipeline.admission.CacheWriter.Anchor;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writer of answers that need a proof. It stores such an answer only once it is proven. Thread-safe. */
public final class VerifyingCacheWriter {

    /** The most uncles of one block. */
    private static final int MAX_UNCLES = 2;

    private final ResultMemory memory;
    private final CacheWriter writer;
    private final Uncles uncles;
    private final CacheMeters meters;
    private final ChainView view;
    private final @Nullable Verifying verifying;

    /**
     * The parts that prove answers before they are stored. Immutable; its members are thread-safe.
     *
     * @param misbehaviour notes the results of verification by node
     * @param rules of the chain
     * @param claims positions of transactions that no block has proven yet
     */
    public record Verifying(MisbehaviourTracker misbehaviour, ChainRules rules, PositionClaims claims) {}

    /** Fetcher of the uncles of blocks. Thread-safe. */
    @FunctionalInterface
    public interface Uncles {

        /**
         * Fetches a block's few uncles; called on the loop.
         *
         * @param block its hash
         * @param sink receives all of them, on the loop; null if one is missing
         */
        void ask(String block, int count, EventLoop loop, Consumer<@Nullable List<RawJson>> sink);
    }

    /**
     * Creates the writer of one network.
     *
     * @param writer stores what may be stored
     * @param uncles fetches the uncles of blocks
     * @param view receives the links of proven blocks
     * @param verifying null if answers are stored without proof
     */
    public VerifyingCacheWriter(
            ResultMemory memory,
            CacheWriter writer,
            Uncles uncles,
            CacheMeters meters,
            ChainView view,
            @Nullable Verifying verifying) {
        this.writer = writer;
        this.uncles = uncles;
        this.view = view;
        this.memory = memory;
        this.meters = meters;
        this.verifying = verifying;
    }

    boolean verifies() {
        return verifying != null;
    }

    /**
     * Notes the position of a transaction by an upstream's word. It is compared with the block once that is proven.
     *
     * @param isFinal whether the height is final
     */
    void claim(CacheRequest request, String upstreamId, AnswerFacts facts, boolean isFinal) {
        if (verifying != null && !request.context().trace().isProven()) {
            verifying.claims().note(upstreamId, request.key().method(), facts, isFinal);
        }
    }

    /**
     * Stores an answer, now or once it is proven.
     *
     * @param facts the block that the answer names; null if it names none
     */
    void keep(CacheRequest request, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor) {
        CacheClass rule = request.rule();
        CallTrace trace = request.context().trace();
        String upstream = trace.upstreamId();
        Proof needed = anchor.store().proof();
        if (verifying == null || upstream == null) {
            put(request, answer, "", anchor);
            return;
        }
        if (needed == Proof.DONE) {
            learn(facts);
            put(request, answer, trace.verified(), anchor.proven());
            return;
        }
        boolean byHeight = anchor.block().hash() == null && anchor.lasting();
        String hash = byHeight
                ? writer.hashAt(anchor.block().number())
                : anchor.block().hash();
        boolean besideBlock = needed == Proof.BLOCK || needed == Proof.HASH_AND_BLOCK;
        CachedResult kept = besideBlock && hash != null ? writer.block(hash) : null;
        if (needed == Proof.BLOCK && kept == null) {
            // An answer that only its block proves is not stored without that block.
            writer.refuse(request, Keeping.UNVERIFIED);
            return;
        }
        Verifying with = verifying;
        RawJson block = kept == null ? null : kept.value();
        Runnable proof = () -> {
            Verification<?> result;
            try {
                AdmissionProof.AskedBlock asked = new AdmissionProof.AskedBlock(block, hash, anchor.lasting());
                result = AdmissionProof.check(with.rules(), request, answer, facts, asked);
            } catch (RuntimeException e) {
                writer.refuse(request, Keeping.UNVERIFIED);
                throw e;
            }
            note(with, request, upstream, anchor, result);
            verified(request, answer, facts, anchor, result);
        };
        if (rule == CacheClass.HEADER) {
            proof.run();
        } else if (!memory.executor().tryRun(answer.length() + (block == null ? 0 : block.length()), proof)) {
            writer.refuse(request, Keeping.NO_ROOM);
        }
    }

    private static void note(
            Verifying with, CacheRequest request, String upstream, Anchor anchor, Verification<?> result) {
        String method = request.key().method();
        boolean ofBlock = request.rule() == CacheClass.BLOCK || request.rule() == CacheClass.HEADER;
        boolean block = ofBlock && anchor.block().number() > 0;
        with.misbehaviour().note(upstream, method, request.key().params(), block, result);
    }

    private void verified(
            CacheRequest request, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor, Verification<?> result) {
        meters.count(result.kind());
        switch (result.kind()) {
            case PROVEN -> {
                learn(facts);
                boolean place = anchor.named() || request.rule().isPlacedByItsBlock();
                put(request, answer, place ? result.parts() : "", anchor.proven());
            }
            case INCOMPLETE -> complete(request, answer, facts, anchor);
            case UNPROVABLE -> putUnproven(request, answer, anchor);
            case WRONG -> writer.refuse(request, Keeping.WRONG);
            default -> writer.refuse(request, Keeping.UNVERIFIED);
        }
    }

    /** Verifies a block of which only the uncles are not proven, if the budget allows to fetch them. */
    private void complete(CacheRequest request, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor) {
        BlockLayout layout = request.rule() == CacheClass.BLOCK ? BlockLayout.read(answer) : null;
        String hash = anchor.block().hash();
        String upstream = request.context().trace().upstreamId();
        int lacking = layout == null ? 0 : layout.uncles();
        Verifying with = verifying;
        if (lacking == 0 || lacking > MAX_UNCLES || hash == null || upstream == null || with == null) {
            writer.refuse(request, Keeping.UNVERIFIED);
            return;
        }
        EventLoop loop = request.context().loop();
        loop.execute(() -> uncles.ask(hash, lacking, loop, found -> {
            if (found == null) {
                writer.refuse(request, Keeping.UNVERIFIED);
                return;
            }
            Runnable proof = () -> {
                Verification<?> result = AnswerProof.checkWithUncles(answer, hash, found, with.rules());
                if (result instanceof Verification.Wrong) {
                    note(with, request, upstream, anchor, result);
                }
                verified(request, answer, facts, anchor, result);
            };
            if (!memory.executor().tryRun(answer.length(), proof)) {
                writer.refuse(request, Keeping.NO_ROOM);
            }
        }));
    }

    private void learn(@Nullable AnswerFacts facts) {
        if (facts != null && facts.parentHash() != null) {
            view.extend(new BlockLink(facts.number(), facts.hash(), facts.parentHash()));
        }
    }

    private void put(CacheRequest request, RawJson answer, String proven, Anchor anchor) {
        if (writer.put(request, answer, proven, anchor)) {
            boolean provable = request.rule().isProvable() || request.rule().isProvenByItsBlock();
            compareClaims(request, answer, anchor);
            writer.kept(request, verifying != null && provable ? Keeping.PROVEN : Keeping.UNPROVEN);
        } else {
            writer.refuse(request, Keeping.NO_ROOM);
        }
    }

    /** Stores an answer that no node can prove, if the call names it by a hash. */
    private void putUnproven(CacheRequest request, RawJson answer, Anchor anchor) {
        boolean byHash = request.namesHash() || request.params().lookupHash() != null;
        if (!byHash) {
            writer.refuse(request, Keeping.UNVERIFIED);
        } else if (writer.put(request, answer, "", anchor)) {
            writer.kept(request, Keeping.UNPROVEN);
        } else {
            writer.refuse(request, Keeping.NO_ROOM);
        }
    }

    private void compareClaims(CacheRequest request, RawJson answer, Anchor anchor) {
        String hash = anchor.block().hash();
        if (verifying == null
                || request.rule() != CacheClass.BLOCK
                || hash == null
                || verifying.claims().isEmpty()) {
            return;
        }
        BlockLayout layout = BlockLayout.read(answer);
        if (layout != null) {
            boolean canonical = anchor.lasting() && anchor.placed();
            verifying.claims().compare(anchor.block().number(), hash, layout.hashes(answer), canonical);
        }
    }

    /** Verification of an answer that is to be stored: by its own hashes, and by its block where only that proves its place. Pure. */
    private static final class AdmissionProof {

        private AdmissionProof() {}

        /**
         * The block that a call is about, by which the place of the answer is verified. Immutable.
         *
         * @param block null if it is not stored
         * @param hash the block's; null if it is not known
         * @param lasting whether its height was final when the node was asked
         */
        record AskedBlock(@Nullable RawJson block, @Nullable String hash, boolean lasting) {}

        /** Verifies an answer by its hashes, and by its block if only the block proves its position. */
        static Verification<?> check(
                ChainRules rules, CacheRequest request, RawJson answer, @Nullable AnswerFacts facts, AskedBlock asked) {
            CacheClass rule = request.rule();
            if (rule == CacheClass.RECEIPTS) {
                return AnswerProof.checkReceipts(
                        answer, Objects.requireNonNull(asked.block()), Objects.requireNonNull(asked.hash()), rules);
            }
            AnswerKind kind = Objects.requireNonNull(rule.provenAs());
            Verification<?> result = AnswerProof.check(kind, answer, request.provenHash(facts), rules);
            if (!rule.isPlacedByItsBlock() || !(result instanceof Verification.Proven)) {
                return result;
            }
            if (asked.block() == null || asked.hash() == null) {
                return new Verification.Incomplete<>("without its block");
            }
            long index = rule == CacheClass.UNCLE ? request.index() : -1;
            Verification<?> placed = AnswerProof.checkPosition(answer, asked.block(), asked.hash(), index, rules);
            return placed instanceof Verification.Wrong && mayBeOfOther(request, asked)
                    ? new Verification.Unanchored<>()
                    : placed;
        }

        /**
         * Returns whether an answer that does not fit the block may be right for another one. An uncle names no block, and until a
         * height is final, the node may have had another block there than the chain view.
         */
        private static boolean mayBeOfOther(CacheRequest request, AskedBlock asked) {
            return request.rule() == CacheClass.UNCLE
                    && request.params().block() instanceof BlockSelector.Height
                    && !asked.lasting();
        }
    }
}
