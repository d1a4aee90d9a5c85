package io.weir.pipeline.proof;

import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.proof.Found.Place;
import io.weir.verify.BlockProof;
import io.weir.verify.Finding;
import io.weir.verify.Part;
import io.weir.verify.ProvenBlock;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A header, which its hash proves. Thread-safe. */
final class HeaderWay implements Found.Way {

    private final Proofs.Desk desk;

    HeaderWay(Proofs.Desk desk) {
        this.desk = desk;
    }

    @Override
    public void find(CallContext context, CheckedParams params, Stage stage, Consumer<Found> sink) {
        CallContext sub = context.aside(context.call());
        ProofCheck<ProvenBlock> check =
                new ProofCheck<>(desk, ProofCheck.Kind.HEADER, tree -> header(tree, params.block()));
        sub.checkedBy(check);
        stage.handle(sub, reply -> {
            ProvenBlock block = check.proven();
            String upstream = sub.trace().upstreamId();
            if (block == null || upstream == null || !(reply instanceof RpcReply.Result)) {
                sink.accept(Found.unproven(reply, sub.trace(), check.last()));
                return;
            }
            boolean byHash = params.block() instanceof BlockSelector.Hash;
            Place place = byHash
                    ? null
                    : new Place(block.header().number(), block.hash().hex(), upstream);
            sink.accept(Found.proven(reply, place, Part.HEADER.word(), check.isListed(), null, sub.trace()));
        });
    }

    /** Holds a header against its hash, and against what was asked for. */
    static Finding<ProvenBlock> header(JsonNode tree, BlockSelector asked) {
        Finding<ProvenBlock> finding =
                BlockProof.uncle(tree, asked instanceof BlockSelector.Hash exact ? Hash32.fromHex(exact.hash()) : null);
        boolean elsewhere = finding instanceof Finding.Proven<ProvenBlock> proven
                && asked instanceof BlockSelector.Height height
                && proven.value().header().number() != height.number();
        return elsewhere ? new Finding.Wrong<>("number: another (expected: the one that was asked for)") : finding;
    }
}
