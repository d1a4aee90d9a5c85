package io.weir.wallet.snap;

import java.util.List;
import java.util.Optional;

/** The words before the underscore of the wallet's methods. Immutable. */
public record MethodPrefix(List<String> prefixes) {
    public MethodPrefix {
        prefixes = List.copyOf(prefixes);
    }

    /**
     * The prefixes of words as settings have them: {@code l2net} as well as {@code l2Net} is {@code l2Net_}, and {@code starknet}
     * is {@code starkNet_}.
     */
    public static MethodPrefix of(List<String> words) {
        return new MethodPrefix(words.stream().map(MethodPrefix::written).toList());
    }

    private static String written(String word) {
        boolean plain = word.endsWith("net") && word.length() > 3;
        return (plain ? word.substring(0, word.length() - 3) + "Net" : word) + "_";
    }

    /** Returns the name after the prefix, or nothing if a name has none of them. */
    Optional<String> strip(String method) {
        return prefixes.stream()
                .filter(method::startsWith)
                .findFirst()
                .map(prefix -> method.substring(prefix.length()));
    }
}
