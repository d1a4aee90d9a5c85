package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.time.Instant;

/**
 * A person's decision on a request, and what came of it. Immutable.
 *
 * @param number orders decisions by time
 * @param approval the id of the approval, which its transactions bear
 * @param chain the id of the chain as it was shown
 * @param summary its content in one line; empty if it was about a key
 * @param message the JSON of the message; empty if it was about none
 * @param maxFee the most that it may cost, as it was shown
 * @param by who decided
 * @param outcome the state of the request as far as it is known; {@code APPROVED} while it is carried out
 * @param error the cause of a failure; empty if there is none
 */
public record StoredDecision(
        long number,
        String approval,
        String tenant,
        String method,
        String network,
        String chain,
        Felt account,
        String summary,
        String message,
        String maxFee,
        boolean approved,
        String by,
        Instant decided,
        RequestState outcome,
        String error) {}
