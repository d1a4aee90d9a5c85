package io.weir.l2.deploy.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.deploy.Samples;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random deployments, written in random ways. */
class NormalFormPropertyTest {
    private static final int ROUNDS = 500;
    private static final Felt CHAIN = Felt.parseHex(Samples.SEPOLIA);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final DeploymentReader reader = new DeploymentReader(20);

    @Test
    void allWaysOfWritingATransactionHaveOneNormalForm() {
        for (int round = 0; round < ROUNDS; round++) {
            ObjectNode plain = random();
            Deployment expected = reader.read(Samples.named(plain));
            Deployment written = reader.read(Samples.named(rewritten(plain)));
            String which = "seed " + seed + ", round " + round + ": " + plain;
            assertThat(expected.normal()).as(which).isEqualTo(plain);
            assertThat(written.normal().toString())
                    .as(which)
                    .isEqualTo(expected.normal().toString());
            assertThat(reader.read(Samples.named(written.normal())).normal())
                    .as(which)
                    .isEqualTo(plain);
            if (round % 50 == 0) {
                assertThat(written.hash(CHAIN, written.address()))
                        .as(which)
                        .isNotNull()
                        .isEqualTo(expected.hash(CHAIN, expected.address()));
            }
        }
    }

    @Test
    void exactlyTheFieldsThatWereBrokenAreTold() {
        for (int round = 0; round < ROUNDS; round++) {
            ObjectNode transaction = rewritten(random());
            List<String> names = new ArrayList<>(transaction.propertyNames());
            Collections.shuffle(names, random);
            TreeSet<String> broken = new TreeSet<>();
            for (String name : names.subList(0, 1 + random.nextInt(4))) {
                if (random.nextBoolean()) {
                    transaction.remove(name);
                } else {
                    transaction.put(name, random.nextBoolean() ? "0x" + "f".repeat(64) : "none");
                }
                broken.add("deploy_account_transaction." + name);
            }
            RpcException refusal =
                    catchThrowableOfType(RpcException.class, () -> reader.read(Samples.named(transaction)));
            String which = "seed " + seed + ", round " + round + ": " + transaction;
            assertThat(refusal).as(which).isNotNull();
            assertThat(refusal.data()
                            .valueStream()
                            .map(problem -> problem.path("path").asString()))
                    .as(which)
                    .containsExactlyInAnyOrderElementsOf(broken);
        }
    }

    private ObjectNode random() {
        ObjectNode transaction = Samples.deployment();
        for (String name : List.of("nonce", "contract_address_salt", "class_hash")) {
            transaction.put(name, hex(251));
        }
        for (String name : List.of("signature", "constructor_calldata", "paymaster_data")) {
            ArrayNode felts = transaction.putArray(name);
            for (int i = random.nextInt(6); i > 0; i--) {
                felts.add(hex(251));
            }
        }
        transaction.put("tip", hex(64));
        transaction.put("nonce_data_availability_mode", random.nextBoolean() ? "L1" : "L2");
        transaction.put("fee_data_availability_mode", random.nextBoolean() ? "L1" : "L2");
        ObjectNode bounds = (ObjectNode) transaction.path("resource_bounds");
        for (String name : List.of("l1_gas", "l2_gas", "l1_data_gas")) {
            bounds.putObject(name).put("max_amount", hex(64)).put("max_price_per_unit", hex(128));
        }
        if (random.nextBoolean()) {
            bounds.remove("l1_data_gas");
        }
        return transaction;
    }

    private String hex(int bits) {
        return "0x" + new BigInteger(random.nextInt(bits + 1), random).toString(16);
    }

    /** The same in other words: leading zeros, large letters, signatures in decimal, members in another order. */
    private ObjectNode rewritten(ObjectNode plain) {
        ObjectNode written = plain.objectNode();
        List<String> names = new ArrayList<>(plain.propertyNames());
        Collections.shuffle(names, random);
        for (String name : names) {
            written.set(name, rewritten(plain.path(name), name.equals("signature")));
        }
        return written;
    }

    private JsonNode rewritten(JsonNode value, boolean decimal) {
        if (value instanceof ObjectNode object) {
            return rewritten(object);
        }
        if (value instanceof ArrayNode array) {
            ArrayNode written = array.arrayNode();
            array.forEach(one -> written.add(rewritten(one, decimal)));
            return written;
        }
        String text = value.stringValue();
        if (!text.startsWith("0x")) {
            return value;
        }
        String digits = text.substring(2);
        if (decimal && random.nextBoolean()) {
            return Samples.json('"' + new BigInteger(digits, 16).toString() + '"');
        }
        String zeros = "0".repeat(random.nextInt(65 - digits.length()));
        String shown = random.nextBoolean() ? digits.toUpperCase(Locale.ROOT) : digits;
        return Samples.json("\"0x" + zeros + shown + '"');
    }
}
