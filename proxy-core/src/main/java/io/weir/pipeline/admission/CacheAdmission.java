package io.weir.pipeline.admission;

import io.netty.channel.EventLoop;
import io.weir.answer.Policy.Extent;
import io.weir.cache.AnswerFacts;
import io.weir.cache.BlockLayout;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.chain.BlockLink;
import io.weir.chain.Slot;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.KindParams;
import io.weir.method.params.LogEnd;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.admission.AdmissionPolicy.Content;
import io.weir.pipeline.admission.AdmissionPolicy.Decision;
import io.weir.pipeline.admission.AdmissionPolicy.Facts;
import io.weir.pipeline.admission.AdmissionPolicy.Place;
import io.weir.pipeline.admission.AdmissionPolicy.ProofState;
import io.weir.pipeline.admission.AdmissionPolicy.Reference;
import io.weir.pipeline.admission.AdmissionPolicy.Refuse;
import io.weir.pipeline.admission.AdmissionPolicy.Selector;
import io.weir.pipeline.admission.AdmissionPolicy.Store;
import io.weir.pipeline.admission.CacheWriter.Anchor;
import io.weir.pipeline.agree.Sampler;
import io.weir.pipeline.agree.Sampler.NodeResult;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.ProofCompletion;
import io.weir.pipeline.evidence.ProofCompletion.BlockEvidence;
import io.weir.pipeline.evidence.ProofCompletion.OpenProof;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Incomplete;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Shed;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The admission of nodes' answers to memory. Gathers the facts about an answer, has {@link AdmissionPolicy} decide, and acts. Never
 * delays the answer itself. Thread-safe; each answer stays on its call's event loop until it is verified.
 *
 * @param uncles fetches the uncles of blocks that are to be proven
 * @param claims positions of transactions that no block has proven yet
 * @param anchors the blocks that several upstreams call canonical
 * @param sampler of results that nothing proves
 * @param extraCalls takes one extra call from the budget; false if none is left
 */
public record CacheAdmission(
        CanonicalCheck check,
        CacheWriter writer,
        VerificationContext verification,
        Uncles uncles,
        PositionClaims claims,
        Anchors anchors,
        Sampler sampler,
        BooleanSupplier extraCalls) {

    /** The checks of the chain for one answer: a check fails if the head rises during it. */
    private static final int CHECKS = 3;

    private NetworkChain chain() {
        return check.chain();
    }

    /** Fetcher of the uncles of blocks. Thread-safe. */
    @FunctionalInterface
    public interface Uncles {

        /**
         * Fetches an uncle; called on the loop.
         *
         * @param block the hash of the block that lists it
         * @param sink receives it on the loop; null if it is missing
         */
        void ask(String block, int index, EventLoop loop, Consumer<@Nullable RawJson> sink);
    }

    /** Takes a node's answer; called on the call's event loop, after the answer was passed on. */
    public void take(CacheRequest request, RawJson answer, String upstreamId) {
        CallTrace trace = request.context().trace();
        boolean unanchored = trace.isUnanchored()
                || trace.lacksUncles()
                || (trace.degraded() && !request.params().shape().isOfEthereum());
        boolean read =
                !unanchored && !answer.equals(RawJson.NULL) && request.rule().namesBlock();
        BlockIds blocks = request.params().shape().blocks();
        AnswerFacts named = read ? AnswerFacts.read(request.rule(), blocks, answer) : null;
        if (named != null && named.parentHash() != null) {
            verification.known().passed(named.number(), named.hash(), answer);
        }
        Facts facts = new Facts(
                request.rule(),
                selector(request.params().block()),
                content(request, answer, named),
                unanchored,
                check.manyUpstreams(),
                proofState(request),
                false,
                Place.UNKNOWN);
        Answer taken = new Answer(request, answer, upstreamId, writer.markOf(upstreamId), named, trace.verification());
        Refuse refused = AdmissionPolicy.refuse(facts);
        if (refused != null) {
            writer.refuse(request, refused.reason());
        } else if (named != null) {
            takeNamed(taken, named, facts);
        } else {
            takeUnnamed(taken, facts);
        }
    }

    /**
     * An answer to be admitted. Immutable.
     *
     * @param source the mark of its node when it came: a node that is revoked before the answer is stored gave it before that
     * @param named what it says of its block; null if it does not name it
     * @param proof what was proven of it when it came; null if nothing was
     */
    private record Answer(
            CacheRequest request,
            RawJson json,
            String upstreamId,
            int source,
            @Nullable AnswerFacts named,
            @Nullable Verification<?> proof) {

        private boolean isProven() {
            return proof instanceof Verification.Proven;
        }
    }

    private static Selector selector(BlockSelector block) {
        if (block instanceof BlockSelector.Hash hash) {
            return hash.requireCanonical() ? Selector.CANONICAL_HASH : Selector.HASH;
        }
        return block instanceof BlockSelector.Height ? Selector.HEIGHT : Selector.OTHER;
    }

    private static Content content(CacheRequest request, RawJson answer, @Nullable AnswerFacts named) {
        if (answer.equals(RawJson.NULL)) {
            return Content.NULL;
        }
        if (request.rule().namesBlock()) {
            return named == null ? Content.UNREADABLE : request.isAnsweredBy(named) ? Content.FITS : Content.OF_OTHER;
        }
        // Nodes may resolve a tag at either end to different blocks.
        boolean ofTag = request.rule() == CacheClass.LOGS
                && request.params().block() instanceof BlockSelector.Height
                && (LogEnd.FROM.number(request.params()) < 0 || LogEnd.TO.number(request.params()) < 0);
        return ofTag ? Content.OF_TAG : Content.FITS;
    }

    private ProofState proofState(CacheRequest request) {
        if (request.context().trace().isProven()) {
            return ProofState.DONE;
        }
        return verification.policy().beforeStoring(request.rule()) == Extent.ALL ? ProofState.OPEN : ProofState.OFF;
    }

    private void takeNamed(Answer answer, AnswerFacts named, Facts facts) {
        CacheRequest request = answer.request();
        feed(request, named, answer.upstreamId());
        boolean onlyFinal = request.rule().isOfFinalBlocks();
        if (onlyFinal) {
            // Its status calls its block final.
            chain().finalized().namedByStatus(answer.upstreamId(), named.number());
        }
        Runnable known = () -> {
            boolean isFinal = isFinal(request, named);
            if (verification.policy().proves() && !answer.isProven()) {
                // It is compared with the block once that is proven.
                claims.note(answer.upstreamId(), request.key().method(), named, isFinal);
            }
            if (isFinal) {
                takeFinal(answer, named, facts.at(true, finalPlace(named)));
            } else if (onlyFinal) {
                takePlaced(answer, named, facts);
            } else {
                takeRecent(answer, named, facts, CHECKS);
            }
        };
        if (chain().finalized().covers(named.number())) {
            known.run();
        } else {
            chain().finality().whenKnown(request.context().loop(), named.number(), known);
        }
    }

    /** Extends the chain view by a block that passes by. */
    private void feed(CacheRequest request, AnswerFacts named, String upstreamId) {
        String parent = named.parentHash();
        if (parent == null || verification.policy().proves()) {
            // If blocks are verified, the view takes only those that were.
            return;
        }
        BlockLink link = new BlockLink(named.number(), named.hash(), parent);
        if (!request.namesHash()) {
            chain().watch().offerHead(link, request.begun(), request.beganNanos(), upstreamId);
        }
        chain().view().extend(link);
    }

    /**
     * Returns whether an answer stays right. If its block was not known to be final when the node was asked, another block may
     * have become final in its place, unless the answer itself says that its block is.
     */
    private boolean isFinal(CacheRequest request, AnswerFacts named) {
        long number = named.number();
        return chain().finalized().covers(number)
                && (request.namesHash()
                        || request.rule().isOfFinalBlocks()
                        || request.wasFinal(chain().finalized(), number)
                        || (named.hash().equals(chain().view().hash(number)) && chain().isSettled(number)));
    }

    private Place finalPlace(AnswerFacts named) {
        String hash = chain().view().hash(named.number());
        Anchors.Standing known = anchors.known(named.number(), named.hash());
        if (known == Anchors.Standing.OTHER || (hash != null && !hash.equals(named.hash()))) {
            return Place.OTHER;
        }
        boolean linked = hash != null && chain().isSettled(named.number());
        boolean placed = check.manyUpstreams() ? known == Anchors.Standing.CANONICAL : linked;
        return placed ? Place.CANONICAL : Place.UNKNOWN;
    }

    private void takeFinal(Answer answer, AnswerFacts named, Facts facts) {
        Decision admission = AdmissionPolicy.decide(facts);
        boolean canonical = !(admission instanceof Refuse refused && refused.reason() == Keeping.UNANCHORED);
        if (!canonical
                && facts.place() == Place.UNKNOWN
                && answer.request().params().shape() instanceof KindParams kind
                && extraCalls.getAsBoolean()) {
            askOther(answer, named, kind.blocks(), place -> takePlaced(answer, named, facts.at(true, place)));
            return;
        }
        if (canonical && !answer.request().namesHash()) {
            chain().finalized().anchor(named.number(), named.hash());
        }
        act(answer, admission, new BlockRef(named.number(), named.hash(), CachedResult.ANY_STAMP));
    }

    /** Asks another node for the block at the height. Nothing proves a place on a plugin's network, so that its word decides. */
    private void askOther(Answer answer, AnswerFacts named, BlockIds ids, Consumer<Place> sink) {
        RpcCall call = Objects.requireNonNull(ids.call(new BlockSelector.Height(named.number())));
        EventLoop loop = answer.request().context().loop();
        sampler.ask(call, named.number(), loop, Set.of(answer.upstreamId()), other -> {
            AnswerFacts theirs = other == null ? null : AnswerFacts.placeOf(ids, other.value());
            sink.accept(theirs != null && theirs.isSameBlock(named) ? Place.CANONICAL : Place.UNKNOWN);
        });
    }

    /** Checks the chain first. Repeats a check that fails because the head rose: else nothing at the head would be stored. */
    private void takeRecent(Answer answer, AnswerFacts named, Facts facts, int checks) {
        CallContext context = answer.request().context();
        chain().watch().whenPlaceable(context.loop(), context.deadlineNanos(), fresh -> {
            if (!fresh && checks > 1) {
                takeRecent(answer, named, facts, checks - 1);
                return;
            }
            if (fresh) {
                chain().watch().whenReached(answer.request().key(), context.loop(), named.number(), reached -> {
                    boolean canonical = named.hash().equals(chain().view().hash(named.number()));
                    takePlaced(answer, named, facts.at(false, canonical ? Place.CANONICAL : Place.UNKNOWN));
                });
            } else {
                takePlaced(answer, named, facts.at(false, Place.UNKNOWN));
            }
        });
    }

    private void takePlaced(Answer answer, AnswerFacts named, Facts facts) {
        BlockRef block = new BlockRef(named.number(), named.hash(), CachedResult.ANY_STAMP);
        act(answer, AdmissionPolicy.decide(facts), block);
    }

    /** An answer that does not name its block depends on the chain view's block of the time when the node was asked. */
    private void takeUnnamed(Answer answer, Facts facts) {
        CacheRequest request = answer.request();
        boolean byHeight = request.params().block() instanceof BlockSelector.Height;
        Slot slot = request.params().block() instanceof BlockSelector.Hash hash
                ? chain().view().find(hash.hash())
                : request.slot();
        if (slot == null && !byHeight) {
            writer.refuse(request, Keeping.UNANCHORED);
            return;
        }
        long number = request.params().block() instanceof BlockSelector.Height height
                ? height.number()
                : Objects.requireNonNull(slot).block().number();
        // The watch locks, so most calls do not ask it.
        if (chain().finalized().covers(number)) {
            takeAt(number, slot, answer, facts);
        } else {
            chain().finality().whenKnown(request.context().loop(), number, () -> takeAt(number, slot, answer, facts));
        }
    }

    private void takeAt(long number, @Nullable Slot slot, Answer answer, Facts facts) {
        boolean byHeight = answer.request().params().block() instanceof BlockSelector.Height;
        boolean stands =
                slot != null && slot.equals(chain().view().at(slot.block().number()));
        boolean canonical = stands && (!byHeight || chain().view().isNamedBy(answer.upstreamId()));
        boolean isFinal = chain().finalized().covers(number)
                && ((byHeight && answer.request().wasFinal(chain().finalized(), number))
                        || (canonical && check.isFinal(number)));
        Decision admission = AdmissionPolicy.decide(facts.at(isFinal, canonical ? Place.CANONICAL : Place.UNKNOWN));
        act(answer, admission, block(admission, number, slot));
    }

    private static BlockRef block(Decision admission, long number, @Nullable Slot slot) {
        if (slot == null || (admission instanceof Store store && store.reference() == Reference.HEIGHT)) {
            return new BlockRef(number, null, CachedResult.ANY_STAMP);
        }
        boolean stamped = admission instanceof Store store && store.reference() == Reference.SLOT;
        return new BlockRef(number, slot.block().hash(), stamped ? slot.stamp() : CachedResult.ANY_STAMP);
    }

    private void act(Answer answer, Decision admission, BlockRef block) {
        if (admission instanceof Store store) {
            Anchor anchor = new Anchor(block, store, answer.source());
            switch (store.proof()) {
                case OFF -> keepUnproven(answer, anchor);
                case DONE ->
                    keepProven(
                            answer,
                            anchor,
                            Objects.requireNonNull(answer.proof()).parts());
                default -> prove(answer, anchor);
            }
        } else if (admission instanceof Refuse refused) {
            writer.refuse(answer.request(), refused.reason());
        }
    }

    /** Completes the proof of an answer, and stores the answer if it is right. */
    private void prove(Answer answer, Anchor anchor) {
        CacheRequest request = answer.request();
        BlockRef place = anchor.block();
        String hash = place.hash() == null && anchor.store().lasting() ? writer.hashAt(place.number()) : place.hash();
        boolean compared = request.rule().isPlacedByItsBlock() || request.rule() == CacheClass.RECEIPTS;
        CachedResult block = compared && hash != null ? writer.block(hash) : null;
        if (request.rule() == CacheClass.RECEIPTS && block == null) {
            // An answer that only its block proves is not stored without that block.
            writer.refuse(request, Keeping.UNVERIFIED);
            return;
        }
        // An uncle names no block, and until a height is final, the node may have had another block there than the
        // chain view.
        boolean ofUncle = request.rule() == CacheClass.UNCLE;
        boolean mayBeOfOther = ofUncle
                && request.params().block() instanceof BlockSelector.Height
                && !anchor.store().lasting();
        OpenProof open = new OpenProof(
                request.rule(),
                answer.json(),
                answer.proof(),
                block == null ? null : hash,
                ofUncle ? request.index() : -1,
                true,
                false,
                mayBeOfOther);
        StoredEvidence evidence =
                new StoredEvidence(this, request.context().loop(), block == null ? null : block.value());
        ProofCompletion.complete(verification.rules(), open, evidence, found -> proved(answer, anchor, found));
    }

    /** Evidence from memory: the block that an answer is compared with, if it is stored. Only uncles are fetched. */
    private record StoredEvidence(
            CacheAdmission admission,
            EventLoop loop,
            @Nullable RawJson block) implements ProofCompletion.Evidence {

        @Override
        public boolean tryRun(long bytes, Runnable step) {
            return admission.verification.executor().tryRun(bytes, step);
        }

        @Override
        public void block(String hash, Consumer<Verification<BlockEvidence>> sink) {
            RawJson json = Objects.requireNonNull(block);
            sink.accept(new Proven<>(BlockEvidence.of(
                    json, hash, true, admission.verification.rules().family())));
        }

        @Override
        public void uncle(ProvenBlock of, int index, Consumer<Verification<RawJson>> sink) {
            loop.execute(() -> admission.uncles.ask(
                    of.hash().hex(),
                    index,
                    loop,
                    uncle -> sink.accept(uncle == null ? new Incomplete<>("a list of uncles") : new Proven<>(uncle))));
        }
    }

    private void proved(Answer answer, Anchor anchor, Verification<?> found) {
        CacheRequest request = answer.request();
        if (!(found instanceof Shed)) {
            boolean ofBlock = request.rule() == CacheClass.BLOCK || request.rule() == CacheClass.HEADER;
            boolean showsRules = ofBlock && anchor.block().number() > 0;
            verification.note(found, request.context().call(), showsRules, answer.upstreamId());
        }
        switch (found.kind()) {
            case PROVEN -> {
                boolean place = anchor.store().named() || request.rule().isPlacedByItsBlock();
                keepProven(answer, anchor, place ? found.parts() : "");
            }
            case UNPROVABLE -> {
                // No node can prove it. It is stored if the call names it by a hash.
                if (request.namesHash() || request.params().lookupHash() != null) {
                    writer.keep(request, answer.json(), anchor);
                } else {
                    writer.refuse(request, Keeping.UNVERIFIED);
                }
            }
            case WRONG -> writer.refuse(request, Keeping.WRONG);
            case SHED -> writer.refuse(request, Keeping.NO_ROOM);
            default -> writer.refuse(request, Keeping.UNVERIFIED);
        }
    }

    /** @param parts the proven ones, as clients see them */
    private void keepProven(Answer answer, Anchor anchor, String parts) {
        CacheRequest request = answer.request();
        AnswerFacts named = answer.named();
        if (named != null && named.parentHash() != null) {
            chain().view().extend(new BlockLink(named.number(), named.hash(), named.parentHash()));
        }
        if (writer.put(request, answer.json(), parts, anchor.proven())) {
            compareClaims(answer, anchor);
            writer.kept(request, Keeping.PROVEN);
        } else {
            writer.refuse(request, Keeping.NO_ROOM);
        }
    }

    private void compareClaims(Answer answer, Anchor anchor) {
        String hash = anchor.block().hash();
        if (answer.request().rule() != CacheClass.BLOCK || hash == null || claims.isEmpty()) {
            return;
        }
        BlockLayout layout = BlockLayout.read(answer.json());
        if (layout != null) {
            boolean canonical = anchor.store().lasting() && anchor.store().placed();
            claims.compare(anchor.block().number(), hash, layout.hashes(answer.json()), canonical);
        }
    }

    private void keepUnproven(Answer answer, Anchor anchor) {
        CacheRequest request = answer.request();
        if (!anchor.store().lasting() || !sampler.isDue()) {
            writer.keep(request, answer.json(), anchor);
            return;
        }
        CallContext context = request.context();
        NodeResult first = new NodeResult(answer.upstreamId(), answer.json());
        sampler.take(context.call(), anchor.block().number(), first, context.loop(), right -> {
            if (right == null) {
                writer.refuse(request, Keeping.DISPUTED);
            } else if (right.equals(first)) {
                writer.keep(request, right.value(), anchor);
            } else {
                int source = writer.markOf(right.upstreamId());
                writer.keep(request, right.value(), new Anchor(anchor.block(), anchor.store(), source));
            }
        });
    }
}
