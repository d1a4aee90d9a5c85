package io.weir.l2.deploy;

import static io.weir.api.NetworkMethod.Lifetime.BY_STATUS;
import static io.weir.api.NetworkMethod.Lifetime.OF_BLOCK;
import static io.weir.api.NetworkMethod.Parameter.other;
import static io.weir.api.NetworkMethod.read;
import static io.weir.api.NetworkMethod.slowRead;
import static io.weir.api.NetworkMethod.write;

import io.weir.api.BlockForm;
import io.weir.api.NetworkMethod;
import io.weir.api.NetworkMethod.Answer;
import io.weir.api.NetworkMethod.Effect;
import io.weir.api.NetworkMethod.Lifetime;
import io.weir.api.NetworkMethod.Parameter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The methods of the layer-2 network, versions 0.8 to 0.10 of its specification. Pure. */
final class LayerTwoMethods {
    private static final String SHOWING = "starknet_getBlockWithTxHashes";

    static final BlockForm BLOCKS = new BlockForm(
            SHOWING,
            "latest",
            Set.of("pending", "pre_confirmed"),
            "l1_accepted",
            new BlockForm.Status(Set.of("status", "finality_status"), "ACCEPTED_ON_L1"),
            new BlockForm.Members("block_number", "block_hash", "parent_hash", "timestamp"));

    private static final Parameter BLOCK = Parameter.block("block_id");

    /** The node runs code of contracts. */
    private static final int EXECUTION = 5;

    /** The node runs a transaction or a block again, or searches many blocks; or the plugin hashes a deployment. */
    private static final int HEAVY = 10;

    private static final int HEAVIEST = 20;

    private static final Set<String> WRITES = Set.of(
            "starknet_addDeclareTransaction", "starknet_addDeployAccountTransaction", "starknet_addInvokeTransaction");

    private LayerTwoMethods() {}

    /**
     * Returns all methods.
     *
     * @param writes further ones that send transactions
     * @param deployments those whose calls the plugin reads and whose transactions it hashes, besides what the node does
     */
    static List<NetworkMethod> all(Set<String> writes, Set<String> deployments) {
        Set<String> sending = new TreeSet<>(WRITES);
        sending.addAll(writes);
        sending.addAll(deployments);
        return Stream.of(
                        chain(),
                        blocks(),
                        transactions(),
                        state(),
                        executions(),
                        sending.stream()
                                .map(name -> deployments.contains(name) ? deployment(name) : write(name))
                                .toList())
                .flatMap(List::stream)
                .toList();
    }

    private static NetworkMethod deployment(String name) {
        return new NetworkMethod(name, Effect.WRITE, HEAVY, Answer.PLAIN, Lifetime.NONE, List.of());
    }

    private static List<NetworkMethod> chain() {
        return List.of(
                read("starknet_blockHashAndNumber").answering(Answer.HEAD_BLOCK),
                read("starknet_blockNumber").answering(Answer.HEAD_NUMBER),
                read("starknet_chainId"),
                read("starknet_specVersion"),
                read("starknet_syncing"));
    }

    private static List<NetworkMethod> blocks() {
        return List.of(
                read("starknet_getBlockTransactionCount").takes(BLOCK).lasting(OF_BLOCK),
                read("starknet_getBlockWithReceipts")
                        .takes(BLOCK)
                        .answering(Answer.IN_BLOCK)
                        .lasting(BY_STATUS),
                read(SHOWING).takes(BLOCK).answering(Answer.IN_BLOCK).lasting(BY_STATUS),
                read("starknet_getBlockWithTxs")
                        .takes(BLOCK)
                        .answering(Answer.IN_BLOCK)
                        .lasting(BY_STATUS),
                read("starknet_getStateUpdate").takes(BLOCK).lasting(OF_BLOCK),
                slowRead("starknet_getEvents", HEAVY).takes(Parameter.range("filter", "from_block", "to_block")));
    }

    private static List<NetworkMethod> transactions() {
        Parameter hash = other("transaction_hash");
        return List.of(
                read("starknet_getMessagesStatus").takes(hash),
                read("starknet_getTransactionByBlockIdAndIndex")
                        .takes(BLOCK, other("index"))
                        .lasting(OF_BLOCK),
                read("starknet_getTransactionByHash").takes(hash),
                read("starknet_getTransactionReceipt")
                        .takes(hash)
                        .answering(Answer.IN_BLOCK)
                        .lasting(BY_STATUS),
                read("starknet_getTransactionStatus").takes(hash),
                slowRead("starknet_traceTransaction", HEAVY).takes(hash),
                slowRead("starknet_traceBlockTransactions", HEAVIEST)
                        .takes(BLOCK)
                        .lasting(OF_BLOCK));
    }

    private static List<NetworkMethod> state() {
        Parameter contract = other("contract_address");
        return List.of(
                read("starknet_getClass").takes(BLOCK, other("class_hash")).lasting(OF_BLOCK),
                read("starknet_getClassAt").takes(BLOCK, contract).lasting(OF_BLOCK),
                read("starknet_getClassHashAt").takes(BLOCK, contract).lasting(OF_BLOCK),
                read("starknet_getNonce").takes(BLOCK, contract).lasting(OF_BLOCK),
                read("starknet_getStorageAt")
                        .takes(contract, other("key"), BLOCK)
                        .lasting(OF_BLOCK),
                slowRead("starknet_getCompiledCasm", EXECUTION).takes(other("class_hash")),
                // As it came: some nodes prove the newest block under its tag alone.
                slowRead("starknet_getStorageProof", EXECUTION).takes(other("block_id")));
    }

    private static List<NetworkMethod> executions() {
        return List.of(
                slowRead("starknet_call", EXECUTION)
                        .takes(other("request"), BLOCK)
                        .lasting(OF_BLOCK),
                slowRead("starknet_estimateFee", EXECUTION).takes(other("request"), other("simulation_flags"), BLOCK),
                slowRead("starknet_estimateMessageFee", EXECUTION).takes(other("message"), BLOCK),
                slowRead("starknet_simulateTransactions", HEAVY)
                        .takes(BLOCK, other("transactions"), other("simulation_flags")));
    }
}
