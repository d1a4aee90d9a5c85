package io.weir.wallet.abi;

import io.weir.l2.Felt;
import io.weir.l2.StepBudget;
import io.weir.l2.hash.Selector;
import io.weir.wallet.approval.Content.Argument;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A contract's description of its functions and structs, as far as arguments are read by it. Immutable. */
record ContractAbi(Map<String, List<ContractAbi.Member>> functions, Map<String, List<ContractAbi.Member>> structs) {
    private static final int MAX_MEMBERS = 1_000;
    private static final int MAX_NAME = 128;
    /** The parts of what no function has: they fit no data. */
    private static final List<Member> UNREADABLE = List.of(new Member("", ""));

    /** Other names are no names of functions, but could be sentences. */
    private static final Pattern FUNCTION = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    /** A contract with this function takes calls of every name, and passes them on. */
    private static final String TAKES_ALL = "__default__";

    /** A named and typed part. */
    record Member(String name, String type) {}

    /** Reads a description; what is unknown in it is passed over, and so is all that comes when the steps are spent. */
    static ContractAbi read(JsonNode abi, StepBudget steps) {
        Map<String, List<Member>> functions = new HashMap<>();
        Map<String, List<Member>> structs = new HashMap<>();
        for (JsonNode item : abi) {
            if (!steps.spend(size(item))) {
                break;
            }
            readItem(item, functions, structs);
            // Functions of an interface stand inside of it.
            for (JsonNode inner : item.path("items")) {
                if (steps.spend(size(inner))) {
                    readItem(inner, functions, structs);
                }
            }
        }
        return new ContractAbi(functions, structs);
    }

    private static long size(JsonNode item) {
        return 1L + item.path("inputs").size() + item.path("members").size();
    }

    private static void readItem(
            JsonNode item, Map<String, List<Member>> functions, Map<String, List<Member>> structs) {
        String name = item.path("name").asString("");
        switch (item.path("type").asString("")) {
            case "function" -> functions.put(name, members(item.path("inputs")));
            case "struct" -> structs.put(name, members(item.path("members")));
            default -> {}
        }
    }

    private static List<Member> members(JsonNode list) {
        List<Member> members = new ArrayList<>();
        if (list.size() > MAX_MEMBERS) {
            return UNREADABLE;
        }
        list.forEach(member -> members.add(
                new Member(member.path("name").asString(""), member.path("type").asString(""))));
        return members.stream().anyMatch(member -> member.name().length() > MAX_NAME) ? UNREADABLE : members;
    }

    /** Returns the name of the function with this selector; nothing where it is unknown, or the steps are spent. */
    Optional<String> nameOf(Felt selector, StepBudget steps) {
        return functions.keySet().stream()
                .filter(name -> FUNCTION.matcher(name).matches()
                        && steps.spend(2 + name.length() / CallDescriber.CHARACTERS_PER_STEP)
                        && Selector.of(name).equals(selector))
                .findFirst();
    }

    /** Whether the contract has functions, and none of this name; not if the steps are spent, which may have left it out. */
    boolean lacks(String function, StepBudget steps) {
        return !steps.isSpent()
                && !functions.isEmpty()
                && !functions.containsKey(function)
                && !functions.containsKey(TAKES_ALL);
    }

    /** The arguments of a call; nothing where the function is unknown, the data does not fit it, or the steps are spent. */
    Optional<List<Argument>> decode(String function, List<Felt> calldata, StepBudget steps) {
        List<Member> inputs = functions.get(function);
        return inputs == null ? Optional.empty() : new ArgumentReader(structs, calldata, steps).read(inputs);
    }

    /** Reads the arguments of one call, element by element. Confined to one thread. */
    private static final class ArgumentReader {
        private static final int MAX_DEPTH = 8;
        /** Structs within structs multiply: these bounds hold whatever the description says. */
        private static final int MAX_VALUES = 10_000;

        private static final int MAX_CHARACTERS = 1_000_000;
        private static final int MAX_TYPE_LENGTH = 500;
        private static final int CHARACTERS_PER_STEP = 32;
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
        private final StepBudget steps;
        private int next;
        private int values;
        private long characters;

        ArgumentReader(Map<String, List<Member>> structs, List<Felt> calldata, StepBudget steps) {
            this.steps = steps;
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
                    String value = value(input.type(), 0);
                    arguments.add(new Argument(input.name(), shortName(input.type()), value));
                }
            } catch (Misfit e) {
                return Optional.empty();
            }
            return next == calldata.size() ? Optional.of(arguments) : Optional.empty();
        }

        private String value(String type, int depth) throws Misfit {
            if (depth > MAX_DEPTH || ++values > MAX_VALUES || type.length() > MAX_TYPE_LENGTH) {
                throw new Misfit();
            }
            spend(type.length());
            String text = plainValue(type, depth);
            characters += text.length();
            spend(text.length());
            if (characters > MAX_CHARACTERS) {
                throw new Misfit();
            }
            return text;
        }

        private String plainValue(String type, int depth) throws Misfit {
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
            List<String> elements = new ArrayList<>();
            for (int index = 0; index < length.intValue(); index++) {
                elements.add(value(elementType, depth + 1));
            }
            return elements.toString();
        }

        private String struct(List<Member> members, int depth) throws Misfit {
            List<String> parts = new ArrayList<>();
            for (Member member : members) {
                characters += member.name().length();
                spend(member.name().length());
                parts.add(member.name() + ": " + value(member.type(), depth + 1));
            }
            return "{" + String.join(", ", parts) + "}";
        }

        private void spend(int length) throws Misfit {
            if (!steps.spend(1 + length / CHARACTERS_PER_STEP)) {
                throw new Misfit();
            }
        }

        private Felt take() throws Misfit {
            if (next >= calldata.size()) {
                throw new Misfit();
            }
            return calldata.get(next++);
        }

        /** The type without the path of each name, read from its end: each letter is looked at once. */
        private static String shortName(String type) {
            StringBuilder shortened = new StringBuilder(type.length());
            int end = type.length();
            boolean skipping = false;
            for (int index = type.length() - 1; index >= 0; index--) {
                char letter = type.charAt(index);
                boolean isName = Character.isLetterOrDigit(letter) || letter == '_';
                if (letter == ':' && index > 0 && type.charAt(index - 1) == ':') {
                    boolean ofList = index + 1 < end && type.charAt(index + 1) == '<';
                    skipping = !ofList;
                    if (ofList) {
                        shortened.append("::");
                    }
                    index--;
                } else if (!isName || !skipping) {
                    skipping = false;
                    shortened.append(letter);
                }
            }
            return shortened.reverse().toString();
        }
    }
}
