package io.weir.wallet.snap;

import io.weir.api.RpcException;
import io.weir.api.setting.NearestName;
import io.weir.l2.Felt;
import io.weir.wallet.chain.SnapErrors;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The parameters of a wallet's method, by name. Whatever is wrong with one is said with its path. Thread-safe: nobody changes the
 * tree.
 */
public final class Arguments {
    /** Of two members of one name a reader may take either: what a person read elsewhere would not be what is signed. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final String PREFIX = "request.params.";
    private static final int MAX_SHOWN = 80;
    /** The most numbers of call data, because the network takes about as many in one transaction. */
    public static final int MAX_CALLDATA = 4000;

    /** The names that other libraries have for parts of a call. */
    private static final Map<String, String> FOREIGN_NAMES = Map.of(
            "calldata", "contractCallData",
            "entrypoint", "contractFuncName",
            "entry_point", "contractFuncName",
            "to", "contractAddress",
            "contract_address", "contractAddress");

    private static final int MAX_FEE_BITS = 128;
    private static final Pattern ADDRESS = Pattern.compile("0[xX][0-9a-fA-F]{1,64}|[0-9]{1,77}");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,10}");
    private static final Pattern AMOUNT = Pattern.compile("0[xX][0-9a-fA-F]{1,64}|[0-9]{1,78}");

    private final JsonNode params;
    private final String prefix;

    Arguments(JsonNode params) {
        this(params, PREFIX);
    }

    private Arguments(JsonNode params, String prefix) {
        this.params = params;
        this.prefix = prefix;
    }

    /** Returns the path of a parameter in the call. */
    public static String path(String name) {
        return PREFIX + name;
    }

    /**
     * Checks that a method has all parameters.
     *
     * @throws RpcException when one is unknown; it names a similar one, or all
     */
    void checkNames(Set<String> known) {
        for (String name : params.propertyNames()) {
            if (!known.contains(name)) {
                String shown = name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) + "…" : name;
                String usual = FOREIGN_NAMES.get(name);
                String similar = usual != null && known.contains(usual) ? usual : NearestName.nearest(shown, known);
                String all = known.isEmpty() ? "no parameters" : "one of " + String.join(", ", new TreeSet<>(known));
                throw SnapErrors.invalidParams(
                        prefix + shown + ": unknown (expected: " + (similar == null ? all : similar) + ")");
            }
        }
    }

    /**
     * Returns the objects of a list, one at least.
     *
     * @param most how many there may be
     * @param known the names of their members
     */
    public List<Arguments> objects(String name, int most, Set<String> known) {
        JsonNode list = params.path(name);
        String rule = "a list of 1 to " + most + " objects";
        if (!list.isArray()) {
            throw wrong(name, list, rule);
        }
        if (list.isEmpty() || list.size() > most) {
            throw SnapErrors.invalidParams(prefix + name + ": " + list.size() + " (expected: " + rule + ")");
        }
        List<Arguments> objects = new ArrayList<>();
        for (JsonNode element : list) {
            String path = name + "[" + objects.size() + "]";
            if (!element.isObject()) {
                throw wrong(path, element, "an object");
            }
            Arguments object = new Arguments(element, prefix + path + ".");
            object.checkNames(known);
            objects.add(object);
        }
        return objects;
    }

    /** Returns all parameters, not to be changed. */
    public JsonNode tree() {
        return params;
    }

    private Optional<JsonNode> present(String name) {
        JsonNode node = params.path(name);
        return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    private RpcException wrong(String name, JsonNode found, String rule) {
        String text = found.toString();
        String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
        return SnapErrors.invalidParams(prefix + name + ": " + shown + " (expected: " + rule + ")");
    }

    private RpcException missing(String name, String rule) {
        return SnapErrors.invalidParams(prefix + name + ": missing (expected: " + rule + ")");
    }

    /** A text that may be absent; an empty one counts as absent. */
    public Optional<String> optionalText(String name) {
        return present(name)
                .map(node -> {
                    if (!node.isString()) {
                        throw wrong(name, node, "a text");
                    }
                    return node.stringValue();
                })
                .filter(text -> !text.isBlank());
    }

    /** A text that may be absent, and is not empty. */
    public Optional<String> optionalName(String name) {
        Optional<JsonNode> node = present(name);
        if (node.isPresent() && optionalText(name).isEmpty()) {
            throw wrong(name, node.get(), "a text that is not empty");
        }
        return optionalText(name);
    }

    /** A text that must be there. */
    public String text(String name) {
        return optionalText(name).orElseThrow(() -> missing(name, "a text"));
    }

    /** The name of a contract's function. */
    public String function(String name) {
        String function = text(name);
        if (!function.matches("[A-Za-z_][A-Za-z0-9_]{0,127}")) {
            throw wrong(name, params.path(name), "the name of a contract's function");
        }
        return function;
    }

    /** The address of a contract, with or without its leading zeros. */
    public Felt address(String name) {
        return optionalAddress(name).orElseThrow(() -> missing(name, "an address"));
    }

    /** An address, see {@link #address}, that may be absent. */
    public Optional<Felt> optionalAddress(String name) {
        return optionalText(name).map(text -> {
            if (!ADDRESS.matcher(text).matches()) {
                throw wrong(name, params.path(name), "an address: 0x and up to 64 hexadecimal digits, or decimal");
            }
            return felt(name, text);
        });
    }

    /** A hash, in hexadecimal or decimal. */
    public Felt hash(String name) {
        return felt(name, text(name));
    }

    private Felt felt(String name, String text) {
        try {
            return Felt.parse(text.strip());
        } catch (IllegalArgumentException e) {
            throw wrong(name, params.path(name), "a number of the network's field");
        }
    }

    /** A whole number, as a number or as text. */
    public int integer(String name, int ifAbsent, int least, int most) {
        Optional<JsonNode> node = present(name);
        if (node.isEmpty()) {
            return ifAbsent;
        }
        String rule = "a whole number from " + least + " to " + most;
        String text =
                node.get().isString() ? node.get().stringValue() : node.get().toString();
        if (!WHOLE.matcher(text).matches()) {
            throw wrong(name, node.get(), rule);
        }
        long number = Long.parseLong(text);
        if (number < least || number > most) {
            throw wrong(name, node.get(), rule);
        }
        return (int) number;
    }

    /** A whole number that is one of a few. */
    public int choice(String name, int ifAbsent, List<Integer> choices) {
        int number = integer(name, ifAbsent, 0, Integer.MAX_VALUE);
        if (!choices.contains(number)) {
            throw wrong(name, params.path(name), "one of " + choices);
        }
        return number;
    }

    /** Whether a parameter is there. */
    public boolean has(String name) {
        return present(name).isPresent();
    }

    /** True or false; false where it is absent. */
    public boolean flag(String name) {
        return present(name)
                .map(node -> {
                    if (!node.isBoolean()) {
                        throw wrong(name, node, "true or false");
                    }
                    return node.booleanValue();
                })
                .orElse(false);
    }

    /** Numbers separated by commas, as a text or a list; empty where it is absent. */
    public List<Felt> felts(String name) {
        Optional<JsonNode> node = present(name);
        if (node.isEmpty()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        if (node.get().isArray()) {
            node.get().forEach(element -> texts.add(element.isString() ? element.stringValue() : element.toString()));
        } else if (node.get().isString()) {
            texts.addAll(List.of(node.get().stringValue().split(",")));
        } else {
            throw wrong(name, node.get(), "numbers separated by commas");
        }
        List<Felt> felts = texts.stream()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text -> felt(name, text))
                .toList();
        if (felts.size() > MAX_CALLDATA) {
            throw wrong(name, node.get(), "at most " + MAX_CALLDATA + " numbers");
        }
        return felts;
    }

    /** An amount of the fee token's smallest unit; 0 where it is absent. */
    public BigInteger fee(String name) {
        return present(name)
                .map(node -> {
                    String text = node.isString() ? node.stringValue().strip() : node.toString();
                    String rule = "a fee below 2^128, in hexadecimal or decimal";
                    if (!AMOUNT.matcher(text).matches()) {
                        throw wrong(name, node, rule);
                    }
                    boolean hex = text.startsWith("0x") || text.startsWith("0X");
                    BigInteger fee = hex ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
                    if (fee.bitLength() > MAX_FEE_BITS) {
                        throw wrong(name, node, rule);
                    }
                    return fee;
                })
                .orElse(BigInteger.ZERO);
    }

    /** A tree of JSON, as text that holds it or as it is. */
    public JsonNode json(String name) {
        JsonNode node = present(name).orElseThrow(() -> missing(name, "JSON"));
        if (node.isObject()) {
            return node;
        }
        try {
            return MAPPER.readTree(text(name));
        } catch (JacksonException e) {
            throw wrong(name, node, "JSON without repeated members");
        }
    }
}
