package io.weir.pipeline.proof;

import io.weir.cache.AnswerProof;
import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplyCheck;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.Finding;
import io.weir.verify.ObjectForm;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Holds the answers to one call against their hashes, as one node after the other gives them, and keeps what was proven of the
 * one that counts. Confined to its call's event loop, but for the proof itself, which runs elsewhere where it is long.
 *
 * @param <T> what an answer is once it is proven
 */
final class ProofCheck<T> implements ReplyCheck {

    private final Proofs.Desk desk;
    private final Kind kind;
    private final Function<JsonNode, Finding<T>> proof;
    private final Further<T> further;
    private @Nullable T proven;
    private Ruling.@Nullable Kind last;

    /** How long a proof takes, and what it tells of the chain. */
    enum Kind {
        /** A header, proven at once. */
        HEADER(ObjectForm.BLOCK),
        /** A block, proven on a thread for that. */
        BLOCK(ObjectForm.BLOCK),
        /** A transaction, likewise. */
        TRANSACTION(ObjectForm.TRANSACTION),
        /** A receipt or all receipts of a block, likewise. */
        RECEIPT(ObjectForm.RECEIPT);

        private final ObjectForm form;

        Kind(ObjectForm form) {
            this.form = form;
        }
    }

    /** The finding on an answer by itself, and a member in it that is not listed, if there is one. */
    private record Examined<T>(Finding<T> finding, @Nullable String unlisted) {}

    /**
     * What remains to be proven of an answer with the help of others.
     *
     * @param <T> what it is once it is proven by itself
     */
    @FunctionalInterface
    interface Further<T> {
        /**
         * Asks for more.
         *
         * @param context of the call; called on its event loop
         * @param sink gets the ruling, on that loop
         */
        void rule(CallContext context, String upstreamId, T value, Consumer<Ruling> sink);
    }

    ProofCheck(Proofs.Desk desk, Kind kind, Function<JsonNode, Finding<T>> proof, Further<T> further) {
        this.desk = desk;
        this.kind = kind;
        this.proof = proof;
        this.further = further;
    }

    ProofCheck(Proofs.Desk desk, Kind kind, Function<JsonNode, Finding<T>> proof) {
        this(desk, kind, proof, (context, upstreamId, value, sink) -> sink.accept(Ruling.PROVEN));
    }

    /** What the answer is that counts; null where there is none, or it passed unproven. */
    @Nullable
    T proven() {
        return proven;
    }

    /** Whether the answer that counts is proven and holds only members that are listed for the chain. */
    boolean isListed() {
        return last == Ruling.Kind.PROVEN;
    }

    /** What was said of the answer that came last; null where none came. */
    Ruling.@Nullable Kind last() {
        return last;
    }

    @Override
    public void check(CallContext context, String upstreamId, RawJson result, Consumer<NodeOutcome> sink) {
        if (kind == Kind.HEADER) {
            take(find(result), context, upstreamId, result, sink);
            return;
        }
        boolean room = desk.executor().tryRun(result.length(), () -> {
            try {
                Examined<T> examined = find(result);
                context.loop().execute(() -> context.step(() -> take(examined, context, upstreamId, result, sink)));
            } catch (RuntimeException | Error e) {
                context.loop().execute(() -> context.step(() -> end(shed(), null, context, upstreamId, result, sink)));
                throw e;
            }
        });
        if (!room) {
            end(shed(), null, context, upstreamId, result, sink);
        }
    }

    private static Ruling shed() {
        return new Ruling(Ruling.Kind.SHED, "");
    }

    private Examined<T> find(RawJson result) {
        JsonNode tree = AnswerProof.parsed(result);
        if (tree == null) {
            return new Examined<>(new Finding.Wrong<>("not one JSON value"), null);
        }
        Finding<T> finding = proof.apply(tree);
        boolean proven = finding instanceof Finding.Proven<T>;
        return new Examined<>(finding, proven ? desk.names().unlisted(tree, kind.form) : null);
    }

    private void take(
            Examined<T> examined, CallContext context, String upstreamId, RawJson result, Consumer<NodeOutcome> sink) {
        if (examined.finding() instanceof Finding.Proven<T> found) {
            further.rule(
                    context,
                    upstreamId,
                    found.value(),
                    ruling ->
                            end(listed(ruling, examined.unlisted()), found.value(), context, upstreamId, result, sink));
        } else {
            end(Ruling.of(examined.finding()), null, context, upstreamId, result, sink);
        }
    }

    private static Ruling listed(Ruling ruling, @Nullable String unlisted) {
        return unlisted == null || ruling.kind() != Ruling.Kind.PROVEN
                ? ruling
                : new Ruling(Ruling.Kind.UNLISTED, "a member that is not listed: " + unlisted);
    }

    private void end(
            Ruling ruling,
            @Nullable T value,
            CallContext context,
            String upstreamId,
            RawJson result,
            Consumer<NodeOutcome> sink) {
        last = ruling.kind();
        boolean counts = isListed() || (last == Ruling.Kind.UNLISTED && desk.passing());
        proven = counts ? value : null;
        boolean block = kind.form == ObjectForm.BLOCK;
        sink.accept(desk.outcome(ruling, context.call(), block, upstreamId, result));
    }
}
