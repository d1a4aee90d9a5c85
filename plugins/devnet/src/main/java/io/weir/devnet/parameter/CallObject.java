package io.weir.devnet.parameter;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.AccessListEntry;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transaction call object: a transaction that is not sent. Members that it does not know are left aside. Immutable.
 *
 * @param from the zero address where none is named
 * @param to null to create a contract
 * @param gas the most that it may use; null where it is left to the node
 * @param maxFeePerGas the gas price, where one is named in its place; zero where there is neither
 */
public record CallObject(
        Address from,
        @Nullable Address to,
        @Nullable Long gas,
        BigInteger maxFeePerGas,
        BigInteger maxPriorityFeePerGas,
        BigInteger value,
        Bytes data,
        List<AccessListEntry> accessList) {
    public CallObject {
        accessList = List.copyOf(accessList);
    }

    static CallObject read(Argument argument) {
        if (!argument.json().isObject()) {
            throw argument.mismatch(argument.kind(), "ethapi.TransactionArgs");
        }
        Members members = new Members(argument);
        BigInteger gasPrice = members.optional("gasPrice", Argument::number);
        BigInteger cap = members.optional("maxFeePerGas", Argument::number);
        BigInteger tip = members.optional("maxPriorityFeePerGas", Argument::number);
        if (gasPrice != null && (cap != null || tip != null)) {
            throw Failures.failed("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified");
        }
        Address from = members.optional("from", Argument::address);
        BigInteger value = members.optional("value", Argument::number);
        return new CallObject(
                from == null ? Address.ZERO : from,
                members.optional("to", Argument::address),
                members.optional("gas", gas -> gas.count("hexutil.Uint64")),
                orZero(gasPrice == null ? cap : gasPrice),
                orZero(gasPrice == null ? tip : gasPrice),
                orZero(value),
                data(members),
                accessList(members));
    }

    private static Bytes data(Members members) {
        Bytes data = members.optional("data", Argument::bytes);
        Bytes input = members.optional("input", Argument::bytes);
        if (data != null && input != null && !data.equals(input)) {
            throw Failures.failed("both \"data\" and \"input\" are set and not equal. "
                    + "Please use \"input\" to pass transaction call data");
        }
        if (input != null) {
            return input;
        }
        return data == null ? Bytes.EMPTY : data;
    }

    private static List<AccessListEntry> accessList(Members members) {
        List<AccessListEntry> entries = members.optional(
                "accessList",
                list -> each(list, entry -> {
                    Members fields = new Members(entry);
                    Address address = fields.optional("address", Argument::address);
                    List<Hash32> keys = fields.optional("storageKeys", key -> each(key, Argument::hash));
                    if (address == null) {
                        throw entry.invalid("missing required field 'address' for AccessTuple");
                    }
                    return new AccessListEntry(address, keys == null ? List.of() : keys);
                }));
        return entries == null ? List.of() : entries;
    }

    private static <T> List<T> each(Argument list, Function<Argument, T> reader) {
        if (!list.json().isArray()) {
            throw list.mismatch(list.kind(), "[]");
        }
        List<T> values = new ArrayList<>();
        for (JsonNode json : list.json()) {
            values.add(reader.apply(new Argument(json, list.position(), list.field())));
        }
        return values;
    }

    private static BigInteger orZero(@Nullable BigInteger number) {
        return number == null ? BigInteger.ZERO : number;
    }

    /** The members of an object, read by name. */
    private record Members(Argument object) {
        <T> @Nullable T optional(String name, Function<Argument, T> reader) {
            JsonNode json = object.json().get(name);
            if (json == null || json.isNull()) {
                return null;
            }
            return reader.apply(new Argument(json, object.position(), ".TransactionArgs." + name));
        }
    }
}
