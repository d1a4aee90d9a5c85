/**
 * Requests that need approval, from their arrival to their end: callers that ask for the same share one, callers that leave withdraw
 * theirs. Start at {@link io.weir.wallet.request.Requests}; the states are those of {@link io.weir.wallet.state.RequestState}.
 */
@NullMarked
package io.weir.wallet.request;

import org.jspecify.annotations.NullMarked;
