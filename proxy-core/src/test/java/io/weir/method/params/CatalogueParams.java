package io.weir.method.params;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import java.util.Map;
import java.util.Objects;

/** The parameters of every method in the catalogue whose calls are checked. Pure. */
final class CatalogueParams {

    private CatalogueParams() {}

    static Map<String, MethodParams> byMethod() {
        return MethodCatalogue.ethereum().all().stream()
                .filter(facts -> facts.params() != null)
                .collect(toUnmodifiableMap(MethodFacts::name, facts -> Objects.requireNonNull(facts.params())));
    }
}
