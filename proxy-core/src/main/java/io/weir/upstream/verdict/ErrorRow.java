package io.weir.upstream.verdict;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One row of the table: what an error must look like, all of it together, and which class it then is. Immutable.
 *
 * @param name what the row recognises
 * @param methods those that it is about; empty for all
 * @param codes those that it is about; empty for all
 * @param notCodes those that it is not about
 * @param statuses of HTTP that it is about; empty for all
 * @param wording in message or data; {@link Wording#ANY} where it does not matter
 * @param also what must be so besides
 * @param nothingFound whether the node says that what is asked for does not exist
 */
record ErrorRow(
        String name,
        ErrorClass errorClass,
        Set<String> methods,
        Set<Integer> codes,
        Set<Integer> notCodes,
        Set<Integer> statuses,
        Wording wording,
        Predicate<NodeError> also,
        boolean nothingFound) {

    static ErrorRow row(ErrorClass errorClass, String name) {
        return new ErrorRow(
                name, errorClass, Set.of(), Set.of(), Set.of(), Set.of(), Wording.ANY, error -> true, false);
    }

    ErrorRow methods(Set<String> only) {
        return new ErrorRow(name, errorClass, only, codes, notCodes, statuses, wording, also, nothingFound);
    }

    ErrorRow codes(int... only) {
        return new ErrorRow(name, errorClass, methods, set(only), notCodes, statuses, wording, also, nothingFound);
    }

    ErrorRow notCodes(Set<Integer> excluded) {
        return new ErrorRow(name, errorClass, methods, codes, excluded, statuses, wording, also, nothingFound);
    }

    ErrorRow statuses(int... only) {
        return new ErrorRow(name, errorClass, methods, codes, notCodes, set(only), wording, also, nothingFound);
    }

    ErrorRow words(String... phrases) {
        return new ErrorRow(
                name, errorClass, methods, codes, notCodes, statuses, Wording.of(phrases), also, nothingFound);
    }

    ErrorRow where(Predicate<NodeError> condition) {
        return new ErrorRow(name, errorClass, methods, codes, notCodes, statuses, wording, condition, nothingFound);
    }

    ErrorRow findsNothing() {
        return new ErrorRow(name, errorClass, methods, codes, notCodes, statuses, wording, also, true);
    }

    private static Set<Integer> set(int... numbers) {
        return Arrays.stream(numbers).boxed().collect(toUnmodifiableSet());
    }

    /** Whether the error looks so. */
    boolean matches(NodeError error) {
        return (codes.isEmpty() || codes.contains(error.code()))
                && !notCodes.contains(error.code())
                && (statuses.isEmpty() || statuses.contains(error.status()))
                && (methods.isEmpty() || methods.contains(error.method()))
                && also.test(error)
                && (wording.isAny() || mayBeTold(error))
                && error.says(wording);
    }

    /** Words under a method of the caller's own invention say nothing of the node: the caller may have brought them about. */
    private boolean mayBeTold(NodeError error) {
        return errorClass.health() == ErrorClass.Health.ANSWERED || error.isOfKnownMethods();
    }
}
