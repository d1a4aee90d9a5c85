package io.weir.pipeline.proof;

import io.weir.ethereum.Hex;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.EvidenceFetcher;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.verify.Part;
import java.util.function.Consumer;

/**
 * Verifier of a transaction's bytes by its index in a block. It fetches the block in their place and encodes the bytes from the
 * proven block. Thread-safe.
 */
final class RawTransactionVerifier implements AnswerVerifier {

    private final EvidenceFetcher evidence;

    RawTransactionVerifier(EvidenceFetcher evidence) {
        this.evidence = evidence;
    }

    @Override
    public void fetch(CallContext context, CheckedParams params, Stage stage, Consumer<VerifiedAnswer> sink) {
        HexText position = HexText.read(params.values().get(1));
        evidence.block(context, stage, params.block(), params.values().get(0), false, got -> {
            FetchedBlock whole = got.value();
            if (whole == null || position == null) {
                boolean nothing = got.isNothing();
                sink.accept(
                        nothing
                                ? VerifiedAnswer.unproven(got.reply(), got.trace())
                                : VerifiedAnswer.withoutEvidence(got, evidence.isPassing()));
                return;
            }
            long index = position.toLong();
            boolean there = index >= 0 && index < whole.block().size();
            if (!there
                    && index >= 0
                    && index < whole.block().size() + whole.block().unrooted()) {
                sink.accept(VerifiedAnswer.none(got.trace()));
                return;
            }
            // Nodes differ in their answer where there is no transaction: null, or no bytes.
            RawJson value = there ? raw(whole, (int) index) : RawJson.of("\"0x\"");
            boolean byHash = params.block() instanceof BlockSelector.Hash;
            sink.accept(VerifiedAnswer.proven(
                    new RpcReply.Result(value),
                    byHash ? null : whole.claim(),
                    Part.TRANSACTION.word(),
                    true,
                    whole,
                    got.trace()));
        });
    }

    private static RawJson raw(FetchedBlock whole, int index) {
        byte[] bytes = whole.block().transaction(index).transaction().encoded();
        return RawJson.of('"' + Hex.encode(bytes) + '"');
    }
}
