package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.time.Instant;
import org.jdbi.v3.core.mapper.PropagateNull;
import org.jdbi.v3.core.mapper.reflect.ColumnName;
import org.jspecify.annotations.Nullable;

/**
 * A decision on a request, with what was decided on. Immutable.
 *
 * @param by the names of the persons who decided; null if a policy did
 * @param summary the content in one line; empty if it was about a key, or if a policy decided
 * @param message the JSON of the message; empty if it was about none, or if a policy decided
 * @param maxFee the most that it may cost, in the fee token's smallest unit; null where it costs nothing
 * @param contentHash equal for equal requests
 */
@PropagateNull("account")
public record StoredDecision(
        boolean approved,
        @ColumnName("decided_by") @Nullable String by,
        @ColumnName("decided_millis") Instant at,
        String network,
        Felt account,
        String summary,
        String message,
        @Nullable BigInteger maxFee,
        String contentHash) {}
