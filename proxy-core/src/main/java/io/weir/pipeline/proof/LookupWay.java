package io.weir.pipeline.proof;

import io.weir.cache.CacheMeters.Serving;
import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.proof.Found.Place;
import io.weir.verify.BlockProof;
import io.weir.verify.Finding;
import io.weir.verify.Part;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.TransactionProof;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transaction or a receipt by the transaction's hash. The node that gives it must also give the block that it names, and for a
 * receipt all receipts of that block; what was sent is held against them, and goes out as it came. Thread-safe.
 */
final class LookupWay implements Found.Way {

    private final boolean receipt;
    private final Proofs.Desk desk;
    private final BlockEvidence evidence;
    private final Nodes nodes;

    /** @param receipt whether it is a receipt that is looked up */
    LookupWay(boolean receipt, Proofs.Desk desk, BlockEvidence evidence, Nodes nodes) {
        this.receipt = receipt;
        this.desk = desk;
        this.evidence = evidence;
        this.nodes = nodes;
    }

    /** @param block the hash of the block that it names; null where it is in none yet */
    private record Claim(JsonNode tree, @Nullable String block) {}

    @Override
    public void find(CallContext context, CheckedParams params, Stage stage, Consumer<Found> sink) {
        String asked = params.lookupHash();
        CallContext sub = context.aside(context.call());
        AtomicReference<@Nullable Whole> proof = new AtomicReference<>();
        ProofCheck<Claim> check = new ProofCheck<>(
                desk,
                receipt ? ProofCheck.Kind.RECEIPT : ProofCheck.Kind.TRANSACTION,
                tree -> claim(tree, Hash32.fromHex(String.valueOf(asked))),
                (at, upstreamId, claim, ruling) -> {
                    proof.set(null);
                    prove(at, upstreamId, claim, proof, ruling);
                });
        sub.checkedBy(check);
        stage.handle(sub, reply -> {
            Claim claim = check.proven();
            if (claim == null || !(reply instanceof RpcReply.Result)) {
                sink.accept(Found.unproven(reply, sub.trace(), check.last()));
            } else {
                String parts = (receipt ? Part.RECEIPTS : Part.TRANSACTION).word();
                Whole whole = proof.get();
                if (whole == null) {
                    // No block proves that it is pending, nor its price.
                    desk.meters().count(Serving.UNPROVEN);
                    sink.accept(Found.unproven(reply, sub.trace()));
                    return;
                }
                Place place = new Place(whole.number(), whole.hash(), whole.upstreamId());
                sink.accept(Found.proven(reply, place, parts, check.isListed(), whole, sub.trace()));
            }
        });
    }

    private Finding<Claim> claim(JsonNode tree, Hash32 asked) {
        Finding<?> finding = receipt ? ofReceipt(tree, asked) : TransactionProof.check(tree, asked);
        if (finding instanceof Finding.Wrong<?> wrong) {
            return new Finding.Wrong<>(wrong.difference());
        }
        if (finding instanceof Finding.Unverifiable<?> unverifiable) {
            return new Finding.Unverifiable<>(unverifiable.reason());
        }
        JsonNode block = tree.get("blockHash");
        if (block == null || block.isNull()) {
            return receipt
                    ? new Finding.Wrong<>("blockHash: none (expected: the block of the receipt)")
                    : new Finding.Proven<>(new Claim(tree, null));
        }
        try {
            return new Finding.Proven<>(
                    new Claim(tree, Hash32.fromHex(block.asString("")).hex()));
        } catch (IllegalArgumentException e) {
            return new Finding.Wrong<>("blockHash: something else (expected: a hash)");
        }
    }

    private static Finding<?> ofReceipt(JsonNode tree, Hash32 asked) {
        boolean same = tree.path("transactionHash").asString("").equalsIgnoreCase(asked.hex());
        return same
                ? new Finding.Proven<>(asked)
                : new Finding.Wrong<>("transactionHash: another (expected: " + asked.hex() + ")");
    }

    private void prove(
            CallContext at,
            String upstreamId,
            Claim claim,
            AtomicReference<@Nullable Whole> proof,
            Consumer<Ruling> sink) {
        String block = claim.block();
        if (block == null) {
            sink.accept(Ruling.PROVEN);
            return;
        }
        Stage node = nodes.only().apply(upstreamId);
        BlockSelector selector = new BlockSelector.Hash(block, false);
        evidence.block(at, node, selector, RawJson.NULL, false, got -> {
            Whole whole = got.value();
            if (whole == null) {
                sink.accept(got.ruling("its block"));
                return;
            }
            proof.set(whole);
            if (!receipt) {
                sink.accept(Ruling.of(BlockProof.transaction(claim.tree(), whole.block())));
                return;
            }
            evidence.receipts(at, node, whole, more -> {
                Whole with = more.value();
                if (with == null || with.receipts() == null) {
                    sink.accept(more.ruling("the receipts of its block"));
                } else {
                    proof.set(with);
                    sink.accept(Ruling.of(ReceiptsProof.one(
                            claim.tree(), with.block(), with.receipts().receipts())));
                }
            });
        });
    }
}
