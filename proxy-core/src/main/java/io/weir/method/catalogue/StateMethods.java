package io.weir.method.catalogue;

import static io.weir.method.CacheClass.VALUE;
import static io.weir.method.MethodTrait.EXECUTES;
import static io.weir.method.MethodTrait.GIVES_BYTES;
import static io.weir.method.MethodTrait.GIVES_NUMBER;
import static io.weir.method.MethodTrait.NEEDS_STATE;
import static io.weir.method.MethodTrait.SEARCHES;
import static io.weir.method.catalogue.MethodRow.foreign;
import static io.weir.method.catalogue.MethodRow.read;
import static io.weir.method.catalogue.MethodRow.slow;
import static io.weir.method.params.EthereumParams.ADDRESS;
import static io.weir.method.params.EthereumParams.BLOCK_OVERRIDES;
import static io.weir.method.params.EthereumParams.CALL;
import static io.weir.method.params.EthereumParams.LOG_FILTER;
import static io.weir.method.params.EthereumParams.PROOF_KEYS;
import static io.weir.method.params.EthereumParams.SIMULATION;
import static io.weir.method.params.EthereumParams.STATE_BLOCK;
import static io.weir.method.params.EthereumParams.STATE_OVERRIDES;
import static io.weir.method.params.EthereumParams.STORAGE_POSITION;

import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.ContractScope;
import io.weir.method.ProofKind;
import java.util.List;

/** The rows of the methods about state and logs. Pure. */
final class StateMethods {

    private static final int EXECUTION = 5;
    private static final int RANGE = 10;

    private StateMethods() {}

    static List<MethodRow> rows() {
        return List.of(
                read("eth_getBalance")
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE, GIVES_NUMBER)
                        .takes(ADDRESS, STATE_BLOCK)
                        .cached(VALUE),
                read("eth_getCode")
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE, GIVES_BYTES)
                        .takes(ADDRESS, STATE_BLOCK)
                        .cached(VALUE),
                read("eth_getStorageAt")
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE, GIVES_NUMBER)
                        .takes(ADDRESS, STORAGE_POSITION, STATE_BLOCK)
                        .cached(VALUE),
                read("eth_getTransactionCount")
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE, GIVES_NUMBER)
                        .takes(ADDRESS, STATE_BLOCK)
                        .cached(VALUE),
                slow("eth_getProof", RANGE)
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE)
                        .takes(ADDRESS, PROOF_KEYS, STATE_BLOCK)
                        .cached(VALUE),
                slow("eth_call", EXECUTION)
                        .reaches(ContractScope.CALL)
                        .with(EXECUTES, NEEDS_STATE, GIVES_BYTES)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES, BLOCK_OVERRIDES)
                        .cached(VALUE),
                slow("eth_createAccessList", EXECUTION)
                        .reaches(ContractScope.CALL)
                        .with(EXECUTES, NEEDS_STATE)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES)
                        .cached(VALUE),
                // Never cached: an estimate may differ from node to node.
                slow("eth_estimateGas", EXECUTION)
                        .reaches(ContractScope.CALL)
                        .with(EXECUTES, NEEDS_STATE)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES, BLOCK_OVERRIDES),
                slow("eth_simulateV1", EXECUTION).with(EXECUTES, NEEDS_STATE).takes(SIMULATION, STATE_BLOCK),
                foreign("eth_callMany").with(EXECUTES),
                logs());
    }

    private static MethodRow logs() {
        return slow("eth_getLogs", RANGE)
                .reaches(ContractScope.LOGS)
                .with(SEARCHES)
                .takes(LOG_FILTER)
                .cached(CacheClass.LOGS)
                .cut(BlockField.LOGS)
                .provenBy(ProofKind.BLOCK);
    }
}
