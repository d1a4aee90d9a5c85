package io.weir.devnet.execution;

import io.weir.devnet.state.Account;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.Log;
import io.weir.ethereum.transaction.ContractAddress;
import java.util.List;

/**
 * Runs messages. There is no EVM: wei moves, code comes into being by {@link PlainDeployment}, the {@link Token} runs as
 * Java; a call of any other code reverts with nothing. Thread-safe.
 */
public final class Execution {
    private static final long UNKNOWN_CODE_GAS = 100;

    private Execution() {}

    /** Runs a message. The sender owns at least its value. */
    public static Outcome run(WorldState state, Message message) {
        Address to = message.to();
        if (to == null) {
            return create(state, message);
        }
        Bytes code = state.account(to).code();
        if (code.isEmpty()) {
            return Outcome.success(move(state, message, to));
        }
        if (code.equals(Token.CODE)) {
            return Token.call(state, message, to);
        }
        return Outcome.revert(state, UNKNOWN_CODE_GAS, Bytes.EMPTY);
    }

    private static Outcome create(WorldState state, Message message) {
        if (!PlainDeployment.isPlain(message.data())) {
            return Outcome.revert(state, 0, Abi.error("devnet has no EVM: init code is not the plain one"));
        }
        Bytes code = PlainDeployment.code(message.data());
        long gas = PlainDeployment.gas(code);
        Address created = ContractAddress.create(message.from(), message.nonce());
        Account there = state.account(created);
        if (PlainDeployment.isTooLong(code) || !there.code().isEmpty() || there.nonce() != 0) {
            return Outcome.revert(state, gas, Bytes.EMPTY);
        }
        WorldState after = move(state, message, created)
                .change(created, account -> account.withNonce(1).withCode(code));
        return new Outcome(true, gas, Bytes.EMPTY, after, List.<Log>of(), created);
    }

    private static WorldState move(WorldState state, Message message, Address to) {
        return state.debit(message.from(), message.value()).credit(to, message.value());
    }
}
