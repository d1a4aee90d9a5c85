package io.weir.pipeline.proof;

import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.ClaimedBlock;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.evidence.VerifyingCall;
import io.weir.verify.BlockProof;
import io.weir.verify.Part;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.family.ChainFamily;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Verifier of headers by their hashes. Thread-safe. */
final class HeaderVerifier implements AnswerVerifier {

    private final VerificationContext shared;

    HeaderVerifier(VerificationContext shared) {
        this.shared = shared;
    }

    @Override
    public void fetch(CallContext context, CheckedParams params, Stage stage, Consumer<VerifiedAnswer> sink) {
        VerifyingCall<ProvenBlock> call = new VerifyingCall<>(
                shared,
                VerifyingCall.Kind.HEADER,
                tree -> header(tree, params.block(), shared.rules().family()));
        call.send(context.aside(context.call()), stage, got -> {
            ProvenBlock block = got.value();
            if (block == null) {
                sink.accept(VerifiedAnswer.unproven(got));
                return;
            }
            boolean byHash = params.block() instanceof BlockSelector.Hash;
            ClaimedBlock claim = byHash
                    ? null
                    : new ClaimedBlock(block.header().number(), block.hash().hex(), got.upstreamId());
            sink.accept(
                    VerifiedAnswer.proven(got.reply(), claim, Part.HEADER.word(), got.isListed(), null, got.trace()));
        });
    }

    /** Verifies a header, which has no lists, by its hash, and compares it with the call. */
    private static Verification<ProvenBlock> header(JsonNode tree, BlockSelector asked, ChainFamily family) {
        return BlockProof.uncle(tree, AskedBlock.hash(asked), family).then(block -> AskedBlock.compare(asked, block));
    }
}
