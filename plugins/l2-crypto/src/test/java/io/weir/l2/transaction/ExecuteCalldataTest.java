package io.weir.l2.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecuteCalldataTest {
    private static final ContractCall FIRST =
            ContractCall.of(Felt.of(70), "approve", List.of(Felt.of(1), Felt.of(2), Felt.ZERO));
    private static final ContractCall SECOND = ContractCall.of(Felt.of(71), "swap", List.of());
    private static final ContractCall THIRD = ContractCall.of(Felt.of(72), "transfer", List.of(Felt.of(5)));

    @Test
    void callsAreReadFromBothLayouts() {
        for (List<ContractCall> calls :
                List.of(List.of(FIRST), List.of(SECOND), List.of(FIRST, SECOND), List.of(SECOND, FIRST, THIRD))) {
            assertThat(ExecuteCalldata.read(ExecuteCalldata.cairo1(calls))).contains(calls);
            assertThat(ExecuteCalldata.read(ExecuteCalldata.cairo0(calls))).contains(calls);
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 1", "7, 0", "7, 2", "9, 3", "9, 5"})
    void dataOfAnOlderAccountAtOtherPlacesThanItSaysIsNoCalls(int index, int told) {
        List<Felt> laidOut = new ArrayList<>(ExecuteCalldata.cairo0(List.of(FIRST, THIRD)));
        laidOut.set(index, Felt.of(told));
        assertThat(ExecuteCalldata.read(laidOut)).isEmpty();
    }

    @Test
    void otherDataIsNoCalls() {
        List<Felt> laidOut = ExecuteCalldata.cairo1(List.of(FIRST, THIRD));
        for (int size = 0; size < laidOut.size(); size++) {
            assertThat(ExecuteCalldata.read(laidOut.subList(0, size)))
                    .as("the first " + size)
                    .isEmpty();
        }
        List<Felt> older = ExecuteCalldata.cairo0(List.of(FIRST, THIRD));
        for (int size = 0; size < older.size(); size++) {
            assertThat(ExecuteCalldata.read(older.subList(0, size)))
                    .as("the first " + size)
                    .isEmpty();
        }
        for (List<Felt> whole : List.of(laidOut, older)) {
            List<Felt> longer = new ArrayList<>(whole);
            longer.add(Felt.ONE);
            assertThat(ExecuteCalldata.read(longer)).isEmpty();
        }
        Felt huge = FIRST.selector();
        assertThat(ExecuteCalldata.read(List.of(huge, Felt.ONE, Felt.ONE))).isEmpty();
        assertThat(ExecuteCalldata.read(List.of(Felt.ONE, Felt.of(70), Felt.of(9), huge, Felt.ONE)))
                .isEmpty();
        assertThat(ExecuteCalldata.read(List.of(Felt.ONE, Felt.of(70), Felt.of(9), Felt.ZERO, huge, Felt.ONE)))
                .isEmpty();
        assertThat(ExecuteCalldata.read(List.of(Felt.ZERO))).isEmpty();
        assertThat(ExecuteCalldata.read(List.of(Felt.ZERO, Felt.ZERO))).isEmpty();
    }
}
