package io.weir.wallet;

import java.math.BigInteger;
import java.util.Random;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Random typed messages of both revisions: fields of many types, structs inside, arrays. Confined to one thread. */
final class RandomMessages {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String[] LEGACY = {"felt", "bool", "string", "felt*", "Inner", "Inner*"};
    private static final String[] ACTIVE = {
        "felt",
        "bool",
        "string",
        "shortstring",
        "u128",
        "i128",
        "timestamp",
        "ContractAddress",
        "ClassHash",
        "u256",
        "TokenAmount",
        "selector",
        "felt*",
        "u128*",
        "Inner",
        "Inner*"
    };

    private final Random random;

    RandomMessages(Random random) {
        this.random = random;
    }

    ObjectNode next() {
        // The older revision's hash takes ten times as long, on either side.
        boolean active = random.nextInt(12) > 0;
        ObjectNode tree = JSON.objectNode();
        ObjectNode types = tree.putObject("types");
        String domainType = active ? "StarknetDomain" : "StarkNetDomain";
        String domainField = active ? "shortstring" : "felt";
        ArrayNode domainFields = types.putArray(domainType);
        ObjectNode domain = tree.putObject("domain");
        for (String name : new String[] {"name", "version", "chainId"}) {
            domainFields.addObject().put("name", name).put("type", domainField);
            domain.put(name, name.equals("chainId") ? "SN_SEPOLIA" : text(1 + random.nextInt(20)));
        }
        if (active) {
            domainFields.addObject().put("name", "revision").put("type", "shortstring");
            domain.put("revision", "1");
        }
        String[] choices = active ? ACTIVE : LEGACY;
        ArrayNode inner = types.putArray("Inner");
        inner.addObject().put("name", "a").put("type", "felt");
        inner.addObject().put("name", "b").put("type", active ? "u128" : "string");
        ArrayNode outer = types.putArray("Outer");
        ObjectNode message = tree.putObject("message");
        int fields = 1 + random.nextInt(3);
        for (int i = 0; i < fields; i++) {
            String type = choices[random.nextInt(choices.length)];
            outer.addObject().put("name", "f" + i).put("type", type);
            put(message, "f" + i, type, active);
        }
        tree.put("primaryType", "Outer");
        return tree;
    }

    private void put(ObjectNode into, String name, String type, boolean active) {
        if (type.endsWith("*")) {
            ArrayNode array = into.putArray(name);
            int length = random.nextInt(3);
            for (int i = 0; i < length; i++) {
                ObjectNode holder = JSON.objectNode();
                put(holder, "x", type.substring(0, type.length() - 1), active);
                array.add(holder.path("x"));
            }
            return;
        }
        switch (type) {
            case "Inner" -> {
                ObjectNode inner = into.putObject(name);
                put(inner, "a", "felt", active);
                put(inner, "b", active ? "u128" : "string", active);
            }
            case "u256" -> {
                ObjectNode number = into.putObject(name);
                put(number, "low", "u128", active);
                put(number, "high", "u128", active);
            }
            case "TokenAmount" -> {
                ObjectNode amount = into.putObject(name);
                put(amount, "token_address", "ContractAddress", active);
                put(amount, "amount", "u256", active);
            }
            case "bool" -> into.put(name, random.nextBoolean());
            case "string" -> into.put(name, text(active ? random.nextInt(80) : 1 + random.nextInt(31)));
            case "shortstring" -> into.put(name, text(1 + random.nextInt(31)));
            case "selector" -> into.put(name, text(1 + random.nextInt(12)));
            case "u128", "timestamp" -> into.put(name, new BigInteger(128, random).toString());
            case "i128" -> into.put(name, new BigInteger(126, random).negate().toString());
            default -> into.put(name, "0x" + new BigInteger(250, random).toString(16));
        }
    }

    /** Letters alone: a text of digits is a number to some. */
    private String text(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('g' + random.nextInt(20)));
        }
        return text.toString();
    }
}
