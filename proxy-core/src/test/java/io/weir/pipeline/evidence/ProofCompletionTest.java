package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.pipeline.evidence.ProofCompletion.BlockEvidence;
import io.weir.pipeline.evidence.ProofCompletion.OpenProof;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.ChainVectors;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Missing;
import io.weir.verify.Verification.Proven;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The steps of one proof, with evidence in the test's hands. */
class ProofCompletionTest {

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final List<Integer> asked = new ArrayList<>();
    private boolean hasRoom = true;
    private int found = Integer.MAX_VALUE;

    /** Evidence about one block of the chain. */
    private final class HandEvidence implements ProofCompletion.Evidence {

        private final Entry entry;

        HandEvidence(Entry entry) {
            this.entry = entry;
        }

        @Override
        public boolean tryRun(long bytes, Runnable step) {
            if (hasRoom) {
                step.run();
            }
            return hasRoom;
        }

        @Override
        public void block(String hash, Consumer<Verification<BlockEvidence>> sink) {
            sink.accept(new Proven<>(BlockEvidence.of(json(entry.block()), hash, true, ChainFamily.ETHEREUM)));
        }

        @Override
        public void uncle(ProvenBlock block, int index, Consumer<Verification<RawJson>> sink) {
            asked.add(index);
            sink.accept(
                    index < found
                            ? new Proven<>(json(entry.uncles().get(index)))
                            : new Missing<>("without its uncles"));
        }
    }

    private static RawJson json(Object tree) {
        return RawJson.of(tree.toString());
    }

    private Entry withUncles() {
        return chain.first(one -> !one.uncles().isEmpty());
    }

    private Verification<?> complete(Entry entry, boolean withUncles) {
        RawJson block = json(entry.block());
        Verification<?> known = AnswerProof.byHashes(AnswerKind.BLOCK, block, entry.hash(), true, ChainRules.ETHEREUM);
        return complete(entry, new OpenProof(CacheClass.BLOCK, block, known, null, -1, withUncles, true, false));
    }

    private Verification<?> complete(Entry entry, OpenProof open) {
        List<Verification<?>> results = new ArrayList<>();
        ProofCompletion.complete(ChainRules.ETHEREUM, open, new HandEvidence(entry), results::add);
        assertThat(results).hasSize(1);
        return results.get(0);
    }

    private Verification<?> receipts(Entry entry, ArrayNode receipts, boolean byHeader) {
        RawJson json = json(receipts);
        ProvenBlock block = AnswerProof.evidence(json(entry.block()), entry.hash(), true, ChainFamily.ETHEREUM)
                .value();
        Verification<?> known =
                byHeader ? AnswerProof.receiptsByHeader(json, block.header(), ChainFamily.ETHEREUM) : null;
        return complete(entry, new OpenProof(CacheClass.RECEIPTS, json, known, entry.hash(), -1, true, false, false));
    }

    @Test
    void unclesAreFetchedOneAfterTheOtherInOrder() {
        Entry entry = withUncles();
        assertThat(complete(entry, true).kind()).isEqualTo(Verification.Kind.PROVEN);
        assertThat(asked).hasSize(entry.uncles().size()).startsWith(0).isSorted();
    }

    @Test
    void noUncleIsFetchedAfterOneThatIsMissing() {
        found = 0;
        assertThat(complete(withUncles(), true).kind()).isEqualTo(Verification.Kind.MISSING);
        assertThat(asked).containsExactly(0);
    }

    @Test
    void noUncleIsFetchedThatDoesNotMatter() {
        assertThat(complete(withUncles(), false).kind()).isEqualTo(Verification.Kind.PROVEN);
        assertThat(asked).isEmpty();
    }

    @Test
    void aProofForWhichThereIsNoRoomIsShed() {
        hasRoom = false;
        assertThat(complete(chain.at(40), true).kind()).isEqualTo(Verification.Kind.SHED);
    }

    @Test
    void receiptsThatTheirHeaderProvedNeedOnlyWhatFollowsFromTheirTransactions() {
        Entry entry =
                chain.first(one -> one.receipts().size() > 1 && one.uncles().isEmpty());
        for (boolean byHeader : List.of(true, false)) {
            assertThat(receipts(entry, entry.receipts(), byHeader).parts())
                    .as("by the header: " + byHeader)
                    .isEqualTo("receipts");
            for (String member : List.of("from", "to", "transactionHash")) {
                ArrayNode other = entry.receipts().deepCopy();
                ObjectNode receipt = (ObjectNode) other.get(1);
                int digits = member.equals("transactionHash") ? 64 : 40;
                receipt.put(member, "0x" + "7".repeat(digits));
                receipt.get("logs").forEach(log -> {
                    if (member.equals("transactionHash")) {
                        ((ObjectNode) log).put(member, "0x" + "7".repeat(digits));
                    }
                });
                assertThat(receipts(entry, other, byHeader).kind())
                        .as(member + ", by the header: " + byHeader)
                        .isEqualTo(Verification.Kind.WRONG);
            }
        }
    }
}
