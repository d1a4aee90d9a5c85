package io.weir.method.params;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexKind;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonObject;
import io.weir.method.params.kind.Kind;
import io.weir.method.params.kind.ListKind;
import io.weir.method.params.kind.Members;
import io.weir.method.params.kind.ObjectKind;
import io.weir.method.params.kind.ParamLimit;
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
                    .required(HexKind.ADDRESS, "address")
                    .optional(ListKind.of(HexKind.HASH, "list of storage keys", ParamLimit.STORAGE_KEYS), "storageKeys")
                    .build(),
            "access list",
            ParamLimit.ACCESS_LIST);

    private static final Kind AUTHORIZATION_LIST = ListKind.of(
            ObjectKind.of("authorization")
                    .optional(HexKind.QUANTITY, "chainId")
                    .required(HexKind.ADDRESS, "address")
                    .optional(HexKind.QUANTITY_64, "nonce", "yParity")
                    .optional(HexKind.QUANTITY, "v", "r", "s")
                    .build(),
            "list of authorizations",
            ParamLimit.AUTHORIZATIONS);

    /** Kind of the call object. */
    static final Kind KIND = ObjectKind.of("call object")
            .optional(HexKind.ADDRESS, "from", "to")
            .optional(HexKind.QUANTITY_64, GAS)
            .optional(HexKind.QUANTITY, "gasPrice", "maxPriorityFeePerGas", "maxFeePerGas", "value")
            .optional(HexKind.DATA, DATA, INPUT)
            .optional(HexKind.QUANTITY_64, "nonce")
            .optional(HexKind.QUANTITY, "chainId")
            .optional(HexKind.QUANTITY_64, "type")
            .optional(ACCESS_LIST, "accessList")
            .optional(HexKind.QUANTITY, "maxFeePerBlobGas")
            .optional(ListKind.of(HexKind.HASH, "list of hashes", ParamLimit.BLOBS), "blobVersionedHashes")
            .optional(
                    ListKind.of(HexKind.DATA, "list of bytes in hex", ParamLimit.BLOBS),
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
        byte[] value = ("\"0x" + Long.toHexString(gas) + '"').getBytes(US_ASCII);
        int before = old.offset() - call.offset();
        int behind = call.length() - before - old.length();
        byte[] text = new byte[before + value.length + behind];
        System.arraycopy(call.array(), call.offset(), text, 0, before);
        System.arraycopy(value, 0, text, before, value.length);
        System.arraycopy(call.array(), old.offset() + old.length(), text, before + value.length, behind);
        return RawJson.of(text);
    }
}
