package io.weir.l2.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.swmansion.starknet.data.Cairo1ClassHashCalculator;
import com.swmansion.starknet.data.types.Cairo1ContractDefinition;
import io.weir.l2.Felt;
import io.weir.l2.hash.ClassHash;
import io.weir.l2.hash.ClassHash.EntryPoint;
import io.weir.l2.hash.ClassHash.EntryPoints;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Hashes of classes against starknet-jvm; there is no published vector of one. */
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the oracle has native code for Linux and macOS alone")
class OracleClassHashTest {
    private static final String DEFINITION = """
            {"contract_class_version": "0.1.0", "abi": %s, "sierra_program": ["%s", "%s", "%s"],
             "entry_points_by_type": {
               "EXTERNAL": [{"selector": "%s", "function_idx": 3}, {"selector": "%s", "function_idx": 1}],
               "L1_HANDLER": [{"selector": "%s", "function_idx": 2}],
               "CONSTRUCTOR": []}}
            """;

    @Test
    void aClassHasTheSameHash() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (String abi : List.of("[]", "[{\"type\": \"function\", \"name\": \"f\"}]")) {
            List<Felt> program = OracleTest.felts(random, 3);
            List<Felt> selectors = OracleTest.felts(random, 3);
            EntryPoints entryPoints = new EntryPoints(
                    List.of(new EntryPoint(selectors.get(0), 3), new EntryPoint(selectors.get(1), 1)),
                    List.of(new EntryPoint(selectors.get(2), 2)),
                    List.of());
            String definition = DEFINITION.formatted(
                    abi,
                    program.get(0),
                    program.get(1),
                    program.get(2),
                    selectors.get(0),
                    selectors.get(1),
                    selectors.get(2));
            assertThat(ClassHash.of(entryPoints, abi, program).toBigInteger())
                    .as("seed %d", seed)
                    .isEqualTo(Cairo1ClassHashCalculator.INSTANCE
                            .computeSierraClassHash(new Cairo1ContractDefinition(definition))
                            .getValue());
        }
    }
}
