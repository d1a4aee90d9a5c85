package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonObject;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.Members;
import io.weir.method.params.kind.ObjectKind;
import io.weir.method.params.kind.ParamLimit;
import io.weir.method.params.kind.ValueKind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Transaction call object, of every transaction type. Pure. */
public final class CallObject {

    private static final String GAS = "gas";
    private static final String DATA = "data";
    private static final String INPUT = "input";
    private static final NameTable GAS_NAME = NameTable.of(Set.of(GAS));

    private static final Kind ACCESS_LIST = ListKind.of(
            ObjectKind.of("access list entry")
                    .required(ValueKind.ADDRESS, "address")
                    .optional(
                            ListKind.of(ValueKind.HASH, "list of storage keys", ParamLimit.STORAGE_KEYS), "storageKeys")
                    .build(),
            "access list",
            ParamLimit.ACCESS_LIST);

    private static final Kind AUTHORIZATION_LIST = ListKind.of(
            ObjectKind.of("authorization")
                    .optional(ValueKind.QUANTITY, "chainId")
                    .required(ValueKind.ADDRESS, "address")
                    .optional(ValueKind.QUANTITY_64, "nonce", "yParity")
                    .optional(ValueKind.QUANTITY, "v", "r", "s")
                    .build(),
            "list of authorizations",
            ParamLimit.AUTHORIZATIONS);

    /** Kind of the call object. */
    static final Kind KIND = ObjectKind.of("call object")
            .optional(ValueKind.ADDRESS, "from", "to")
            .optional(ValueKind.QUANTITY_64, GAS)
            .optional(ValueKind.QUANTITY, "gasPrice", "maxPriorityFeePerGas", "maxFeePerGas", "value")
            .optional(ValueKind.DATA, DATA, INPUT)
            .optional(ValueKind.QUANTITY_64, "nonce")
            .optional(ValueKind.QUANTITY, "chainId")
            .optional(ValueKind.QUANTITY_64, "type")
            .optional(ACCESS_LIST, "accessList")
            .optional(ValueKind.QUANTITY, "maxFeePerBlobGas")
            .optional(ListKind.of(ValueKind.HASH, "list of hashes", ParamLimit.BLOBS), "blobVersionedHashes")
            .optional(
                    ListKind.of(ValueKind.DATA, "list of bytes in hex", ParamLimit.BLOBS),
                    "blobs",
                    "commitments",
                    "proofs")
            .optional(AUTHORIZATION_LIST, "authorizationList")
            .rule(CallObject::oneName)
            .build();

    private CallObject() {}

    /** Merges the two names of one member into the older one, which every node reads. */
    private static void oneName(Members members) throws InvalidParamsException {
        RawJson input = members.get(INPUT);
        if (input == null) {
            return;
        }
        RawJson data = members.get(DATA);
        if (data != null && !data.equals(input)) {
            throw InvalidParamsException.of("both data and input, and they differ", "one of them, or the same");
        }
        members.put(DATA, input);
        members.remove(INPUT);
    }

    /** Returns the gas of a call object in normal form, as an unsigned number; null if it names none. */
    public static @Nullable Long gas(RawJson call) {
        RawJson gas = JsonObject.member(call, GAS_NAME);
        HexText text = gas == null ? null : HexText.read(gas);
        return text == null ? null : text.toLong();
    }

    /** Returns the same call object with another gas, an unsigned number. */
    public static RawJson withGas(RawJson call, long gas) {
        RawJson old = JsonObject.member(call, GAS_NAME);
        if (old == null) {
            throw new IllegalArgumentException("call: without gas (expected: one that names its gas)");
        }
        return call.with(old, "\"0x" + Long.toHexString(gas) + '"');
    }
}
