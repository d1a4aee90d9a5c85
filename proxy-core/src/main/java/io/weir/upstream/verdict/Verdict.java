package io.weir.upstream.verdict;

/**
 * What one error means. Immutable.
 *
 * @param nothingFound whether the node says that what the call asks for does not exist, as far as it knows: for a lookup that
 *     is the same as {@code null}
 * @param elsewhere whether another node is asked: as the class says, but that a transaction which one node does not take may
 *     be taken by another
 * @param row the row of the table that decided, by its name
 */
public record Verdict(ErrorClass errorClass, boolean nothingFound, ErrorClass.Then elsewhere, String row) {

    /** Whether nothing but the error's code says that the call is wrong. */
    public boolean isMistakeByCode() {
        return row.equals(ErrorRows.MISTAKES_BY_CODE);
    }
}
