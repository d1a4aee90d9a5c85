package io.weir.bench;

import io.weir.bench.fixture.LargeBlock;
import io.weir.bench.load.Options;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.verify.AccountProof;
import io.weir.verify.AnswerProof;
import io.weir.verify.BlockProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Holding a block of 200 transactions, its receipts, and an account of mainnet against their hashes, from the bytes that a node sent. */
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
    private final Account uni = Account.read();
    private int next;

    /**
     * An account with one slot, as a node of mainnet gave it. Immutable.
     *
     * @param answer with 9 nodes for the account and 6 for the slot
     */
    private record Account(RawJson answer, Address address, List<Hash32> slots, Hash32 stateRoot) {

        private static final String FILE = "plugins/ethereum/src/test/resources/proofs/mainnet-uni.json";

        /** Reads it from the checkout that the working directory is in. Its state root is the hash of the first node. */
        private static Account read() {
            Path file = Options.of(true, Path.of("")).checkout().resolve(FILE);
            try {
                ObjectNode answer = (ObjectNode)
                        new JsonMapper().readTree(Files.readString(file)).at("/proofs/0");
                JsonNode slot = answer.at("/storageProof/1");
                answer.putArray("storageProof").add(slot);
                Bytes root = Bytes.fromHex(answer.at("/accountProof/0").asString());
                return new Account(
                        RawJson.of(answer.toString()),
                        Address.fromHex(answer.at("/address").asString()),
                        List.of(Hash32.fromHex(slot.at("/key").asString())),
                        root.keccak());
            } catch (IOException e) {
                throw new UncheckedIOException(file + ": cannot be read (expected: the proof of an account)", e);
            }
        }
    }

    private ProvenBlock proven() {
        return ((Verification.Proven<ProvenBlock>) BlockProof.block(
                        json.readTree(large.block().array()), large.header().hash(), ChainFamily.ETHEREUM))
                .value();
    }

    /** Fails at once where nothing would be measured but a refusal. */
    @Setup
    public void check() {
        require(block() instanceof Verification.Proven && completed() instanceof Verification.Proven);
        require(receipts() instanceof Verification.Proven && account() instanceof Verification.Proven);
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalStateException("what is measured is not proven");
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

    /** An account and one slot of its storage, by a state root. */
    @Benchmark
    public Verification<?> account() {
        return AccountProof.check(uni.answer, uni.address, uni.slots, uni.stateRoot);
    }
}
