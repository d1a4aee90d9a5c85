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
import io.weir.method.ResultForm;
import java.util.List;
import java.util.stream.Stream;

/** The rows of the methods about state and logs. Pure. */
final class StateMethods {

    private static final int EXECUTION = 5;
    private static final int RANGE = 10;

    private StateMethods() {}

    static List<MethodRow> rows() {
        return Stream.of(lookups(), executions(), List.of(logs()))
                .flatMap(List::stream)
                .toList();
    }

    private static List<MethodRow> lookups() {
        return List.of(
                number("eth_getBalance", ResultForm.QUANTITY).takes(ADDRESS, STATE_BLOCK),
                read("eth_getCode")
                        .gives(ResultForm.DATA)
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE, GIVES_BYTES)
                        .takes(ADDRESS, STATE_BLOCK)
                        .cached(VALUE),
                number("eth_getStorageAt", ResultForm.WORD).takes(ADDRESS, STORAGE_POSITION, STATE_BLOCK),
                number("eth_getTransactionCount", ResultForm.QUANTITY).takes(ADDRESS, STATE_BLOCK),
                slow("eth_getProof", RANGE)
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.ADDRESS)
                        .with(NEEDS_STATE)
                        .takes(ADDRESS, PROOF_KEYS, STATE_BLOCK)
                        .cached(VALUE));
    }

    /** Begins the row of a method that gives a number of an account. */
    private static MethodRow number(String name, ResultForm form) {
        return read(name)
                .gives(form)
                .reaches(ContractScope.ADDRESS)
                .with(NEEDS_STATE, GIVES_NUMBER)
                .cached(VALUE);
    }

    private static List<MethodRow> executions() {
        return List.of(
                slow("eth_call", EXECUTION)
                        .gives(ResultForm.DATA)
                        .reaches(ContractScope.CALL)
                        .with(EXECUTES, NEEDS_STATE, GIVES_BYTES)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES, BLOCK_OVERRIDES)
                        .cached(VALUE),
                slow("eth_createAccessList", EXECUTION)
                        .gives(ResultForm.OBJECT)
                        .reaches(ContractScope.CALL)
                        .with(EXECUTES, NEEDS_STATE)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES)
                        .cached(VALUE),
                // Never cached: an estimate may differ from node to node.
                slow("eth_estimateGas", EXECUTION)
                        .gives(ResultForm.QUANTITY)
                        .reaches(ContractScope.CALL)
                        .with(EXECUTES, NEEDS_STATE)
                        .takes(CALL, STATE_BLOCK, STATE_OVERRIDES, BLOCK_OVERRIDES),
                slow("eth_simulateV1", EXECUTION)
                        .gives(ResultForm.OBJECTS)
                        .with(EXECUTES, NEEDS_STATE)
                        .takes(SIMULATION, STATE_BLOCK),
                foreign("eth_callMany").with(EXECUTES));
    }

    private static MethodRow logs() {
        return slow("eth_getLogs", RANGE)
                .gives(ResultForm.OBJECTS)
                .reaches(ContractScope.LOGS)
                .with(SEARCHES)
                .takes(LOG_FILTER)
                .cached(CacheClass.LOGS)
                .cut(BlockField.LOGS)
                .provenBy(ProofKind.BLOCK);
    }
}
