package io.weir.pipeline.proof;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Receipt;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.proof.Whole.ProvenReceipts;
import io.weir.verify.BlockProof;
import io.weir.verify.Finding;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ProvenTransaction;
import io.weir.verify.ReceiptsProof;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks nodes for what proves answers: whole blocks, the headers of their uncles, all receipts; each is held against its hashes
 * before it counts. Thread-safe; what comes of a call stays on its event loop.
 */
final class BlockEvidence {

    /** More than any chain allows in one block. */
    private static final int MAX_UNCLES = 4;

    private final Proofs.Desk desk;
    private final Nodes nodes;
    private final Whole.Sink kept;

    BlockEvidence(Proofs.Desk desk, Nodes nodes, Whole.Sink kept) {
        this.kept = kept;
        this.desk = desk;
        this.nodes = nodes;
    }

    /** Whether what cannot be verified is passed on. */
    boolean isPassing() {
        return desk.passing();
    }

    /**
     * Asks for a block with its transactions.
     *
     * @param named how the call names the block
     * @param uncles whether its list of uncles is to be proven too
     */
    void block(
            CallContext context,
            Stage stage,
            BlockSelector selector,
            RawJson named,
            boolean uncles,
            Consumer<Got<Whole>> sink) {
        @Nullable Hash32 asked = selector instanceof BlockSelector.Hash exact ? Hash32.fromHex(exact.hash()) : null;
        long number = selector instanceof BlockSelector.Height height ? height.number() : -1;
        CallContext sub = context.aside(ChainCalls.wholeBlock(selector, named));
        FoundUncles found = new FoundUncles();
        long begun = kept.begin();
        ProofCheck<Listed> check = new ProofCheck<>(
                desk, ProofCheck.Kind.BLOCK, tree -> whole(tree, asked, number), (at, upstreamId, value, ruling) -> {
                    found.forget();
                    if (uncles && !value.block().unclesProven()) {
                        new Uncles(at, upstreamId, value, found, ruling).next();
                    } else {
                        ruling.accept(Ruling.PROVEN);
                    }
                });
        sub.checkedBy(check);
        stage.handle(sub, reply -> {
            Listed value = check.proven();
            String upstream = sub.trace().upstreamId();
            Whole whole = value != null && upstream != null && reply instanceof RpcReply.Result result
                    ? new Whole(
                            result.value(),
                            value.block(),
                            List.copyOf(found.json),
                            null,
                            upstream,
                            check.isListed() && found.listed,
                            begun)
                    : null;
            sink.accept(new Got<>(whole, reply, check.last(), sub.trace()));
        });
    }

    /** A block, and what its answer says of its uncles. */
    private record Listed(ProvenBlock block, List<Hash32> uncles) {}

    /** The uncles of a block as nodes sent them. Confined to the call's event loop. */
    private static final class FoundUncles {

        private final List<RawJson> json = new ArrayList<>(2);
        private boolean listed = true;

        void forget() {
            json.clear();
            listed = true;
        }
    }

    private static Finding<Listed> whole(JsonNode tree, @Nullable Hash32 asked, long number) {
        Finding<ProvenBlock> finding = BlockProof.block(tree, asked);
        if (finding instanceof Finding.Wrong<ProvenBlock> wrong) {
            return new Finding.Wrong<>(wrong.difference());
        }
        if (!(finding instanceof Finding.Proven<ProvenBlock> proven)) {
            return new Finding.Unverifiable<>(((Finding.Unverifiable<ProvenBlock>) finding).reason());
        }
        ProvenBlock block = proven.value();
        if (block.transactions() == null) {
            return new Finding.Wrong<>("transactions: hashes (expected: in full, as asked for)");
        }
        if (number >= 0 && block.header().number() != number) {
            return new Finding.Wrong<>("number: " + block.header().number() + " (expected: " + number + ")");
        }
        List<Hash32> named = BlockProof.namedUncles(tree);
        if (named == null || named.size() > MAX_UNCLES) {
            return new Finding.Wrong<>("uncles: more than there can be (expected: up to " + MAX_UNCLES + ")");
        }
        return new Finding.Proven<>(new Listed(block, named));
    }

    /** The way through a block's uncles, at the node that named them. Confined to the call's event loop. */
    private final class Uncles {

        private final CallContext context;
        private final Stage stage;
        private final Listed block;
        private final FoundUncles found;
        private final Consumer<Ruling> sink;
        private final List<BlockHeader> headers = new ArrayList<>(2);

        Uncles(CallContext context, String upstreamId, Listed block, FoundUncles found, Consumer<Ruling> sink) {
            this.context = context;
            this.stage = nodes.only().apply(upstreamId);
            this.block = block;
            this.found = found;
            this.sink = sink;
        }

        void next() {
            int index = headers.size();
            if (index == block.uncles().size()) {
                boolean all = BlockProof.uncles(block.block().header(), headers, block.uncles());
                sink.accept(all ? Ruling.PROVEN : new Ruling(Ruling.Kind.FALSE, "uncles: not those of the header"));
                return;
            }
            CallContext sub =
                    context.aside(ChainCalls.uncle(block.block().hash().hex(), index));
            Hash32 named = block.uncles().get(index);
            ProofCheck<ProvenBlock> check =
                    new ProofCheck<>(desk, ProofCheck.Kind.HEADER, tree -> BlockProof.uncle(tree, named));
            sub.checkedBy(check);
            stage.handle(sub, reply -> {
                ProvenBlock uncle = check.proven();
                if (uncle != null && reply instanceof RpcReply.Result result) {
                    headers.add(uncle.header());
                    found.json.add(result.value());
                    found.listed &= check.isListed();
                    next();
                } else {
                    sink.accept(new Got<>(null, reply, check.last(), sub.trace()).ruling("its uncles"));
                }
            });
        }
    }

    /** Asks for all receipts of a block. */
    void receipts(CallContext context, Stage stage, Whole whole, Consumer<Got<Whole>> sink) {
        CallContext sub = context.aside(ChainCalls.receipts(whole.hash()));
        sub.needsBlock(whole.number(), true);
        List<ProvenTransaction> transactions = whole.block().transactions();
        ProofCheck<List<Receipt>> check = new ProofCheck<>(
                desk,
                ProofCheck.Kind.RECEIPT,
                tree -> ReceiptsProof.check(
                        tree, whole.block().header(), transactions == null ? List.of() : transactions));
        sub.checkedBy(check);
        stage.handle(sub, reply -> {
            List<Receipt> receipts = check.proven();
            Whole with = receipts != null && reply instanceof RpcReply.Result result
                    ? whole.with(new ProvenReceipts(result.value(), receipts, check.isListed()))
                    : null;
            sink.accept(new Got<>(with, reply, check.last(), sub.trace()));
        });
    }
}
