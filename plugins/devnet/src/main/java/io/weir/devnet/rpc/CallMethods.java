package io.weir.devnet.rpc;

import io.weir.api.RpcException;
import io.weir.devnet.chain.ChainBlock;
import io.weir.devnet.execution.Execution;
import io.weir.devnet.execution.GasSchedule;
import io.weir.devnet.execution.Message;
import io.weir.devnet.execution.Outcome;
import io.weir.devnet.execution.RevertReason;
import io.weir.devnet.parameter.CallObject;
import io.weir.devnet.parameter.Failures;
import io.weir.devnet.parameter.Parameters;
import io.weir.devnet.state.Account;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Quantity;
import java.math.BigInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** Calls that change nothing. Thread-safe. */
final class CallMethods {
    private static final long CAP_IN_BLOCKS = 10;

    private final BlockLookup blocks;

    CallMethods(BlockLookup blocks) {
        this.blocks = blocks;
    }

    void addTo(MethodSink table) {
        table.add("eth_call", 1, 2, this::call);
        table.add("eth_estimateGas", 1, 2, this::estimate);
    }

    private JsonNode call(Parameters parameters) {
        CallObject call = parameters.call(0);
        ChainBlock block = blocks.require(parameters.block(1));
        long gas = Math.min(call.gas() == null ? Long.MAX_VALUE : call.gas(), cap(block));
        checkFees(call, block, gas);
        checkFunds(call, block.state().account(call.from()), gas);
        long intrinsic = intrinsic(call, block);
        if (gas < intrinsic) {
            throw refused("intrinsic gas too low: have " + gas + ", want " + intrinsic, gas);
        }
        Outcome outcome = run(call, block);
        if (intrinsic + outcome.gas() > gas) {
            throw Failures.failed("out of gas");
        }
        if (!outcome.succeeded()) {
            throw reverted(outcome.output());
        }
        return StringNode.valueOf(outcome.output().hex());
    }

    /** The gas is known after one run: nothing here depends on how much there is. */
    private JsonNode estimate(Parameters parameters) {
        CallObject call = parameters.call(0);
        ChainBlock block = blocks.require(parameters.block(1));
        BigInteger balance = block.state().account(call.from()).balance();
        if (balance.compareTo(call.value()) < 0) {
            throw Failures.failed("insufficient funds for transfer");
        }
        Outcome outcome = run(call, block);
        long needed = Math.max(intrinsic(call, block) + outcome.gas(), GasSchedule.floor(block.fork(), call.data()));
        long allowed = allowance(call, block, balance);
        if (needed > allowed) {
            throw Failures.failed("gas required exceeds allowance (" + allowed + ")");
        }
        if (!outcome.succeeded()) {
            throw reverted(outcome.output());
        }
        return StringNode.valueOf(Quantity.encode(needed));
    }

    private static long allowance(CallObject call, ChainBlock block, BigInteger balance) {
        long limit = block.header().gasLimit();
        long allowed =
                call.gas() == null || call.gas() < GasSchedule.TRANSACTION ? limit : Math.min(call.gas(), cap(block));
        if (call.maxFeePerGas().signum() == 0) {
            return allowed;
        }
        BigInteger affordable = balance.subtract(call.value()).divide(call.maxFeePerGas());
        return affordable.min(BigInteger.valueOf(allowed)).longValueExact();
    }

    private static void checkFees(CallObject call, ChainBlock block, long gas) {
        BigInteger baseFee = block.header().baseFeePerGas();
        BigInteger most = call.maxFeePerGas();
        BigInteger tip = call.maxPriorityFeePerGas();
        if (most.signum() == 0 && tip.signum() == 0) {
            return;
        }
        if (tip.compareTo(most) > 0) {
            throw refused(
                    "max priority fee per gas higher than max fee per gas: address " + call.from()
                            + ", maxPriorityFeePerGas: " + tip + ", maxFeePerGas: " + most,
                    gas);
        }
        if (baseFee != null && most.compareTo(baseFee) < 0) {
            throw refused(
                    "max fee per gas less than block base fee: address " + call.from() + ", maxFeePerGas: " + most
                            + ", baseFee: " + baseFee,
                    gas);
        }
    }

    private static void checkFunds(CallObject call, Account sender, long gas) {
        BigInteger cost = call.maxFeePerGas().multiply(BigInteger.valueOf(gas)).add(call.value());
        if (sender.balance().compareTo(cost) < 0) {
            throw refused(
                    "insufficient funds for gas * price + value: address " + call.from() + " have " + sender.balance()
                            + " want " + cost,
                    gas);
        }
    }

    private static Outcome run(CallObject call, ChainBlock block) {
        WorldState state = block.state();
        long nonce = state.account(call.from()).nonce();
        return Execution.run(state, new Message(call.from(), call.to(), call.value(), call.data(), nonce));
    }

    private static long intrinsic(CallObject call, ChainBlock block) {
        return GasSchedule.intrinsic(block.fork(), call.to() == null, call.data(), call.accessList());
    }

    private static long cap(ChainBlock block) {
        return CAP_IN_BLOCKS * block.header().gasLimit();
    }

    /** Returns the error of a call that cannot even begin to run; geth wraps it in its own text. */
    private static RpcException refused(String reason, long gas) {
        return Failures.failed("err: " + reason + " (supplied gas " + gas + ")");
    }

    private static RpcException reverted(Bytes payload) {
        String reason = RevertReason.of(payload);
        String message = "execution reverted" + (reason == null ? "" : ": " + reason);
        return new RpcException(3, message, StringNode.valueOf(payload.hex()));
    }
}
