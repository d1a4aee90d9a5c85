package io.weir.method;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.MethodParams;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One method's row in the catalogue: every column that any part of the proxy needs. Immutable.
 *
 * @param name the name in calls
 * @param known whether the method is in the catalogue; calls of others pass as unknown
 * @param params the parameters; null if nodes check them
 * @param role the stage of its own that the method needs
 * @param cost the cost of a call, in units of a simple lookup
 * @param traits the properties of the method
 * @param lookup the way in which the method looks something up
 * @param nullMeaning the meaning of the result {@code null}
 * @param form the form of a result that is not {@code null}
 * @param cacheClass the form of the answers; null if they are never cached
 * @param blockField the part of a block that the method asks for; null if it asks for none
 * @param contracts the contracts that calls may reach
 * @param proof the evidence that proves an answer before it is served
 */
public record MethodFacts(
        String name,
        boolean known,
        @Nullable MethodParams params,
        MethodRole role,
        int cost,
        Set<MethodTrait> traits,
        LookupKind lookup,
        NullMeaning nullMeaning,
        ResultForm form,
        @Nullable CacheClass cacheClass,
        @Nullable BlockField blockField,
        ContractScope contracts,
        ProofKind proof) {

    /** Returns the facts that hold for a method outside the catalogue. */
    public static MethodFacts unknown(String name) {
        return new MethodFacts(
                name,
                false,
                null,
                MethodRole.PLAIN,
                1,
                Set.of(),
                LookupKind.NONE,
                NullMeaning.NONE,
                ResultForm.ANY,
                null,
                null,
                ContractScope.ANY,
                ProofKind.NONE);
    }

    /** Returns whether a result has the form that the method gives. */
    public boolean fits(RawJson result) {
        return result.equals(RawJson.NULL)
                ? nullMeaning != NullMeaning.NONE || form == ResultForm.ANY
                : form.fits(result);
    }

    /** Returns whether a large result may go on to the client while it arrives: nothing is read in it. */
    public boolean mayStream() {
        return repeatable() && role == MethodRole.PLAIN && (cacheClass == null || !cacheClass.namesBlock());
    }

    public boolean repeatable() {
        return traits.contains(MethodTrait.REPEATABLE);
    }

    public boolean notifiable() {
        return traits.contains(MethodTrait.NOTIFIABLE);
    }

    public boolean batchable() {
        return traits.contains(MethodTrait.BATCHABLE);
    }

    public boolean writes() {
        return traits.contains(MethodTrait.WRITES);
    }

    public boolean executes() {
        return traits.contains(MethodTrait.EXECUTES);
    }

    public boolean needsState() {
        return traits.contains(MethodTrait.NEEDS_STATE);
    }

    /** Returns the kind of data of its block that the call needs. */
    public DataKind dataKind() {
        if (needsState()) {
            return DataKind.STATE;
        }
        if (traits.contains(MethodTrait.TRACES)) {
            return DataKind.TRACES;
        }
        if (blockField == null) {
            return DataKind.NONE;
        }
        return searches() ? DataKind.LOGS : DataKind.HISTORY;
    }

    public boolean searches() {
        return traits.contains(MethodTrait.SEARCHES);
    }

    public boolean givesNumber() {
        return traits.contains(MethodTrait.GIVES_NUMBER);
    }

    public boolean givesJson() {
        return traits.contains(MethodTrait.GIVES_JSON);
    }

    /** Returns whether the results of several nodes for one final block may be compared. */
    public boolean isComparable() {
        return givesNumber() || givesJson() || traits.contains(MethodTrait.GIVES_BYTES);
    }

    /** Returns whether the answer is about the head, which the call does not name. */
    public boolean isOfHead() {
        return cacheClass != null && cacheClass.isOfHead();
    }

    /** Returns the member that holds the number of an answer's block, or of the block of its first log; null if it names none. */
    public @Nullable String numberMember() {
        return cacheClass == null ? null : cacheClass.numberMember();
    }

    /**
     * Returns whether the proxy holds calls of the method to the head. It does if the parameters name a block, if the method asks
     * for a part of a block, or if an answer names its block or is about the head.
     */
    public boolean isHeldToHead() {
        return params != null
                && (params.blockIndex() >= 0
                        || blockField != null
                        || numberMember() != null
                        || isOfHead()
                        || role == MethodRole.IN_BLOCK);
    }
}
