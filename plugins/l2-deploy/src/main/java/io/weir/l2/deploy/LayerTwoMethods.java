package io.weir.l2.deploy;

import static io.weir.api.NetworkMethod.read;
import static io.weir.api.NetworkMethod.slowRead;

import io.weir.api.NetworkMethod;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The methods of the layer-2 network, versions 0.8 to 0.10 of its specification. Pure. */
final class LayerTwoMethods {
    /** The node runs code of contracts. */
    private static final int EXECUTION = 5;

    /** The node runs a transaction or a block again, or searches many blocks. */
    private static final int HEAVY = 10;

    private static final int HEAVIEST = 20;

    private static final Set<String> WRITES = Set.of(
            "starknet_addDeclareTransaction", "starknet_addDeployAccountTransaction", "starknet_addInvokeTransaction");

    private LayerTwoMethods() {}

    /**
     * Returns all methods.
     *
     * @param writes further ones that send transactions
     */
    static List<NetworkMethod> all(Set<String> writes) {
        Set<String> sending = new TreeSet<>(WRITES);
        sending.addAll(writes);
        return Stream.of(
                        chain(),
                        blocks(),
                        transactions(),
                        state(),
                        executions(),
                        sending.stream().map(NetworkMethod::write).toList())
                .flatMap(List::stream)
                .toList();
    }

    private static List<NetworkMethod> chain() {
        return List.of(
                read("starknet_blockHashAndNumber"),
                read("starknet_blockNumber"),
                read("starknet_chainId"),
                read("starknet_specVersion"),
                read("starknet_syncing"));
    }

    private static List<NetworkMethod> blocks() {
        return List.of(
                read("starknet_getBlockTransactionCount"),
                read("starknet_getBlockWithReceipts"),
                read("starknet_getBlockWithTxHashes"),
                read("starknet_getBlockWithTxs"),
                read("starknet_getStateUpdate"),
                slowRead("starknet_getEvents", HEAVY));
    }

    private static List<NetworkMethod> transactions() {
        return List.of(
                read("starknet_getMessagesStatus"),
                read("starknet_getTransactionByBlockIdAndIndex"),
                read("starknet_getTransactionByHash"),
                read("starknet_getTransactionReceipt"),
                read("starknet_getTransactionStatus"),
                slowRead("starknet_traceTransaction", HEAVY),
                slowRead("starknet_traceBlockTransactions", HEAVIEST));
    }

    private static List<NetworkMethod> state() {
        return List.of(
                read("starknet_getClass"),
                read("starknet_getClassAt"),
                read("starknet_getClassHashAt"),
                read("starknet_getNonce"),
                read("starknet_getStorageAt"),
                slowRead("starknet_getCompiledCasm", EXECUTION),
                slowRead("starknet_getStorageProof", EXECUTION));
    }

    private static List<NetworkMethod> executions() {
        return List.of(
                slowRead("starknet_call", EXECUTION),
                slowRead("starknet_estimateFee", EXECUTION),
                slowRead("starknet_estimateMessageFee", EXECUTION),
                slowRead("starknet_simulateTransactions", HEAVY));
    }
}
