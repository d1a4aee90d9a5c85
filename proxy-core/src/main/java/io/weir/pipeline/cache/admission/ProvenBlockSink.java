package io.weir.pipeline.cache.admission;

import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodCatalogue;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.proof.FetchedBlock;
import io.weir.verify.Verification;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps what proved an answer as if it had been asked for by its hash. Thread-safe. */
public final class ProvenBlockSink implements FetchedBlock.Sink {

    private final String network;
    private final ResultStore store;
    private final CacheAdmission keeper;
    private final HeadTracker head;
    private final LongSupplier clock;

    /** Keeps what proves answers of one network. */
    public ProvenBlockSink(
            String network, ResultStore store, CacheAdmission keeper, HeadTracker head, LongSupplier clock) {
        this.network = network;
        this.store = store;
        this.keeper = keeper;
        this.head = head;
        this.clock = clock;
    }

    @Override
    public long begin() {
        return store.purges();
    }

    @Override
    public void take(CallContext context, FetchedBlock whole) {
        if (store.isOn() && whole.isComplete()) {
            take(context, whole, ChainCalls.blockByHash(whole.hash(), true), CacheClass.BLOCK, whole.json());
            FetchedBlock.ProvenReceipts receipts = whole.receipts();
            if (receipts != null && receipts.listed()) {
                take(context, whole, ChainCalls.receipts(whole.hash()), CacheClass.RECEIPTS, receipts.json());
            }
        }
    }

    private void take(CallContext context, FetchedBlock whole, RpcCall call, CacheClass rule, RawJson answer) {
        CallContext asked = context.aside(call);
        asked.trace().answeredBy(whole.upstreamId(), 0);
        String parts = rule == CacheClass.BLOCK ? "header, transactions" : "receipts";
        asked.trace().verifiedAs(new Verification.Proven<>(answer, parts));
        CheckedParams params = checked(call);
        if (params != null) {
            CallKey key = new CallKey(network, call.method(), params.json());
            keeper.take(
                    new CacheRequest(
                            key, rule, asked, params, head.begin(), clock.getAsLong(), null, whole.begun(), kept -> {}),
                    answer,
                    whole.upstreamId());
        }
    }

    private static @Nullable CheckedParams checked(RpcCall call) {
        MethodParams params = MethodCatalogue.ethereum().facts(call.method()).params();
        try {
            return params == null ? null : params.check(call.params(), true);
        } catch (InvalidParamsException e) {
            return null;
        }
    }
}
