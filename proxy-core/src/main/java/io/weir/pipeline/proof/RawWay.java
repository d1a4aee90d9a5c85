package io.weir.pipeline.proof;

import io.weir.ethereum.Hex;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.proof.Found.Place;
import io.weir.verify.Part;
import java.util.function.Consumer;

/** A transaction's bytes by its place in a block: written from the proven block, which is asked for in their place. Thread-safe. */
final class RawWay implements Found.Way {

    private final BlockEvidence evidence;

    RawWay(BlockEvidence evidence) {
        this.evidence = evidence;
    }

    @Override
    public void find(CallContext context, CheckedParams params, Stage stage, Consumer<Found> sink) {
        HexText place = HexText.read(params.values().get(1));
        evidence.block(context, stage, params.block(), params.values().get(0), false, got -> {
            Whole whole = got.value();
            if (whole == null || place == null) {
                boolean nothing = got.isNothing();
                sink.accept(nothing ? Found.unproven(got.reply(), got.trace()) : got.failed(evidence.isPassing()));
                return;
            }
            long index = place.toLong();
            boolean there = index >= 0 && index < whole.block().size();
            // Nodes differ in what they say where there is none: null, or no bytes.
            RawJson value = there ? raw(whole, (int) index) : RawJson.of("\"0x\"");
            boolean byHash = params.block() instanceof BlockSelector.Hash;
            sink.accept(new Found(
                    new RpcReply.Result(value),
                    byHash ? null : new Place(whole.number(), whole.hash(), whole.upstreamId()),
                    Part.TRANSACTION.word(),
                    true,
                    whole,
                    got.trace()));
        });
    }

    private static RawJson raw(Whole whole, int index) {
        byte[] bytes = whole.block().transaction(index).transaction().encoded();
        return RawJson.of('"' + Hex.encode(bytes) + '"');
    }
}
