package io.weir.pipeline.admission;

import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.verify.Verification;
import org.jspecify.annotations.Nullable;

/** Stores blocks and receipts that proved an answer, as if a client had asked for them by hash. Thread-safe. */
public final class ProvenBlockSink implements FetchedBlock.Sink {

    private final CacheRequests requests;
    private final CacheAdmission admission;

    /** Stores the proven blocks of one network. */
    public ProvenBlockSink(CacheRequests requests, CacheAdmission admission) {
        this.requests = requests;
        this.admission = admission;
    }

    @Override
    public long begin() {
        return requests.store().purges();
    }

    @Override
    public void take(CallContext context, FetchedBlock whole) {
        if (requests.store().isOn() && whole.isComplete()) {
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
            CallKey key = new CallKey(requests.space(), call.method(), params.json());
            admission.take(requests.proven(key, rule, asked, params, whole.begun()), answer, whole.upstreamId());
        }
    }

    private static @Nullable CheckedParams checked(RpcCall call) {
        MethodParams params = MethodCatalogue.ethereum().facts(call.method()).params();
        try {
            return params == null ? null : params.check(call.params());
        } catch (InvalidParamsException e) {
            return null;
        }
    }
}
