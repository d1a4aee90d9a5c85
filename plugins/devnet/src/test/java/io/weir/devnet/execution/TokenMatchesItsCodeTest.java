package io.weir.devnet.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.Log;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The token in Java against its compiled code, whose answers a node with an EVM gave ({@code token-calls.json}). */
class TokenMatchesItsCodeTest {
    private static final BigInteger ETHER = BigInteger.TEN.pow(18);

    @Test
    void everyCallDoesWhatTheCodeDoes() throws IOException {
        JsonNode recorded = recorded();
        List<Address> holders = List.of(
                Address.fromHex("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"),
                Address.fromHex("0x70997970c51812dc3a010c7d01b50e0d17dc79c8"),
                Address.fromHex("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"));
        BigInteger share = ETHER.multiply(BigInteger.valueOf(100_000));
        WorldState state = WorldState.EMPTY.change(
                Token.ADDRESS,
                none -> Token.genesis(holders, share)
                        .withSlot(TokenStorage.TOTAL_SUPPLY, ETHER.multiply(BigInteger.valueOf(1_000_000))));
        for (JsonNode step : recorded.get("steps")) {
            Outcome outcome = Execution.run(state, message(step));
            assertThat(outcome.succeeded()).as(step.toString()).isEqualTo(step.has("output"));
            String expected = step.get(step.has("output") ? "output" : "revert").stringValue();
            assertThat(outcome.output().hex()).as(step.toString()).isEqualTo(expected);
            assertThat(outcome.logs().stream()
                            .map(TokenMatchesItsCodeTest::json)
                            .toList())
                    .as(step.toString())
                    .isEqualTo(step.get("logs").valueStream().toList());
            state = outcome.state();
        }
        WorldState last = state;
        recorded.get("balances")
                .forEachEntry((owner, balance) -> assertThat(
                                last.account(Token.ADDRESS).slot(TokenStorage.balance(Address.fromHex(owner))))
                        .as(owner)
                        .isEqualTo(new BigInteger(balance.stringValue().substring(2), 16)));
        assertThat(recorded.get("steps").size()).isGreaterThan(50);
        assertThat(recorded.get("balances").size()).isEqualTo(4);
    }

    private static Message message(JsonNode step) {
        BigInteger value = step.has("value") ? Quantity.decode(step.get("value").stringValue()) : BigInteger.ZERO;
        Address from = Address.fromHex(step.get("from").stringValue());
        Bytes data = Bytes.fromHex(step.get("data").stringValue());
        return new Message(from, Token.ADDRESS, value, data, 0);
    }

    private static JsonNode json(Log log) {
        var json = JsonMapper.shared().createObjectNode();
        var topics = json.putArray("topics");
        log.topics().forEach(topic -> topics.add(topic.hex()));
        return json.put("data", log.data().hex());
    }

    private static JsonNode recorded() throws IOException {
        try (InputStream calls = TokenMatchesItsCodeTest.class.getResourceAsStream("token-calls.json")) {
            return JsonMapper.shared().readTree(calls);
        }
    }
}
