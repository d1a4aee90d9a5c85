package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.JacksonOracle.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Holds the reader against Jackson on random and damaged texts: what is JSON, and which bytes are id and params. The reader
 * alone bounds nesting at 64 (Jackson is told to), unknown members at 32 and methods at 2048 bytes, and refuses a member
 * twice; half a surrogate pair in an escape is JSON to both.
 */
class RequestReaderDifferentialTest {

    private static final int ROUNDS = 30_000;

    private final JacksonOracle oracle = new JacksonOracle(64);
    private final RequestReader reader = new RequestReader(1000);

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aTextIsJsonToBothOrToNeither(long seed) {
        RandomJson json = new RandomJson(new Random(seed));
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] text = json.value(5).getBytes(UTF_8);
            if (!json.chance(4)) {
                text = json.damaged(text);
            }
            boolean expected = oracle.accepts(text);
            accepted += expected ? 1 : 0;
            assertThat(isJson(reader.read(text, 0, text.length)))
                    .as("seed %d, round %d: %s", seed, round, new String(text, UTF_8))
                    .isEqualTo(expected);
        }
        assertThat(accepted).as("seed %d", seed).isBetween(ROUNDS / 4, ROUNDS * 3 / 4);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4})
    void anEnvelopeIsReadAsJacksonReadsIt(long seed) {
        Random random = new Random(seed);
        RandomJson json = new RandomJson(random);
        int calls = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] text = envelope(json, random).getBytes(UTF_8);
            if (json.chance(3)) {
                text = json.damaged(text);
            }
            String context = "seed %d, round %d: %s".formatted(seed, round, new String(text, UTF_8));
            RequestBody body = reader.read(text, 0, text.length);
            if (!oracle.accepts(text)) {
                assertThat(isJson(body)).as(context).isFalse();
            } else if (oracle.tree(text).isObject()) {
                RequestItem item = ((RequestBody.Single) body).item();
                assertSameReading(item, oracle.members(text), context);
                calls += item instanceof RpcCall ? 1 : 0;
            }
        }
        assertThat(calls).as("seed %d", seed).isBetween(ROUNDS / 4, ROUNDS * 3 / 4);
    }

    private static String envelope(RandomJson json, Random random) {
        List<String> members = new ArrayList<>();
        members.add(
                name(json, "jsonrpc") + json.pick("\"2.0\"", "\"2.0\"", "\"2.0\"", "\"2.0\"", "\"2\\u002e0\"", "2.0"));
        members.add(name(json, "method") + (json.chance(3) ? json.string() : "\"eth_call\""));
        if (!json.chance(5)) {
            members.add(name(json, "id") + json.pick("1", "1.0", "null", json.string(), json.string(), "true", "[1]"));
        }
        if (!json.chance(4)) {
            members.add(name(json, "params") + (json.chance(6) ? json.value(3) : json.container(3)));
        }
        while (json.chance(3)) {
            members.add(
                    json.pick("\"x\":", "\"y\":", "\"id \":", json.chance(4) ? "\"id\":" : "\"z\":") + json.value(2));
        }
        if (json.chance(20)) {
            members.remove(random.nextInt(members.size()));
        }
        Collections.shuffle(members, random);
        return json.space() + "{" + String.join(json.space() + "," + json.space(), members) + "}" + json.space();
    }

    /** The name, at times with its first letter escaped. */
    private static String name(RandomJson json, String name) {
        String written = json.chance(8) ? "\\u%04x%s".formatted((int) name.charAt(0), name.substring(1)) : name;
        return "\"" + written + "\"" + json.space() + ":" + json.space();
    }

    private void assertSameReading(RequestItem item, List<Member> members, String context) {
        Map<String, RawJson> byName = new HashMap<>();
        members.forEach(member -> byName.put(member.name(), member.value()));
        boolean distinct = byName.size() == members.size();
        boolean valid = distinct && isValid(byName);
        if (item instanceof RpcCall call) {
            assertThat(valid).as(context).isTrue();
            assertThat(call.id()).as(context).isEqualTo(byName.get("id"));
            assertThat(call.method())
                    .as(context)
                    .isEqualTo(oracle.string(byName.get("method")).orElseThrow());
            RawJson params = byName.get("params");
            assertThat(call.params()).as(context).isEqualTo(RawJson.NULL.equals(params) ? null : params);
        } else {
            assertThat(valid).as(context).isFalse();
            long ids = members.stream()
                    .filter(member -> member.name().equals("id"))
                    .count();
            boolean sure = ids == 1 && isId(oracle.tree(byName.get("id")));
            assertThat(((InvalidRequest) item).id()).as(context).isEqualTo(sure ? byName.get("id") : RawJson.NULL);
        }
    }

    private boolean isValid(Map<String, RawJson> members) {
        return members.containsKey("jsonrpc")
                && members.containsKey("method")
                && oracle.tree(members.get("jsonrpc")).equals(oracle.tree(RawJson.of("\"2.0\"")))
                && oracle.string(members.get("method"))
                        .filter(UTF_8.newEncoder()::canEncode)
                        .isPresent()
                && (!members.containsKey("id") || isId(oracle.tree(members.get("id"))))
                && (!members.containsKey("params") || isParams(oracle.tree(members.get("params"))));
    }

    private static boolean isId(JsonNode id) {
        return id.isString() || id.isNumber() || id.isNull();
    }

    private static boolean isParams(JsonNode params) {
        return params.isContainer() || params.isNull();
    }

    private static boolean isJson(RequestBody body) {
        return !(body instanceof RequestBody.Single single
                && single.item() instanceof InvalidRequest invalid
                && (invalid.error().code() == -32700
                        || invalid.error().message().contains("nesting")));
    }
}
