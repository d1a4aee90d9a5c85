package io.weir.pipeline.evidence;

import io.weir.cache.AnswerFacts;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.Stage;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.AnswerProof;
import io.weir.verify.ObjectForm;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Shed;
import io.weir.verify.Verification.Unlisted;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Call whose answers are verified, one node's after the other's, until one counts. Its reply carries the verification. Confined to
 * its call's event loop, except for long proofs, which run on the executor.
 *
 * @param <T> type of the proven value
 */
public final class VerifyingCall<T> implements ReplyCheck {

    private final VerificationContext shared;
    private final Kind kind;
    private final Function<JsonNode, Verification<T>> proof;
    private final Further<T> further;
    private @Nullable Verification<T> last;

    /** Kind of an answer, which decides where the proof runs. A proven block shows that the chain has the rules of its settings. */
    public enum Kind {
        /** A header, verified at once. */
        HEADER(ObjectForm.BLOCK),
        /** A block, verified on the executor. */
        BLOCK(ObjectForm.BLOCK),
        /** A transaction, verified on the executor. */
        TRANSACTION(ObjectForm.TRANSACTION),
        /** A receipt or all receipts of a block, verified on the executor. */
        RECEIPT(ObjectForm.RECEIPT);

        private final ObjectForm form;

        Kind(ObjectForm form) {
            this.form = form;
        }
    }

    /**
     * Verification of an answer by itself. Immutable.
     *
     * @param unlisted name of a member that is not listed for the chain; null if there is none
     */
    private record Examined<T>(
            Verification<T> verification, @Nullable String unlisted) {}

    /**
     * Verifies by further calls what an answer does not prove itself.
     *
     * @param <T> type of the value
     */
    @FunctionalInterface
    public interface Further<T> {

        /**
         * Verifies a value that is proven as far as its answer proves it.
         *
         * @param context of the call; called on its event loop
         * @param sink receives the result on that loop: the value, with what was fetched for it, or a result without a value
         */
        void verify(CallContext context, String upstreamId, T value, Consumer<Verification<T>> sink);
    }

    /**
     * Makes a call whose answers need further calls.
     *
     * @param proof verifies an answer by itself
     */
    public VerifyingCall(
            VerificationContext shared, Kind kind, Function<JsonNode, Verification<T>> proof, Further<T> further) {
        this.shared = shared;
        this.kind = kind;
        this.proof = proof;
        this.further = further;
    }

    /**
     * Makes a call whose answers need no further calls.
     *
     * @param proof verifies an answer
     */
    public VerifyingCall(VerificationContext shared, Kind kind, Function<JsonNode, Verification<T>> proof) {
        this(shared, kind, proof, (context, upstreamId, value, sink) -> sink.accept(new Proven<>(value)));
    }

    /**
     * Sends the call.
     *
     * @param sink receives the reply with its verification once, on the call's event loop
     */
    public void send(CallContext context, Stage stage, Consumer<VerifiedReply<T>> sink) {
        context.setRoute(context.route().checkedBy(this));
        stage.handle(context, reply -> {
            boolean answered =
                    reply instanceof RpcReply.Result && context.trace().upstreamId() != null;
            sink.accept(new VerifiedReply<>(answered ? value() : null, reply, last, context.trace()));
        });
    }

    /** Returns the value of the last answer; null if that answer does not count. */
    private @Nullable T value() {
        boolean counts = last instanceof Proven || (last instanceof Unlisted && shared.passing());
        return last != null && counts ? last.value() : null;
    }

    @Override
    public void check(CallContext context, String upstreamId, RawJson result, Consumer<NodeOutcome> sink) {
        Consumer<Verification<T>> end = verification -> {
            last = verification;
            AnswerFacts facts = kind.form == ObjectForm.BLOCK ? AnswerFacts.read(CacheClass.BLOCK, result) : null;
            boolean block = facts != null && facts.number() > 0;
            sink.accept(shared.outcome(verification, context.call(), block, upstreamId, result));
        };
        if (kind == Kind.HEADER) {
            take(examine(result), context, upstreamId, end);
            return;
        }
        boolean accepted = shared.executor().tryRun(context.holder(), result.length(), () -> {
            try {
                Examined<T> examined = examine(result);
                context.loop().execute(() -> context.step(() -> take(examined, context, upstreamId, end)));
            } catch (RuntimeException | Error e) {
                context.loop().execute(() -> context.step(() -> end.accept(new Shed<>())));
                throw e;
            }
        });
        if (!accepted) {
            end.accept(new Shed<>());
        }
    }

    private Examined<T> examine(RawJson result) {
        JsonNode tree = AnswerProof.parsed(result);
        if (tree == null) {
            return new Examined<>(AnswerProof.unreadable(), null);
        }
        Verification<T> verification = proof.apply(tree);
        boolean proven = verification instanceof Proven;
        return new Examined<>(verification, proven ? shared.rules().names().unlisted(tree, kind.form) : null);
    }

    private void take(Examined<T> examined, CallContext context, String upstreamId, Consumer<Verification<T>> end) {
        String unlisted = examined.unlisted();
        if (examined.verification() instanceof Proven<T> found) {
            further.verify(
                    context,
                    upstreamId,
                    found.value(),
                    result -> end.accept(
                            unlisted == null
                                    ? result
                                    : result.then(value ->
                                            new Unlisted<>(value, "a member that is not listed: " + unlisted))));
        } else {
            end.accept(examined.verification());
        }
    }
}
