package io.weir.upstream.verdict;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Row of the error table: all conditions on an error, and the class that follows from them. Immutable.
 *
 * @param name what the row recognises
 * @param codes the codes it applies to; empty for all
 * @param notCodes the codes it does not apply to
 * @param statuses the HTTP statuses it applies to; empty for all
 * @param wording phrases in message or data; {@link Wording#ANY} if they do not matter
 * @param also a further condition
 * @param nothingFound whether the node says that the requested object does not exist
 */
record ErrorRow(
        String name,
        ErrorClass errorClass,
        Set<Integer> codes,
        Set<Integer> notCodes,
        Set<Integer> statuses,
        Wording wording,
        Predicate<NodeError> also,
        boolean nothingFound) {

    /**
     * Codes of the envelope. Nodes quote the call in messages under them. Words that a client could have put there must not
     * turn such an error into a rate limit, a revert or a fault.
     */
    static final Set<Integer> QUOTING = Set.of(-32700, -32601, -32602, -32604);

    static ErrorRow row(ErrorClass errorClass, String name) {
        return new ErrorRow(name, errorClass, Set.of(), Set.of(), Set.of(), Wording.ANY, error -> true, false);
    }

    ErrorRow codes(int... only) {
        return new ErrorRow(name, errorClass, set(only), notCodes, statuses, wording, also, nothingFound);
    }

    ErrorRow notCodes(Set<Integer> excluded) {
        return new ErrorRow(name, errorClass, codes, excluded, statuses, wording, also, nothingFound);
    }

    ErrorRow statuses(int... only) {
        return new ErrorRow(name, errorClass, codes, notCodes, set(only), wording, also, nothingFound);
    }

    ErrorRow words(String... phrases) {
        return new ErrorRow(name, errorClass, codes, notCodes, statuses, Wording.of(phrases), also, nothingFound);
    }

    ErrorRow where(Predicate<NodeError> condition) {
        return new ErrorRow(name, errorClass, codes, notCodes, statuses, wording, condition, nothingFound);
    }

    ErrorRow findsNothing() {
        return new ErrorRow(name, errorClass, codes, notCodes, statuses, wording, also, true);
    }

    private static Set<Integer> set(int... numbers) {
        return Arrays.stream(numbers).boxed().collect(toUnmodifiableSet());
    }

    /** Returns whether the error meets all conditions. */
    boolean matches(NodeError error) {
        return (codes.isEmpty() || codes.contains(error.code()))
                && !notCodes.contains(error.code())
                && (statuses.isEmpty() || statuses.contains(error.status()))
                && also.test(error)
                && (wording.isAny() || wordsCount(error))
                && error.says(wording);
    }

    /**
     * Ignores words under a method name that the caller invented. The caller may have caused them, so they say nothing about
     * the node.
     */
    private boolean wordsCount(NodeError error) {
        return errorClass.effect() == Verdict.Effect.ANSWERED || error.isOfKnownMethods();
    }
}
