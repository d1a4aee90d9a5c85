package io.weir.l2.transaction;

import io.weir.l2.Felt;
import java.util.ArrayList;
import java.util.List;

/** Calls, laid out as an account's {@code __execute__} takes them. Thread-safe. */
public final class ExecuteCalldata {
    private ExecuteCalldata() {}

    /** For accounts written in Cairo 1: each call with its own data. */
    public static List<Felt> cairo1(List<ContractCall> calls) {
        List<Felt> laidOut = new ArrayList<>();
        laidOut.add(Felt.of(calls.size()));
        for (ContractCall call : calls) {
            laidOut.add(call.contract());
            laidOut.add(call.selector());
            laidOut.add(Felt.of(call.calldata().size()));
            laidOut.addAll(call.calldata());
        }
        return List.copyOf(laidOut);
    }

    /** For accounts written in Cairo 0: all calls with the places of their data, then the data of all. */
    public static List<Felt> cairo0(List<ContractCall> calls) {
        List<Felt> laidOut = new ArrayList<>();
        List<Felt> data = new ArrayList<>();
        laidOut.add(Felt.of(calls.size()));
        for (ContractCall call : calls) {
            laidOut.add(call.contract());
            laidOut.add(call.selector());
            laidOut.add(Felt.of(data.size()));
            laidOut.add(Felt.of(call.calldata().size()));
            data.addAll(call.calldata());
        }
        laidOut.add(Felt.of(data.size()));
        laidOut.addAll(data);
        return List.copyOf(laidOut);
    }
}
