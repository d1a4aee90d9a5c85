package io.weir.app.bounds;

import static java.util.Comparator.comparing;

import io.weir.jsonrpc.RawJson;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import java.util.ArrayList;
import java.util.List;

/** Every parameter of every method of the catalogue, behind right values of the parameters before it. Pure. */
final class CataloguePlaces {

    private static final String[] RIGHT_VALUES = {
        HostileBodies.ADDRESS,
        HostileBodies.HASH,
        "\"0x1\"",
        "\"latest\"",
        "false",
        "{}",
        "[]",
        "{\"blockStateCalls\":[]}"
    };

    private CataloguePlaces() {}

    /** Returns each as a method and its parameters, with {@code @} for the one that is meant. */
    static List<String[]> all() {
        List<String[]> places = new ArrayList<>();
        MethodCatalogue.ethereum().all().stream()
                .sorted(comparing(MethodFacts::name))
                .forEach(facts -> add(facts, places));
        return places;
    }

    private static void add(MethodFacts facts, List<String[]> places) {
        MethodParams params = facts.params();
        String before = "";
        for (int i = 0; params != null && i < params.size(); i++) {
            places.add(new String[] {facts.name(), "[" + before + "@]"});
            before += rightValue(facts.name(), params, before, i) + ",";
        }
    }

    private static String rightValue(String method, MethodParams params, String before, int index) {
        for (String value : RIGHT_VALUES) {
            try {
                params.check(RawJson.of("[" + before + value + "]"));
                return value;
            } catch (InvalidParamsException e) {
                if (!e.getMessage().startsWith("params[" + index + "]")) {
                    return value;
                }
            }
        }
        throw new AssertionError(method + ": no right value for parameter " + index);
    }
}
