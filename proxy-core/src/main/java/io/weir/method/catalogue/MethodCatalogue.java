package io.weir.method.catalogue;

import io.weir.api.BlockForm;
import io.weir.api.NetworkMethod;
import io.weir.api.SubscriptionForm;
import io.weir.method.MethodFacts;
import io.weir.method.MethodRole;
import io.weir.method.params.BlockIds;
import io.weir.method.params.MethodParams;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of the methods that the proxy knows. Calls of other methods pass through; they are neither repeatable nor
 * notifiable. Immutable and thread-safe.
 */
public final class MethodCatalogue {

    private static final MethodCatalogue ETHEREUM = new MethodCatalogue(BlockIds.ETHEREUM, List.of());
    private static final MethodCatalogue OTHER_KIND = new MethodCatalogue(null, List.of());

    private final Map<String, MethodFacts> rows = new LinkedHashMap<>();
    private final Collection<MethodFacts> known;

    /** @param ids the names of blocks, if the rows of Ethereum have parameters; else null */
    private MethodCatalogue(@Nullable BlockIds ids, List<MethodRow> ofKind) {
        Stream.concat(EthereumMethods.rows().stream(), ofKind.stream())
                .map(row -> row.facts(ids))
                .forEach(facts -> rows.put(facts.name(), facts));
        known = rows.values().stream().filter(MethodFacts::known).toList();
    }

    /** Returns the methods of the Ethereum namespaces, as execution clients serve them. */
    public static MethodCatalogue ethereum() {
        return ETHEREUM;
    }

    /** Returns the same methods without parameters, for chains of another kind, whose nodes may take other parameters. */
    public static MethodCatalogue otherKind() {
        return OTHER_KIND;
    }

    /**
     * Returns the methods of a kind of network: its own ones, and those of Ethereum.
     *
     * @param methods the kind's own
     * @param form the form in which its nodes name blocks; null if no call is held to the head
     * @param subscriptions the form of its subscriptions; null if there are none
     * @param checked whether nodes take Ethereum's parameters, and the proxy checks them
     */
    public static MethodCatalogue ofKind(
            List<NetworkMethod> methods,
            @Nullable BlockForm form,
            @Nullable SubscriptionForm subscriptions,
            boolean checked) {
        BlockIds ids = form == null ? null : BlockIds.of(form);
        List<MethodRow> rows = new ArrayList<>();
        methods.forEach(method -> rows.add(MethodRow.of(method, ids)));
        if (subscriptions != null) {
            List<MethodRow> ofStream = new ArrayList<>();
            subscriptions
                    .methods()
                    .forEach(method -> ofStream.add(MethodRow.stateful(method).as(MethodRole.SUBSCRIBE)));
            subscriptions
                    .passed()
                    .forEach(one -> ofStream.add(
                            MethodRow.stateful(one.topic().method()).as(MethodRole.SUBSCRIBE)));
            ofStream.add(MethodRow.stateful(subscriptions.ending()).as(MethodRole.UNSUBSCRIBE));
            // Those of Ethereum have their rows.
            ofStream.removeIf(row -> listsName(row.name()));
            rows.addAll(ofStream);
        }
        MethodCatalogue plain = checked ? ETHEREUM : OTHER_KIND;
        boolean isPlain = rows.isEmpty() && (!checked || BlockForm.ETHEREUM.equals(form));
        return isPlain ? plain : new MethodCatalogue(checked ? ids : null, rows);
    }

    /** Returns the facts of a method of Ethereum apart from its parameters, which hold for chains of every kind. */
    public static MethodFacts ofName(String method) {
        return OTHER_KIND.facts(method);
    }

    /** Returns whether a method has a row, whatever the kind of network. */
    public static boolean listsName(String method) {
        return OTHER_KIND.rows.containsKey(method);
    }

    /** Returns the facts of a method; those of an unknown one if it is not in the catalogue. */
    public MethodFacts facts(String method) {
        MethodFacts facts = rows.get(method);
        return facts == null ? MethodFacts.unknown(method) : facts;
    }

    /** Returns the methods whose calls may share a batch to a node with other calls. */
    public Set<String> batchable() {
        return rows.values().stream()
                .filter(MethodFacts::batchable)
                .map(MethodFacts::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    public boolean knows(String method) {
        MethodFacts facts = rows.get(method);
        return facts != null && facts.known();
    }

    /** Returns every row, those of methods outside the catalogue included. */
    Collection<MethodFacts> rows() {
        return Collections.unmodifiableCollection(rows.values());
    }

    /** Returns the parameters of the method with a role; null if there is none, or if its parameters are not checked. */
    public @Nullable MethodParams paramsOf(MethodRole role) {
        return all().stream()
                .filter(method -> method.role() == role)
                .map(MethodFacts::params)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    public Collection<MethodFacts> all() {
        return known;
    }
}
