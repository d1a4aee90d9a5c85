package io.weir.method.catalogue;

import io.weir.api.NetworkMethod;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.ContractScope;
import io.weir.method.LookupKind;
import io.weir.method.MethodFacts;
import io.weir.method.MethodRole;
import io.weir.method.MethodTrait;
import io.weir.method.NullMeaning;
import io.weir.method.ProofKind;
import io.weir.method.ResultForm;
import io.weir.method.params.BlockIds;
import io.weir.method.params.KindParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.Parameter;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A builder of one row of the catalogue. Confined to one thread. */
final class MethodRow {

    private static final int LOOKUP_COST = 1;

    private final String name;
    private final boolean known;
    private final int cost;
    private final EnumSet<MethodTrait> traits = EnumSet.noneOf(MethodTrait.class);
    private @Nullable List<Parameter> parameters;
    private @Nullable MethodParams kindParams;
    private MethodRole role = MethodRole.PLAIN;
    private LookupKind lookup = LookupKind.NONE;
    private NullMeaning nullMeaning = NullMeaning.NONE;
    private ResultForm form = ResultForm.ANY;
    private @Nullable CacheClass cacheClass;
    private @Nullable BlockField blockField;
    private ContractScope contracts = ContractScope.ANY;
    private ProofKind proof = ProofKind.NONE;

    private MethodRow(String name, boolean known, int cost) {
        this.name = name;
        this.known = known;
        this.cost = cost;
    }

    /**
     * Begins the row of a simple read: repeatable, and answered about as quickly as any other.
     *
     * <p>Only such reads are batchable. A node sends the answers to a batch together, so one slow call delays the others. That is
     * why calls that execute code, search, or collect state or the whole transaction pool are not batchable.
     */
    static MethodRow read(String name) {
        return new MethodRow(name, true, LOOKUP_COST).with(MethodTrait.REPEATABLE, MethodTrait.BATCHABLE);
    }

    /** Begins the row of a read that may take longer: repeatable, not batchable. */
    static MethodRow slow(String name, int cost) {
        return new MethodRow(name, true, cost).with(MethodTrait.REPEATABLE);
    }

    /**
     * Begins the row of a method that uses or changes what a node remembers. The proxy sends no call twice that a node may have
     * executed. Readable signed transactions are the exception, because their hash shows that they are the same.
     */
    static MethodRow stateful(String name) {
        return new MethodRow(name, true, LOOKUP_COST);
    }

    /** As {@link #stateful(String)}, with a cost of its own. */
    static MethodRow stateful(String name, int cost) {
        return new MethodRow(name, true, cost);
    }

    /** Begins the row of a method outside the catalogue, whose other columns still say what its errors mean. */
    static MethodRow foreign(String name) {
        return new MethodRow(name, false, LOOKUP_COST);
    }

    /**
     * Returns the row of a method of a plugin's kind of network.
     *
     * @param ids the names of blocks; null if no call is held to the head
     */
    static MethodRow of(NetworkMethod method, @Nullable BlockIds ids) {
        MethodRow row = switch (method.effect()) {
            case READ -> slow(method.name(), method.cost()).with(MethodTrait.BATCHABLE);
            case SLOW_READ -> slow(method.name(), method.cost());
            case WRITE -> stateful(method.name(), method.cost()).with(MethodTrait.WRITES);
        };
        if (ids != null) {
            row.cacheClass = switch (method.lifetime()) {
                case NONE -> null;
                case OF_BLOCK -> CacheClass.FINAL_VALUE;
                case BY_STATUS -> CacheClass.BY_STATUS;
            };
            row.kindParams = new KindParams(ids, method.parameters());
            row.role = switch (method.answer()) {
                case PLAIN -> MethodRole.PLAIN;
                case HEAD_NUMBER -> MethodRole.HEAD_NUMBER;
                case HEAD_BLOCK -> MethodRole.HEAD_BLOCK;
                case IN_BLOCK -> MethodRole.IN_BLOCK;
            };
        }
        return row;
    }

    String name() {
        return name;
    }

    /** Sets the parameters, which the proxy checks. Without them nodes do. */
    MethodRow takes(Parameter... list) {
        parameters = List.of(list);
        return this;
    }

    MethodRow with(MethodTrait... more) {
        Collections.addAll(traits, more);
        return this;
    }

    MethodRow as(MethodRole itsRole) {
        role = itsRole;
        return this;
    }

    /** Sets the kind of look-up and the meaning of {@code null}. */
    MethodRow finds(LookupKind kind, NullMeaning nothing) {
        lookup = kind;
        nullMeaning = nothing;
        return this;
    }

    /** Sets the form of the answers, which the cache stores. */
    MethodRow cached(CacheClass form) {
        cacheClass = form;
        return this;
    }

    MethodRow gives(ResultForm result) {
        form = result;
        return this;
    }

    /** Sets the part of a block that the method asks for. */
    MethodRow cut(BlockField field) {
        blockField = field;
        return this;
    }

    /** Sets the contracts that calls may reach. Without it they may reach any. */
    MethodRow reaches(ContractScope scope) {
        contracts = scope;
        return this;
    }

    /** Sets the form of an answer that is cut out of a block, which proves it. */
    MethodRow ofBlock(CacheClass form, BlockField field) {
        return cached(form).cut(field).provenBy(ProofKind.BLOCK);
    }

    MethodRow provenBy(ProofKind kind) {
        proof = kind;
        return this;
    }

    /**
     * Returns the row.
     *
     * @param ids the names of blocks in its parameters of Ethereum; null if nodes check them
     */
    MethodFacts facts(@Nullable BlockIds ids) {
        MethodParams params = ids != null && parameters != null ? MethodParams.of(ids, parameters) : kindParams;
        Set<MethodTrait> all = Collections.unmodifiableSet(EnumSet.copyOf(traits));
        return new MethodFacts(
                name,
                known,
                params,
                role,
                cost,
                all,
                lookup,
                nullMeaning,
                form,
                cacheClass,
                blockField,
                contracts,
                proof);
    }
}
