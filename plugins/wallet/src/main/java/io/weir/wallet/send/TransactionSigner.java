package io.weir.wallet.send;

import io.weir.api.PluginMeters;
import io.weir.l2.Felt;
import io.weir.l2.FeltJson;
import io.weir.l2.curve.Signature;
import io.weir.l2.transaction.DataAvailability;
import io.weir.l2.transaction.ResourceBound;
import io.weir.l2.transaction.ResourceBounds;
import io.weir.l2.transaction.TransactionFields;
import io.weir.wallet.account.TenantKeys;
import io.weir.wallet.chain.FeeEstimate;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.StoredTransaction.Approval;
import io.weir.wallet.state.TransactionState;
import java.math.BigInteger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes signed transactions of version 3, with bounds for all three resources. Thread-safe; opens seeds and so may block. */
public final class TransactionSigner {
    private static final ResourceBounds NO_BOUNDS =
            new ResourceBounds(ResourceBound.NONE, ResourceBound.NONE, ResourceBound.NONE);
    private static final String VERSION = "0x3";
    private static final String QUERY_VERSION = "0x100000000000000000000000000000003";

    private final TenantKeys keys;
    private final InstantSource clock;
    private final PluginMeters.Timer timer;

    public TransactionSigner(TenantKeys keys, InstantSource clock, PluginMeters meters) {
        this.keys = keys;
        this.clock = clock;
        this.timer = meters.timer("signing_seconds", "How long opening a seed, deriving a key and signing take.");
    }

    /** A transaction that can be estimated but never sent. */
    public ObjectNode query(Draft draft, long nonce) {
        TransactionFields fields = new TransactionFields(
                draft.account().network().chainId(),
                Felt.of(nonce),
                BigInteger.ZERO,
                NO_BOUNDS,
                List.of(),
                DataAvailability.L1,
                DataAvailability.L1,
                true);
        return json(draft, fields, sign(draft, draft.hash(fields)));
    }

    /** A transaction that is ready to be sent. */
    StoredTransaction prepare(Draft draft, long nonce, ResourceBounds bounds, Approval approval) {
        TransactionFields fields =
                TransactionFields.of(draft.account().network().chainId(), Felt.of(nonce), bounds);
        Felt hash = draft.hash(fields);
        ObjectNode body = json(draft, fields, sign(draft, hash));
        return new StoredTransaction(
                draft.account().tenant(),
                fields.chainId(),
                hash,
                draft.type(),
                draft.account().address(),
                nonce,
                draft.calls(),
                FeeEstimate.most(bounds),
                body.toString(),
                TransactionState.PREPARED,
                "",
                clock.instant(),
                approval);
    }

    private Signature sign(Draft draft, Felt hash) {
        long began = System.nanoTime();
        try {
            return keys.sign(draft.account(), hash);
        } finally {
            timer.record(Duration.ofNanos(System.nanoTime() - began));
        }
    }

    private static ObjectNode json(Draft draft, TransactionFields fields, Signature signature) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        draft.writeOwn(json);
        json.put("version", fields.queryOnly() ? QUERY_VERSION : VERSION);
        json.set("signature", FeltJson.hexes(signature.toFelts()));
        json.put("nonce", fields.nonce().toHex());
        ObjectNode bounds = json.putObject("resource_bounds");
        write(bounds.putObject("l1_gas"), fields.resourceBounds().l1Gas());
        ResourceBound dataGas = fields.resourceBounds().l1DataGas();
        write(bounds.putObject("l1_data_gas"), dataGas == null ? ResourceBound.NONE : dataGas);
        write(bounds.putObject("l2_gas"), fields.resourceBounds().l2Gas());
        json.put("tip", "0x0");
        json.putArray("paymaster_data");
        json.put("nonce_data_availability_mode", fields.nonceMode().name());
        json.put("fee_data_availability_mode", fields.feeMode().name());
        return json;
    }

    private static void write(ObjectNode json, ResourceBound bound) {
        json.put("max_amount", "0x" + bound.maxAmount().toString(16));
        json.put("max_price_per_unit", "0x" + bound.maxPricePerUnit().toString(16));
    }
}
