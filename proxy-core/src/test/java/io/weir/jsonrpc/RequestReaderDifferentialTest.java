package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the reader against Jackson on random and damaged texts. */
class RequestReaderDifferentialTest {

    private static final int ROUNDS = 30_000;

    private final RequestAgreement agreement = new RequestAgreement();

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
            String context = "seed %d, round %d: %s".formatted(seed, round, new String(text, UTF_8));
            accepted += agreement.checkJson(text, context) ? 1 : 0;
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
            calls += agreement.check(text, context) ? 1 : 0;
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
}
