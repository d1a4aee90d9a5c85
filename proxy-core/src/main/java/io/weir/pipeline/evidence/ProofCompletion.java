package io.weir.pipeline.evidence;

import io.netty.channel.EventLoop;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.pipeline.CallContext;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Incomplete;
import io.weir.verify.Verification.Missing;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Shed;
import io.weir.verify.Verification.Unanchored;
import io.weir.verify.Verification.Unverifiable;
import io.weir.verify.Verification.Wrong;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proof of what {@link HashProof} left open of an answer, before the answer is stored. It goes on from the proof that came with the answer,
 * and begins anew only if there is none. Receipts are always proven anew, by all of their block. Thread-safe.
 *
 * <ul>
 *   <li>The senders of a block's transactions are recovered, and its uncles are fetched.
 *   <li>The place of a transaction or an uncle, and receipts, are compared with their block, if memory holds it.
 * </ul>
 */
public final class ProofCompletion {

    /** The most uncles of one block. */
    private static final int MAX_UNCLES = 2;

    private static final Verification<?> FAILED = new Missing<>("the proof failed");

    private final VerificationContext shared;
    private final Uncles uncles;

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

    /** Makes the completion of one network's proofs. */
    public ProofCompletion(VerificationContext shared, Uncles uncles) {
        this.shared = shared;
        this.uncles = uncles;
    }

    /**
     * An answer that is to be stored. Immutable.
     *
     * @param rule of its call
     * @param known what was proven when it came; null if nothing was
     * @param place the block that it is stored for
     * @param block that block with its transactions; null if memory does not hold it
     * @param uncle the index of the uncle that the call names; -1 if it names none
     * @param mayBeOfOther whether the node may have had another block at the height
     */
    public record OpenProof(
            CallContext context,
            CacheClass rule,
            RawJson answer,
            String upstreamId,
            @Nullable Verification<?> known,
            BlockRef place,
            @Nullable RawJson block,
            long uncle,
            boolean mayBeOfOther) {}

    /**
     * Completes a proof, perhaps on the executor.
     *
     * @param sink gets the result once, on any thread; shed if the executor has no room
     */
    public void complete(OpenProof open, Consumer<Verification<?>> sink) {
        RawJson block = open.block();
        if (open.known() != null && open.rule() != CacheClass.BLOCK && block == null) {
            // Nothing takes long.
            end(open, proof(open), sink);
            return;
        }
        int length = open.answer().length() + (block == null ? 0 : block.length());
        aside(length, () -> proof(open), found -> end(open, found, sink), sink);
    }

    /**
     * Runs a proof on the executor.
     *
     * @param next receives its result
     * @param sink receives shed, in place of that, if there is no room
     */
    private void aside(
            long bytes,
            Supplier<Verification<?>> proof,
            Consumer<Verification<?>> next,
            Consumer<Verification<?>> sink) {
        boolean taken = shared.executor().tryRun(bytes, () -> {
            Verification<?> found = FAILED;
            try {
                found = proof.get();
            } finally {
                next.accept(found);
            }
        });
        if (!taken) {
            sink.accept(new Shed<>());
        }
    }

    private Verification<?> proof(OpenProof open) {
        ChainRules rules = shared.rules();
        RawJson answer = open.answer();
        RawJson block = open.block();
        String hash = open.place().hash();
        if (open.rule() == CacheClass.RECEIPTS) {
            return AnswerProof.checkReceipts(
                    answer, Objects.requireNonNull(block), Objects.requireNonNull(hash), rules);
        }
        AnswerKind kind = Objects.requireNonNull(open.rule().provenAs());
        Verification<?> known = open.known();
        Verification<?> content = known == null
                ? AnswerProof.check(kind, answer, null, rules)
                : AnswerProof.completed(kind, known, rules);
        if (!open.rule().isPlacedByItsBlock() || !(content instanceof Proven)) {
            return content;
        }
        if (block == null || hash == null) {
            return new Incomplete<>("without its block");
        }
        Verification<?> placed = AnswerProof.checkPosition(answer, block, hash, open.uncle(), rules);
        return placed instanceof Wrong && open.mayBeOfOther() ? new Unanchored<>() : placed;
    }

    private void end(OpenProof open, Verification<?> found, Consumer<Verification<?>> sink) {
        if (found instanceof Incomplete<?> incomplete
                && incomplete.value() instanceof ProvenBlock block
                && block.transactions() != null
                && block.uncles().size() <= MAX_UNCLES) {
            EventLoop loop = open.context().loop();
            loop.execute(() -> uncles.ask(block.hash().hex(), block.uncles().size(), loop, given -> {
                if (given == null) {
                    note(open, found, sink);
                    return;
                }
                aside(
                        given.stream().mapToLong(RawJson::length).sum(),
                        () -> AnswerProof.withUncles(
                                block, given, shared.rules().family()),
                        // The uncles may be another node's.
                        whole -> note(open, whole instanceof Unverifiable ? found : whole, sink),
                        sink);
            }));
        } else {
            note(open, found, sink);
        }
    }

    private void note(OpenProof open, Verification<?> found, Consumer<Verification<?>> sink) {
        RpcCall call = open.context().call();
        boolean ofBlock = open.rule() == CacheClass.BLOCK || open.rule() == CacheClass.HEADER;
        boolean showsRules = ofBlock && open.place().number() > 0;
        shared.meters().count(found.kind());
        shared.misbehaviour().note(open.upstreamId(), call.method(), call.params(), showsRules, found);
        sink.accept(found);
    }
}
