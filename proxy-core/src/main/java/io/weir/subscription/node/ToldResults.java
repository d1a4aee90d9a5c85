package io.weir.subscription.node;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Memory of the newest results of one subscription, by the hash in each. Confined to one thread. */
final class ToldResults {

    /** Hashes that are not told again. Each takes about 70 bytes, so together up to 280 KB for a subscription. */
    private static final int RECENT = 4096;

    private final NameTable hash;
    private final RecentHashes recent = new RecentHashes(RECENT);

    /** @param hash the member with the hash of a result that is not a hash itself */
    ToldResults(String hash) {
        this.hash = NameTable.of(Set.of(hash));
    }

    /** Adds a result. Returns whether it is new; one without a hash always is. */
    boolean add(RawJson result) {
        HexText read = read(result);
        return read == null || read.digits() == 0 || recent.add(read);
    }

    private @Nullable HexText read(RawJson result) {
        RawJson value = result.first() == '{' ? JsonObject.member(result, hash) : result;
        return value == null ? null : HexText.read(value);
    }
}
