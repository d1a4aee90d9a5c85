package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * The contracts that calls name in their checked parameters, as addresses in normal form. No addresses mean that the call may reach
 * any contract. Pure.
 */
public final class NamedContracts {

    private static final NameTable TO = NameTable.of(Set.of("to"));
    private static final NameTable ADDRESS = NameTable.of(Set.of("address"));

    /** The members of a call object that cannot bring the code of another contract to the one that it names. */
    private static final Set<String> PLAIN_MEMBERS = Set.of(
            "from",
            "to",
            "gas",
            "gasPrice",
            "maxPriorityFeePerGas",
            "maxFeePerGas",
            "value",
            "data",
            "nonce",
            "chainId",
            "type",
            "accessList",
            "maxFeePerBlobGas",
            "blobVersionedHashes",
            "blobs",
            "commitments",
            "proofs");

    private static final NameTable PLAIN_NAMES = NameTable.of(PLAIN_MEMBERS);

    /** The number of parameters of a call without overrides: the call object and the block. */
    private static final int PLAIN_PARAMS = 2;

    private NamedContracts() {}

    /** Returns the account in the first parameter. */
    public static List<RawJson> ofAddress(CheckedParams params) {
        return List.of(params.values().get(0));
    }

    /**
     * Returns the account that a call object is sent to. Overrides of state or of the block, authorizations and unknown members may
     * reach others.
     */
    public static List<RawJson> ofCall(CheckedParams params) {
        RawJson call = params.values().get(0);
        RawJson to = JsonObject.member(call, TO);
        return to == null || params.values().size() > PLAIN_PARAMS || !isPlain(call) ? List.of() : List.of(to);
    }

    private static boolean isPlain(RawJson call) {
        JsonScanner scanner = JsonScanner.delimiters(call.array(), call.offset(), call.length());
        try {
            boolean more = scanner.enter();
            while (more) {
                if (!PLAIN_MEMBERS.contains(scanner.member(PLAIN_NAMES))) {
                    return false;
                }
                scanner.skip();
                more = scanner.nextEntry();
            }
            return true;
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("call object: " + e.getMessage(), e);
        }
    }

    /** Returns the accounts whose logs a filter selects. */
    public static List<RawJson> ofLogs(CheckedParams params) throws InvalidParamsException {
        RawJson addresses = JsonObject.member(params.values().get(0), ADDRESS);
        if (addresses == null) {
            return List.of();
        }
        return addresses.first() == '[' ? JsonArray.elements(addresses, Integer.MAX_VALUE) : List.of(addresses);
    }
}
