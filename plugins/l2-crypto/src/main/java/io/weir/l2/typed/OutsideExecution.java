package io.weir.l2.typed;

import static io.weir.l2.typed.ScalarEncoder.check;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.transaction.ContractCall;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Calls that others may submit with an account's signature on a message (SNIP-9, versions 1 and 2). Immutable.
 *
 * @param caller the address that may submit them; {@link #ANY_CALLER} for every address
 * @param after the second after which they may be carried out
 * @param before the second before which they may be carried out
 */
public record OutsideExecution(Felt caller, BigInteger after, BigInteger before, List<ContractCall> calls) {

    /** The primary type of the message. The hash covers it as it is written, so no other name means the same. */
    public static final String TYPE = "OutsideExecution";

    /** The caller by which a message names no caller. */
    public static final Felt ANY_CALLER = ShortString.encode("ANY_CALLER");

    private static final String FELT = "felt";
    private static final String U128 = "u128";
    private static final String ADDRESS = "ContractAddress";
    private static final Layout FIRST = new Layout(
            List.of(
                    Field.of("caller", FELT),
                    Field.of("nonce", FELT),
                    Field.of("execute_after", FELT),
                    Field.of("execute_before", FELT),
                    Field.of("calls_len", FELT),
                    Field.of("calls", "OutsideCall*")),
            List.of(
                    Field.of("to", FELT),
                    Field.of("selector", FELT),
                    Field.of("calldata_len", FELT),
                    Field.of("calldata", "felt*")));
    private static final Layout SECOND = new Layout(
            List.of(
                    Field.of("Caller", ADDRESS),
                    Field.of("Nonce", FELT),
                    Field.of("Execute After", U128),
                    Field.of("Execute Before", U128),
                    Field.of("Calls", "Call*")),
            List.of(Field.of("To", ADDRESS), Field.of("Selector", "selector"), Field.of("Calldata", "felt*")));

    public OutsideExecution {
        calls = List.copyOf(calls);
    }

    /** The fields of the two structs of a version. In both, the list is the last field, and its length may stand before it. */
    private record Layout(List<Field> execution, List<Field> call) {

        String typeOfCalls() {
            return TypeTable.element(last(execution).type());
        }

        static Field last(List<Field> fields) {
            return fields.get(fields.size() - 1);
        }
    }

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException when its types are not those of a version of SNIP-9, or a value is not of its type
     */
    public static OutsideExecution of(TypedData data) {
        Layout layout = data.revision() == Revision.ACTIVE ? SECOND : FIRST;
        boolean isKnown = data.primaryType().equals(TYPE)
                && data.declares(TYPE, layout.execution())
                && data.declares(layout.typeOfCalls(), layout.call());
        check(isKnown, TYPE, "the types of SNIP-9, version 1 or 2");
        List<ContractCall> calls = new ArrayList<>();
        for (JsonNode call : list(data, layout.execution(), data.message())) {
            List<Felt> calldata = new ArrayList<>();
            list(data, layout.call(), call).forEach(element -> calldata.add(data.felt(FELT, element)));
            calls.add(
                    new ContractCall(felt(data, layout.call(), 0, call), felt(data, layout.call(), 1, call), calldata));
        }
        return new OutsideExecution(
                felt(data, layout.execution(), 0, data.message()),
                felt(data, layout.execution(), 2, data.message()).toBigInteger(),
                felt(data, layout.execution(), 3, data.message()).toBigInteger(),
                calls);
    }

    private static Felt felt(TypedData data, List<Field> fields, int place, JsonNode struct) {
        Field field = fields.get(place);
        return data.felt(field.type(), struct.path(field.name()));
    }

    private static JsonNode list(TypedData data, List<Field> fields, JsonNode struct) {
        Field field = Layout.last(fields);
        JsonNode list = struct.path(field.name());
        check(list.isArray(), field.name(), "a list");
        int place = fields.size() - 2;
        // The account hashes the length that the list has: another number is good for no call.
        boolean isCounted = fields.get(place).name().endsWith("_len");
        check(
                !isCounted || felt(data, fields, place, struct).equals(Felt.of(list.size())),
                fields.get(place).name(),
                "the length of the list");
        return list;
    }
}
