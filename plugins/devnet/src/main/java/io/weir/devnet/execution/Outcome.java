package io.weir.devnet.execution;

import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.Log;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link Message}. Immutable.
 *
 * @param succeeded false when it reverted
 * @param gas what it used beside the intrinsic gas
 * @param output what was returned, or the reason of the revert as the ABI encodes it
 * @param state the state after it; the one before it when it reverted
 * @param created the address of a created contract
 */
public record Outcome(
        boolean succeeded,
        long gas,
        Bytes output,
        WorldState state,
        List<Log> logs,
        @Nullable Address created) {
    public Outcome {
        logs = List.copyOf(logs);
    }

    static Outcome success(WorldState state) {
        return new Outcome(true, 0, Bytes.EMPTY, state, List.of(), null);
    }

    static Outcome revert(WorldState before, long gas, Bytes payload) {
        return new Outcome(false, gas, payload, before, List.of(), null);
    }
}
