package io.weir.method.params;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.InvalidParamsException;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The same call has the same bytes in any spelling. */
class NormalFormTest {

    private static final Map<String, MethodParams> METHODS = CatalogueParams.byMethod();
    private static final int CALLS = 20_000;

    @Test
    void everySpellingOfACallHasOneNormalForm() {
        long seed = System.nanoTime();
        RandomParams params = new RandomParams(new SplittableRandom(seed));
        for (int i = 0; i < CALLS; i++) {
            RandomParams.Call call = params.next();
            String of = "seed " + seed + ", call " + i + ": " + call;
            RawJson odd = normal(call.method(), call.odd(), of);
            assertThat(odd).as(of).hasToString(call.normal());
            RawJson plain = RawJson.of(call.normal());
            assertThat(normal(call.method(), plain, of)).as(of).isSameAs(plain);
            assertThat(normal(call.method(), odd, of)).as(of).isSameAs(odd);
        }
    }

    private static RawJson normal(String method, String params, String of) {
        return normal(method, RawJson.of(params), of);
    }

    private static RawJson normal(String method, RawJson params, String of) {
        try {
            return METHODS.get(method).check(params).json();
        } catch (InvalidParamsException e) {
            throw new AssertionError(of + ": " + e.getMessage(), e);
        }
    }
}
