package io.weir.wallet.approval;

import org.jspecify.annotations.Nullable;

/** The callers of a request that waits for approval, as they are now. Thread-safe. */
public interface Asker {

    /** Returns the id of the approval: nobody can guess it, and it is never used again. */
    String id();

    /** Returns the id that the callers gave the request, or null. */
    @Nullable
    String requestId();

    /** Returns the address of the first caller, or null if it is unknown. */
    @Nullable
    String address();

    /** Returns the number of callers that wait for the answer. */
    int callers();
}
