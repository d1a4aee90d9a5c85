package io.weir.upstream.verdict;

/**
 * Meaning of one error. Immutable.
 *
 * @param nothingFound whether the node says that the requested object does not exist, as far as it knows; for a lookup that
 *     equals {@code null}
 * @param elsewhere whether another node is asked; as the class says, except that another node may accept a transaction that
 *     one node refuses
 * @param row the name of the table's row that decided
 */
public record ErrorVerdict(ErrorClass errorClass, boolean nothingFound, ErrorClass.Then elsewhere, String row) {

    /** Returns whether only the error's code says that the call is wrong. */
    public boolean isMistakeByCode() {
        return row.equals(ErrorRows.MISTAKES_BY_CODE);
    }
}
