package io.weir.upstream.pool;

import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.send.SignedTransactions;
import java.util.List;
import java.util.stream.IntStream;

/** Calls of a simulation. The signed transactions are the same in all simulations, since signing is slow. Immutable. */
final class SimulatedCalls {

    /** What a call is. */
    enum Kind {
        /** State of the newest block. */
        NEWEST,
        /** State of an old block. */
        OLD,
        /** A signed transaction. */
        RAW,
        /** A transaction that the node signs. */
        KEYED;

        boolean isWrite() {
            return this == RAW || this == KEYED;
        }
    }

    private static final RawJson ID = RawJson.of("1");
    private static final RawJson KEYED_PARAMS =
            RawJson.of("[{\"from\":\"0x%040x\",\"to\":\"0x%040x\"}]".formatted(1, 2));
    private static final List<Transaction> SIGNED = IntStream.range(0, 128)
            .mapToObj(nonce -> SignedTransactions.payment(TransactionType.DYNAMIC_FEE, nonce))
            .toList();
    private static final List<RawJson> SIGNED_PARAMS = SIGNED.stream()
            .map(transaction -> RawJson.of("[\"" + Hex.encode(transaction.encoded()) + "\"]"))
            .toList();

    private SimulatedCalls() {}

    static RpcCall balance(long block) {
        return new RpcCall(ID, "eth_getBalance", RawJson.of("[\"0x%040d\",\"0x%x\"]".formatted(1, block)));
    }

    static RpcCall keyed() {
        return new RpcCall(ID, "eth_sendTransaction", KEYED_PARAMS);
    }

    /** Returns a signed transaction; another one for each number, up to a hundred. */
    static RpcCall raw(int number) {
        return new RpcCall(ID, "eth_sendRawTransaction", SIGNED_PARAMS.get(number % SIGNED.size()));
    }

    /** Returns the hash of a transaction, as JSON. */
    static String hash(RpcCall call) {
        int index = SIGNED_PARAMS.indexOf(call.params());
        return index < 0
                ? "\"0x%064x\"".formatted(7)
                : '"' + SIGNED.get(index).hash().hex() + '"';
    }
}
