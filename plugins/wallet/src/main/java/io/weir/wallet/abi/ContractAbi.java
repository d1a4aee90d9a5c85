package io.weir.wallet.abi;

import io.weir.l2.Felt;
import io.weir.l2.StepBudget;
import io.weir.wallet.approval.ApprovalRequest.Argument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A contract's description of its functions and structs, as far as arguments are read by it. Immutable. */
final class ContractAbi {
    private static final int MAX_MEMBERS = 1_000;

    private final Map<String, List<Member>> functions;
    private final Map<String, List<Member>> structs;

    /** A named and typed part. */
    record Member(String name, String type) {}

    private ContractAbi(Map<String, List<Member>> functions, Map<String, List<Member>> structs) {
        this.functions = functions;
        this.structs = structs;
    }

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
            default -> {
                return;
            }
        }
    }

    private static List<Member> members(JsonNode list) {
        List<Member> members = new ArrayList<>();
        if (list.size() > MAX_MEMBERS) {
            // No function has as many: one element more than any data has makes it unreadable.
            return List.of(new Member("", ""));
        }
        list.forEach(member -> members.add(
                new Member(member.path("name").asString(""), member.path("type").asString(""))));
        return members;
    }

    /** The arguments of a call; nothing where the function is unknown, the data does not fit it, or the steps are spent. */
    Optional<List<Argument>> decode(String function, List<Felt> calldata, StepBudget steps) {
        List<Member> inputs = functions.get(function);
        return inputs == null ? Optional.empty() : new ArgumentReader(structs, calldata, steps).read(inputs);
    }
}
