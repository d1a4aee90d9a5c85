package io.weir.pipeline.proof;

import io.weir.cache.CacheMeters.Serving;
import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.EvidenceFetcher;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.evidence.VerifiedReply;
import io.weir.pipeline.evidence.VerifyingCall;
import io.weir.verify.BlockProof;
import io.weir.verify.Part;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.TransactionProof;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Wrong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Verifier of a transaction or a receipt by the transaction's hash. The node that gives it must also give its block, and for a
 * receipt all receipts of that block. The answer is compared with them, and served as the node sent it. Thread-safe.
 */
final class TransactionLookupVerifier implements AnswerVerifier {

    private final boolean receipt;
    private final VerificationContext shared;
    private final EvidenceFetcher evidence;
    private final Nodes nodes;

    /** @param receipt whether it verifies receipts */
    TransactionLookupVerifier(boolean receipt, VerificationContext shared, EvidenceFetcher evidence, Nodes nodes) {
        this.receipt = receipt;
        this.shared = shared;
        this.evidence = evidence;
        this.nodes = nodes;
    }

    /**
     * A transaction or a receipt in its answer. Immutable.
     *
     * @param block the hash of the block that it names; null if it is in none yet
     * @param proof that block; null as long as it was not fetched
     */
    private record Claim(
            JsonNode tree, @Nullable String block, @Nullable FetchedBlock proof) {

        Claim with(FetchedBlock fetched) {
            return new Claim(tree, block, fetched);
        }
    }

    @Override
    public void fetch(CallContext context, CheckedParams params, Stage stage, Consumer<VerifiedAnswer> sink) {
        VerifyingCall<Claim> call = new VerifyingCall<>(
                shared,
                receipt ? VerifyingCall.Kind.RECEIPT : VerifyingCall.Kind.TRANSACTION,
                tree -> claim(tree, Hash32.fromHex(String.valueOf(params.lookupHash()))),
                this::prove);
        call.send(context.aside(context.call()), stage, got -> sink.accept(answer(got)));
    }

    private VerifiedAnswer answer(VerifiedReply<Claim> got) {
        Claim claim = got.value();
        if (claim == null) {
            return VerifiedAnswer.unproven(got);
        }
        FetchedBlock proof = claim.proof();
        if (proof == null) {
            // No block proves that the transaction is pending, nor its price.
            shared.meters().count(Serving.UNPROVEN);
            return VerifiedAnswer.unproven(got.reply(), got.trace());
        }
        String parts = (receipt ? Part.RECEIPTS : Part.TRANSACTION).word();
        return VerifiedAnswer.proven(got.reply(), proof.claim(), parts, got.isListed(), proof, got.trace());
    }

    private Verification<Claim> claim(JsonNode tree, Hash32 asked) {
        return receipt
                ? ofReceipt(tree, asked).then(same -> named(tree))
                : TransactionProof.check(tree, asked, shared.rules().family()).then(proven -> named(tree));
    }

    /** Reads the block that an answer names. */
    private Verification<Claim> named(JsonNode tree) {
        JsonNode block = tree.get("blockHash");
        if (block == null || block.isNull()) {
            return receipt
                    ? new Wrong<>("blockHash: none (expected: the block of the receipt)")
                    : new Proven<>(new Claim(tree, null, null));
        }
        try {
            return new Proven<>(
                    new Claim(tree, Hash32.fromHex(block.asString("")).hex(), null));
        } catch (IllegalArgumentException e) {
            return new Wrong<>("blockHash: something else (expected: a hash)");
        }
    }

    private static Verification<Hash32> ofReceipt(JsonNode tree, Hash32 asked) {
        boolean same = tree.path("transactionHash").asString("").equalsIgnoreCase(asked.hex());
        return same ? new Proven<>(asked) : new Wrong<>("transactionHash: another (expected: " + asked.hex() + ")");
    }

    private void prove(CallContext at, String upstreamId, Claim claim, Consumer<Verification<Claim>> sink) {
        String block = claim.block();
        if (block == null) {
            sink.accept(new Proven<>(claim));
            return;
        }
        Stage node = nodes.only().apply(upstreamId);
        BlockSelector selector = new BlockSelector.Hash(block, false);
        evidence.block(at, node, selector, RawJson.NULL, false, got -> {
            FetchedBlock fetched = got.value();
            if (fetched == null) {
                sink.accept(got.withoutEvidence("its block"));
            } else if (receipt) {
                evidence.receipts(at, node, fetched, more -> sink.accept(ofReceipts(claim, more)));
            } else {
                sink.accept(BlockProof.transaction(
                                claim.tree(), fetched.block(), shared.rules().family())
                        .then(index -> new Proven<>(claim.with(fetched))));
            }
        });
    }

    private Verification<Claim> ofReceipts(Claim claim, VerifiedReply<FetchedBlock> got) {
        FetchedBlock fetched = got.value();
        FetchedBlock.ProvenReceipts receipts = fetched == null ? null : fetched.receipts();
        return fetched == null || receipts == null
                ? got.withoutEvidence("the receipts of its block")
                : ReceiptsProof.one(
                                claim.tree(),
                                fetched.block(),
                                receipts.receipts(),
                                shared.rules().family())
                        .then(index -> new Proven<>(claim.with(fetched)));
    }
}
