package io.weir.pipeline.evidence;

import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.FetchedBlock.ProvenReceipts;
import io.weir.upstream.CallCause;
import io.weir.verify.BlockProof;
import io.weir.verify.ChainReceipt;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Wrong;
import io.weir.verify.family.ChainFamily;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Fetches from nodes what proves answers: whole blocks, the headers of their uncles, all receipts. Each is verified by its hashes
 * before it counts. Thread-safe; the results of a call stay on its event loop.
 */
public final class EvidenceFetcher {

    /** More than any chain allows in one block. */
    private static final int MAX_UNCLES = 4;

    private final VerificationContext shared;
    private final Nodes nodes;
    private final FetchedBlock.Sink kept;

    /**
     * Makes the fetcher of one network.
     *
     * @param kept stores what was fetched
     */
    public EvidenceFetcher(VerificationContext shared, Nodes nodes, FetchedBlock.Sink kept) {
        this.kept = kept;
        this.shared = shared;
        this.nodes = nodes;
    }

    /** Returns whether answers that cannot be verified are served. */
    public boolean isPassing() {
        return shared.passing();
    }

    /**
     * A block in its answer, with its uncles. Immutable.
     *
     * @param named the hashes that the answer lists as uncles
     * @param uncles as the node sent them; empty if they were not fetched
     * @param listed whether the uncles have only members that are listed for the chain
     */
    private record WithUncles(ProvenBlock block, List<Hash32> named, List<RawJson> uncles, boolean listed) {}

    /**
     * Fetches a block with its transactions.
     *
     * @param named the block as the call names it, unless it names a hash
     * @param uncles whether its list of uncles is to be proven too
     */
    public void block(
            CallContext context,
            Stage stage,
            BlockSelector selector,
            RawJson named,
            boolean uncles,
            Consumer<VerifiedReply<FetchedBlock>> sink) {
        @Nullable Hash32 asked = selector instanceof BlockSelector.Hash exact ? Hash32.fromHex(exact.hash()) : null;
        long number = selector instanceof BlockSelector.Height height ? height.number() : -1;
        long begun = kept.begin();
        VerifyingCall<WithUncles> call = new VerifyingCall<>(
                shared,
                VerifyingCall.Kind.BLOCK,
                tree -> whole(tree, asked, number, shared.rules().family()),
                (at, upstreamId, value, result) -> {
                    if (uncles && !value.block().unclesProven()) {
                        uncles(at, upstreamId, value, result);
                    } else {
                        result.accept(new Proven<>(value));
                    }
                });
        call.send(
                context.aside(ChainCalls.wholeBlock(selector, named), CallCause.VERIFY),
                stage,
                got -> sink.accept(got.map(value -> new FetchedBlock(
                        got.json(),
                        value.block(),
                        value.uncles(),
                        null,
                        got.upstreamId(),
                        got.isListed() && value.listed(),
                        begun))));
    }

    private static Verification<WithUncles> whole(
            JsonNode tree, @Nullable Hash32 asked, long number, ChainFamily family) {
        return BlockProof.block(tree, asked, family).then(block -> {
            if (block.transactions() == null) {
                return new Wrong<>("transactions: hashes (expected: in full, as asked for)");
            }
            if (number >= 0 && block.header().number() != number) {
                return new Wrong<>("number: " + block.header().number() + " (expected: " + number + ")");
            }
            List<Hash32> named = BlockProof.namedUncles(tree);
            return named == null || named.size() > MAX_UNCLES
                    ? new Wrong<>("uncles: more than there can be (expected: up to " + MAX_UNCLES + ")")
                    : new Proven<>(new WithUncles(block, named, List.of(), true));
        });
    }

    /** Fetches a block's uncles from the node that named them, and verifies that they are all of the block's. */
    private void uncles(
            CallContext context, String upstreamId, WithUncles block, Consumer<Verification<WithUncles>> sink) {
        Stage stage = nodes.only().apply(upstreamId);
        UncleFetcher.Source<VerifiedReply<ProvenBlock>> source = new UncleFetcher.Source<>() {
            @Override
            public void send(RpcCall call, int index, Consumer<VerifiedReply<ProvenBlock>> reply) {
                Hash32 named = block.named().get(index);
                new VerifyingCall<>(
                                shared,
                                VerifyingCall.Kind.HEADER,
                                tree -> BlockProof.uncle(
                                        tree, named, shared.rules().family()))
                        .send(context.aside(call, CallCause.VERIFY), stage, reply);
            }

            @Override
            public boolean isFound(VerifiedReply<ProvenBlock> reply) {
                return reply.value() != null;
            }
        };
        UncleFetcher.fetch(block.block().hash().hex(), block.named().size(), source, uncles -> {
            VerifiedReply<ProvenBlock> failed = uncles.failed();
            sink.accept(failed == null ? complete(block, uncles.found()) : failed.withoutEvidence("its uncles"));
        });
    }

    private static Verification<WithUncles> complete(WithUncles block, List<VerifiedReply<ProvenBlock>> uncles) {
        var headers = uncles.stream()
                .flatMap(uncle -> Stream.ofNullable(uncle.value()))
                .map(ProvenBlock::header)
                .toList();
        if (!BlockProof.uncles(block.block().header(), headers, block.named())) {
            return new Wrong<>("uncles: not those of the header");
        }
        boolean listed = uncles.stream().allMatch(VerifiedReply::isListed);
        List<RawJson> json = uncles.stream().map(VerifiedReply::json).toList();
        return new Proven<>(new WithUncles(block.block(), block.named(), json, listed));
    }

    /** Fetches all receipts of a block. */
    public void receipts(
            CallContext context, Stage stage, FetchedBlock fetched, Consumer<VerifiedReply<FetchedBlock>> sink) {
        RpcCall call = ChainCalls.receipts(fetched.hash());
        CallContext sub = context.aside(call, CallCause.VERIFY);
        sub.setRoute(sub.route().toBlock(fetched.number(), true));
        VerifyingCall<List<ChainReceipt>> verifying = new VerifyingCall<>(
                shared,
                VerifyingCall.Kind.RECEIPT,
                tree -> ReceiptsProof.check(
                        tree, fetched.block(), shared.rules().family()));
        verifying.send(
                sub,
                stage,
                got -> sink.accept(
                        got.map(receipts -> fetched.with(new ProvenReceipts(got.json(), receipts, got.isListed())))));
    }
}
