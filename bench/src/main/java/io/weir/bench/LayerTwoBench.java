package io.weir.bench;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.hash.Pedersen;
import io.weir.l2.hash.Poseidon;
import io.weir.l2.key.AccountKeys;
import io.weir.l2.transaction.ContractCall;
import io.weir.l2.transaction.ExecuteCalldata;
import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.l2.transaction.TransactionFields;
import io.weir.l2.transaction.TransactionHash;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of signatures and hashes of the layer-2 network. Each input follows from the last output. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LayerTwoBench {
    private static final Felt CHAIN = ShortString.encode("SN_MAIN");
    private static final ResourceBound BOUND =
            new ResourceBound(BigInteger.valueOf(10_000_000), BigInteger.valueOf(1_000_000_000));
    private static final ResourceBounds BOUNDS = new ResourceBounds(BOUND, BOUND, BOUND);
    private static final List<Felt> TRANSFER = List.of(Felt.of(0x1234), Felt.of(1_000_000), Felt.ZERO);

    private final PrivateKey key =
            PrivateKey.of(Felt.parse("0x3c1e9550e66958296d11b60f8e8e7a7ad990d07fa65d5f7652c4a6c87d4e3cc")
                    .toBytes());
    private final Felt publicKey = StarkSigner.publicKey(key);
    private final Felt signed = Felt.of(7);
    private final Signature signature = StarkSigner.sign(signed, key);
    private final byte[] seed = new byte[64];
    private final Felt accountKey = accountKey();
    private Felt hash = Felt.ONE;
    private long nonce;

    private Felt accountKey() {
        try (PrivateKey derived = AccountKeys.derive(seed, 0)) {
            return StarkSigner.publicKey(derived);
        }
    }

    @Benchmark
    public Signature sign() {
        Signature made = StarkSigner.sign(hash, key);
        hash = made.r();
        return made;
    }

    /**
     * A transfer as the wallet signs it, from an open seed: its hash, the account's key derived and held against the account, the
     * signature.
     */
    @Benchmark
    public Signature signTransaction() {
        TransactionFields fields = TransactionFields.of(CHAIN, Felt.of(++nonce), BOUNDS);
        Felt transaction = TransactionHash.ofInvoke(
                fields,
                signed,
                List.of(),
                ExecuteCalldata.cairo1(List.of(ContractCall.of(signed, "transfer", TRANSFER))));
        try (PrivateKey derived = AccountKeys.derive(seed, 0)) {
            if (!StarkSigner.publicKey(derived).equals(accountKey)) {
                throw new IllegalStateException("another key (expected: the account's)");
            }
            return StarkSigner.sign(transaction, derived);
        }
    }

    @Benchmark
    public boolean verify() {
        return StarkSigner.verify(signed, signature, publicKey);
    }

    @Benchmark
    public Felt publicKey() {
        return StarkSigner.publicKey(key);
    }

    @Benchmark
    public Felt pedersen() {
        hash = Pedersen.hash(hash, publicKey);
        return hash;
    }

    @Benchmark
    public Felt poseidon() {
        hash = Poseidon.hash(hash, publicKey);
        return hash;
    }

    @TearDown
    public void wipe() {
        key.close();
    }
}
