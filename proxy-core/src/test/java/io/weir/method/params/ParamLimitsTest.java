package io.weir.method.params;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.ParamLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits of the parameters of one call. */
class ParamLimitsTest {

    private static final String A = '"' + ParamsTable.ADDRESS + '"';
    private static final String H = '"' + ParamsTable.HASH + '"';
    private static final Map<String, MethodParams> BY_DEFAULT = CatalogueParams.byMethod();

    /**
     * Parameter to which a limit applies.
     *
     * @param entry of a list or a map; a number takes the place of {@code #}
     * @param params entries take the place of {@code @}, and those of a second list that of {@code %}
     */
    record Place(ParamLimit limit, String method, String entry, String params) {
        String call(int first, int second) {
            return params.replace("@", entries(0, first)).replace("%", entries(first, second));
        }

        private String entries(int from, int count) {
            return IntStream.range(from, from + count)
                    .mapToObj(
                            i -> entry.replace("#40", String.format("%040x", i)).replace("#", Integer.toHexString(i)))
                    .collect(Collectors.joining(","));
        }

        @Override
        public String toString() {
            return limit + " " + method + " " + params;
        }
    }

    static List<Place> places() {
        String call = "{\"to\":" + A + "}";
        String simulation = "[{\"blockStateCalls\":[{\"calls\":[@]},{\"calls\":[%]}]},\"latest\"]";
        return List.of(
                new Place(ParamLimit.ADDRESSES, "eth_getLogs", "\"0x#40\"", "[{\"address\":[@%]}]"),
                new Place(ParamLimit.ADDRESSES, "eth_newFilter", "\"0x#40\"", "[{\"address\":[@%]}]"),
                new Place(ParamLimit.TOPICS, "eth_getLogs", H, "[{\"topics\":[[@],null,[%]]}]"),
                new Place(ParamLimit.MEMBERS, "eth_call", "\"a#\":1", "[{@%},\"latest\"]"),
                new Place(ParamLimit.MEMBERS, "eth_call", "\"a#\":1", "[{},\"latest\",{},{@%}]"),
                new Place(ParamLimit.MEMBERS, "eth_getLogs", "\"a#\":1", "[{@%}]"),
                new Place(ParamLimit.OVERRIDES, "eth_call", "\"0x#40\":{}", "[{},\"latest\",{@%}]"),
                new Place(
                        ParamLimit.OVERRIDES,
                        "eth_simulateV1",
                        "\"0x#40\":{}",
                        "[{\"blockStateCalls\":[{\"stateOverrides\":{@}},{\"stateOverrides\":{%}}]},\"latest\"]"),
                new Place(
                        ParamLimit.STORAGE_SLOTS,
                        "eth_estimateGas",
                        "\"0x#\":\"0x1\"",
                        "[{},\"latest\",{" + A + ":{\"state\":{@},\"stateDiff\":{%}}}]"),
                new Place(
                        ParamLimit.ACCESS_LIST,
                        "eth_call",
                        "{\"address\":" + A + "}",
                        "[{\"accessList\":[@%]},\"latest\"]"),
                new Place(
                        ParamLimit.STORAGE_KEYS,
                        "eth_createAccessList",
                        H,
                        "[{\"accessList\":[{\"address\":" + A + ",\"storageKeys\":[@]},{\"address\":" + A
                                + ",\"storageKeys\":[%]}]},\"latest\"]"),
                new Place(
                        ParamLimit.AUTHORIZATIONS,
                        "eth_call",
                        "{\"address\":" + A + "}",
                        "[{\"authorizationList\":[@%]},\"latest\"]"),
                new Place(ParamLimit.BLOBS, "eth_call", "\"0x#40\"", "[{\"blobs\":[@],\"proofs\":[%]},\"latest\"]"),
                new Place(ParamLimit.PERCENTILES, "eth_feeHistory", "1", "[\"0x1\",\"latest\",[@%]]"),
                new Place(ParamLimit.PROOF_KEYS, "eth_getProof", "\"0x#\"", "[" + A + ",[@%],\"latest\"]"),
                new Place(ParamLimit.STORAGE_ACCOUNTS, "eth_getStorageValues", "\"0x#40\":[]", "[{@%},\"latest\"]"),
                new Place(
                        ParamLimit.SIMULATED_BLOCKS, "eth_simulateV1", "{}", "[{\"blockStateCalls\":[@%]},\"latest\"]"),
                new Place(ParamLimit.SIMULATED_CALLS, "eth_simulateV1", call, simulation));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("places")
    void asManyAsTheLimitAreTakenAndOneMoreIsRefused(Place place) throws InvalidParamsException {
        int max = place.limit().max();
        MethodParams params = BY_DEFAULT.get(place.method());
        String joined = place.params().replace("@%", "@");
        Place one = new Place(place.limit(), place.method(), place.entry(), joined);

        params.check(RawJson.of(one.call(max, 0)));
        InvalidParamsException refusal = refusal(params, one.call(max + 1, 0));

        assertThat(refusal.limit()).isEqualTo(place.limit());
        assertThat(refusal.getMessage())
                .endsWith(": " + (max + 1) + " " + place.limit().counted() + " (expected: at most " + max + ")");
    }

    @Test
    void everyLimitIsListedHereAndCountedOverTheWholeCall() throws InvalidParamsException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Set<ParamLimit> covered = places().stream().map(Place::limit).collect(Collectors.toSet());
        assertThat(covered).containsExactlyInAnyOrder(ParamLimit.values());
        for (Place place : places()) {
            if (place.params().contains("@%")) {
                continue;
            }
            int max = place.limit().max();
            MethodParams params = BY_DEFAULT.get(place.method());
            for (int i = 0; i < 12; i++) {
                int first = random.nextInt(max + max / 4);
                int second = i % 3 == 0 ? Math.max(0, max - first) : random.nextInt(max + max / 4);
                String description = "seed " + seed + ": " + place + " " + first + "+" + second + " of " + max;
                String call = place.call(first, second);
                if (first + second <= max) {
                    params.check(RawJson.of(call));
                } else {
                    InvalidParamsException refusal = refusal(params, call);
                    assertThat(refusal).as(description).isNotNull();
                    assertThat(refusal.limit()).as(description).isEqualTo(place.limit());
                    int came = first > max ? first : first + second;
                    assertThat(refusal.getMessage())
                            .as(description)
                            .endsWith(": " + came + " " + place.limit().counted() + " (expected: at most " + max + ")");
                }
            }
        }
    }

    private static InvalidParamsException refusal(MethodParams params, String call) {
        return catchThrowableOfType(InvalidParamsException.class, () -> params.check(RawJson.of(call)));
    }

    @Test
    void aRefusalSaysWhereThereAreTooMany() {
        String addresses = "[" + (A + ",").repeat(4_999) + A + "]";

        assertThat(refusal(BY_DEFAULT.get("eth_getLogs"), "[{\"address\":" + addresses + "}]"))
                .hasMessage("params[0].address: 5000 addresses (expected: at most 4096)");
    }

    @Test
    void aNameIsKnownWithoutRegardToCaseAsEqualsIgnoreCaseHasIt() throws InvalidParamsException {
        List<String> names = List.of("from", "gasPrice", "input", "maxFeePerBlobGas", "accessList");
        MethodParams params = BY_DEFAULT.get("eth_call");
        List<String> wrong = new ArrayList<>();
        for (String name : names) {
            for (int i = 0; i < name.length(); i++) {
                for (char c = ' '; c < Character.MIN_SURROGATE; c++) {
                    boolean same = Character.toLowerCase(Character.toUpperCase(c))
                            == Character.toLowerCase(Character.toUpperCase(name.charAt(i)));
                    // All that may be the same, and a sample of the others.
                    if ((same || c % 251 == 0) && c != '"' && c != '\\' && c != name.charAt(i)) {
                        String other = name.substring(0, i) + c + name.substring(i + 1);
                        boolean refused = refusal(params, "[{\"" + other + "\":\"0x1\"},\"latest\"]") != null;
                        if (refused != other.equalsIgnoreCase(name)) {
                            wrong.add(other);
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(refusal(params, "[{\"ga\u017fPrice\":\"0x1\"},\"latest\"]"))
                .hasMessage("params[0]: member ga\\u017fPrice (expected: gasPrice)");
    }
}
