package io.weir.wallet.abi;

import io.weir.l2.Felt;
import io.weir.wallet.abi.ContractAbi.Member;
import io.weir.wallet.approval.ApprovalRequest.Argument;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the arguments of one call, element by element. Confined to one thread. */
final class ArgumentReader {
    private static final int MAX_DEPTH = 8;
    private static final Pattern LIST = Pattern.compile("core::array::(?:Array|Span)::<(.+)>");
    private static final Pattern NUMBER = Pattern.compile("core::integer::u(?:8|16|32|64|128)");
    private static final Set<String> WIDE = Set.of("core::integer::u256", "Uint256");
    private static final Set<String> PLAIN = Set.of(
            "felt",
            "core::felt252",
            "core::starknet::contract_address::ContractAddress",
            "core::starknet::class_hash::ClassHash",
            "core::starknet::eth_address::EthAddress");

    private final Map<String, List<Member>> structs;
    private final List<Felt> calldata;
    private int next;

    ArgumentReader(Map<String, List<Member>> structs, List<Felt> calldata) {
        this.structs = structs;
        this.calldata = calldata;
    }

    /** The data does not fit its description. */
    private static final class Misfit extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** All arguments; nothing where the data does not fit them, to the last element. */
    Optional<List<Argument>> read(List<Member> inputs) {
        List<Argument> arguments = new ArrayList<>();
        try {
            for (Member input : inputs) {
                arguments.add(new Argument(input.name(), shortName(input.type()), value(input.type(), 0)));
            }
        } catch (Misfit e) {
            return Optional.empty();
        }
        return next == calldata.size() ? Optional.of(arguments) : Optional.empty();
    }

    private String value(String type, int depth) throws Misfit {
        if (depth > MAX_DEPTH) {
            throw new Misfit();
        }
        Matcher list = LIST.matcher(type);
        if (WIDE.contains(type)) {
            BigInteger low = take().toBigInteger();
            return take().toBigInteger().shiftLeft(128).add(low).toString();
        } else if (PLAIN.contains(type)) {
            return take().toHex();
        } else if (NUMBER.matcher(type).matches()) {
            return take().toBigInteger().toString();
        } else if (type.equals("core::bool")) {
            return take().isZero() ? "false" : "true";
        } else if (list.matches()) {
            return list(list.group(1), depth);
        } else if (structs.containsKey(type)) {
            return struct(structs.get(type), depth);
        }
        throw new Misfit();
    }

    private String list(String elementType, int depth) throws Misfit {
        BigInteger length = take().toBigInteger();
        if (length.compareTo(BigInteger.valueOf((long) calldata.size() - next)) > 0) {
            throw new Misfit();
        }
        List<String> values = new ArrayList<>();
        for (int index = 0; index < length.intValue(); index++) {
            values.add(value(elementType, depth + 1));
        }
        return values.toString();
    }

    private String struct(List<Member> members, int depth) throws Misfit {
        List<String> values = new ArrayList<>();
        for (Member member : members) {
            values.add(member.name() + ": " + value(member.type(), depth + 1));
        }
        return "{" + String.join(", ", values) + "}";
    }

    private Felt take() throws Misfit {
        if (next >= calldata.size()) {
            throw new Misfit();
        }
        return calldata.get(next++);
    }

    private static String shortName(String type) {
        return type.replaceAll("[A-Za-z0-9_]+::(?!<)", "");
    }
}
