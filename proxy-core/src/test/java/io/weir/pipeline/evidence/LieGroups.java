package io.weir.pipeline.evidence;

import io.weir.verify.Lie;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Groups of false things in answers, by what can show that they are false. Stateless. */
final class LieGroups {

    /** Members of a transaction or a receipt that say where it is. */
    private static final Set<String> PLACES =
            Set.of("blockHash", "blockNumber", "transactionIndex", "blockTimestamp", "gasPrice");

    /** Members of a receipt that follow from its transaction. */
    private static final Set<String> OF_TRANSACTION =
            Set.of("transactionHash", "from", "to", "contractAddress", "type", "effectiveGasPrice", "blobGasUsed");

    private LieGroups() {}

    /** Returns the group of a lie about the answer to a method. */
    static String of(String method, Lie lie) {
        if (method.startsWith("eth_getTransactionBy")) {
            return PLACES.contains(lie.member()) ? "place" : lie.member().equals("from") ? "sender" : "transaction";
        }
        if (method.contains("Receipt")) {
            if (lie.path().contains("logs")) {
                return "logs";
            }
            boolean ofList = lie.kind() != Lie.Kind.VALUE && lie.kind() != Lie.Kind.ABSENT;
            return PLACES.contains(lie.member()) && !ofList
                    ? "place"
                    : OF_TRANSACTION.contains(lie.member()) ? "transaction" : "receipts";
        }
        if (method.equals("eth_getLogs")) {
            return "logs";
        }
        if (method.contains("Count")) {
            return "count";
        }
        if (lie.path().startsWith(".transactions[") || lie.path().equals(".transactions")) {
            return lie.member().equals("from") ? "senders" : "transactions";
        }
        return lie.path().startsWith(".uncles") ? "uncles" : "header";
    }

    /** Returns the groups of all that an answer differs in from the truth, apart from what nothing covers. */
    static Set<String> between(String method, JsonNode truth, JsonNode given) {
        List<Lie> found = new ArrayList<>();
        compare(truth, given, "", "", found);
        Set<String> groups = new TreeSet<>();
        found.forEach(lie -> groups.add(of(method, lie)));
        return groups;
    }

    private static void compare(JsonNode truth, JsonNode given, String path, String member, List<Lie> found) {
        if (truth instanceof ObjectNode object && given instanceof ObjectNode other) {
            Set<String> names = new TreeSet<>(object.propertyNames());
            names.addAll(other.propertyNames());
            names.removeAll(Lie.UNCOVERED);
            for (String name : names) {
                String at = path + "." + name;
                if (!other.hasNonNull(name) && Lie.MAY_BE_ABSENT.contains(name)) {
                    continue;
                }
                compareMember(object.get(name), other.get(name), at, name, found);
            }
        } else if (truth instanceof ArrayNode list && given instanceof ArrayNode other && list.size() == other.size()) {
            for (int i = 0; i < list.size(); i++) {
                compare(list.get(i), other.get(i), path + "[" + i + "]", member, found);
            }
        } else if (!truth.equals(given)) {
            found.add(difference(path, member, truth.isArray() ? Lie.Kind.ADDED : Lie.Kind.VALUE));
        }
    }

    private static void compareMember(JsonNode truth, JsonNode given, String path, String name, List<Lie> found) {
        if (truth == null || given == null) {
            boolean same = Objects.requireNonNullElse(truth, given).isNull();
            if (!same) {
                found.add(difference(path, name, Lie.Kind.ABSENT));
            }
        } else {
            compare(truth, given, path, name, found);
        }
    }

    private static Lie difference(String path, String member, Lie.Kind kind) {
        return new Lie(path, member, kind, () -> {}, () -> {});
    }
}
