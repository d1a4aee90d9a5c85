package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the reader against Jackson on random and damaged replies. */
class ReplyReaderDifferentialTest {

    private static final int ROUNDS = 30_000;

    private final ReplyAgreement agreement = new ReplyAgreement();

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void aReplyIsReadAsJacksonReadsItAndStandsInAnotherEnvelope(long seed) {
        Random random = new Random(seed);
        RandomJson json = new RandomJson(random);
        int same = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] text = reply(json, random).getBytes(UTF_8);
            if (json.chance(2)) {
                text = json.damaged(text);
            }
            String context = "seed %d, round %d: %s".formatted(seed, round, new String(text, UTF_8));
            same += agreement.check(text, context) ? 1 : 0;
        }
        assertThat(same).as("seed %d", seed).isBetween(ROUNDS / 4, ROUNDS * 3 / 4);
    }

    private static String reply(RandomJson json, Random random) {
        List<String> members = new ArrayList<>();
        members.add("\"jsonrpc\":\"2.0\"");
        members.add("\"id\":" + json.pick("1", "-0", "null", json.string(), json.chance(9) ? "{}" : "2"));
        if (!json.chance(4)) {
            members.add(json.pick("\"result\":", "\"result\" : ", "\"r\\u0065sult\":") + json.value(5));
        }
        if (json.chance(4)) {
            members.add("\"error\":" + (json.chance(6) ? json.value(2) : error(json)));
        }
        if (json.chance(6)) {
            members.add("\"x\":" + json.value(3));
        }
        Collections.shuffle(members, random);
        return json.space() + "{" + String.join(json.space() + ",", members) + "}" + json.space();
    }

    private static String error(RandomJson json) {
        return "{\"code\":" + json.pick("-32000", "3", "-3e0", "1.5", "99999999999") + ",\"message\":" + json.string()
                + (json.chance(2) ? ",\"data\":" + json.value(2) : "") + "}";
    }
}
