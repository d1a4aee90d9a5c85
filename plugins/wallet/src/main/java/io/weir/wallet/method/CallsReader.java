package io.weir.wallet.method;

import io.weir.wallet.snap.Arguments;
import io.weir.wallet.snap.SnapErrors;
import io.weir.wallet.state.NamedCall;
import java.util.List;
import java.util.Set;

/** Reads the calls that a transaction is wanted for: one by its members, or several as the list {@code calls}. Stateless. */
final class CallsReader {
    static final String CONTRACT = "contractAddress";
    static final String FUNCTION = "contractFuncName";
    static final String CALLDATA = "contractCallData";
    static final String CALLS = "calls";

    private static final List<String> MEMBERS = List.of(CONTRACT, FUNCTION, CALLDATA);

    /** The most calls of one transaction: as many as a person reads through before an approval. */
    private static final int MAX_CALLS = 32;

    private CallsReader() {}

    static List<NamedCall> read(Arguments arguments) {
        if (!arguments.has(CALLS)) {
            return List.of(call(arguments));
        }
        MEMBERS.stream().filter(arguments::has).findFirst().ifPresent(member -> {
            throw SnapErrors.invalidParams(
                    Arguments.path(member) + ": given beside calls (expected: one call by its members, or calls)");
        });
        List<NamedCall> calls = arguments.objects(CALLS, MAX_CALLS, Set.copyOf(MEMBERS)).stream()
                .map(CallsReader::call)
                .toList();
        int numbers = calls.stream().mapToInt(call -> call.calldata().size()).sum();
        if (numbers > Arguments.MAX_CALLDATA) {
            throw SnapErrors.invalidParams(Arguments.path(CALLS) + ": call data of " + numbers
                    + " numbers (expected: at most " + Arguments.MAX_CALLDATA + " of all calls together)");
        }
        return calls;
    }

    private static NamedCall call(Arguments arguments) {
        return new NamedCall(arguments.address(CONTRACT), arguments.function(FUNCTION), arguments.felts(CALLDATA));
    }
}
