package io.weir.bench;

import io.weir.bench.fixture.LargeBlock;
import io.weir.ethereum.Address;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.verify.AnswerProof;
import io.weir.verify.BlockProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.Verification;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.json.JsonMapper;

/** Holding a block of 200 transactions, and its receipts, against their hashes, from the bytes that a node sent. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class VerificationBench {

    private final JsonMapper json = new JsonMapper();
    private final LargeBlock large = new LargeBlock();
    private final RawJson answer = large.block();
    private final String hash = large.header().hash().hex();
    private ProvenBlock proven = proven();
    private Verification<?> arrived = AnswerProof.byHashes(AnswerKind.BLOCK, answer, hash, true, ChainRules.ETHEREUM);
    private int next;

    private ProvenBlock proven() {
        return ((Verification.Proven<ProvenBlock>) BlockProof.block(
                        json.readTree(large.block().array()), large.header().hash(), ChainFamily.ETHEREUM))
                .value();
    }

    /** Fails at once where nothing would be measured but a refusal. */
    @Setup
    public void check() {
        require(block() instanceof Verification.Proven && completed() instanceof Verification.Proven);
        require(receipts() instanceof Verification.Proven);
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalStateException("the block is not proven");
        }
    }

    /** All of a block: header, roots, each transaction's hash and its sender. */
    @Benchmark
    public Verification<?> block() {
        return AnswerProof.check(AnswerKind.BLOCK, answer, hash, ChainRules.ETHEREUM);
    }

    /** All of it but its senders, as it is proven when it arrives. */
    @Benchmark
    public Verification<?> arrived() {
        return AnswerProof.byHashes(AnswerKind.BLOCK, answer, hash, true, ChainRules.ETHEREUM);
    }

    /** The rest, before the block is stored. */
    @Benchmark
    public Verification<?> completed() {
        return AnswerProof.completed(AnswerKind.BLOCK, arrived, ChainRules.ETHEREUM);
    }

    /** All receipts of a block that is proven. */
    @Benchmark
    public Verification<?> receipts() {
        return ReceiptsProof.check(json.readTree(large.receipts().array()), proven, ChainFamily.ETHEREUM);
    }

    /** Finding who signed one of the transactions. */
    @Benchmark
    public Address sender() {
        next = (next + 1) % LargeBlock.TRANSACTIONS;
        return large.transactions().get(next).sender();
    }
}
