package io.weir.l2.deploy.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.RpcException;
import io.weir.l2.deploy.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is taken of a deployment's fields, and what is said of those that are wrong. */
class DeploymentReaderTest {
    private static final String ROOT = "deploy_account_transaction";
    private static final String PRIME = "0x800000000000011000000000000000000000000000000000000000000000001";

    private final DeploymentReader reader = new DeploymentReader(8);
    private final ObjectNode transaction = Samples.deployment();

    private Deployment read() {
        return reader.read(Samples.named(transaction));
    }

    private RpcException refused(JsonNode params) {
        RpcException refusal = catchThrowableOfType(RpcException.class, () -> reader.read(params));
        assertThat(refusal).as("the refusal of " + params).isNotNull();
        assertThat(refusal.code()).isEqualTo(-32602);
        return refusal;
    }

    private RpcException refused() {
        return refused(Samples.named(transaction));
    }

    private static List<String> paths(RpcException refusal) {
        return refusal.data()
                .valueStream()
                .map(problem -> problem.path("path").asString())
                .toList();
    }

    private ObjectNode bounds() {
        return (ObjectNode) transaction.path("resource_bounds");
    }

    @Test
    void whatTheRealClientSendsIsTakenAsItIs() {
        Deployment deployment = reader.read(Samples.captured());
        assertThat(deployment.normal()).isEqualTo(Samples.deployment());
        assertThat(deployment.bare()).isFalse();
        assertThat(deployment.query()).isFalse();
    }

    @Test
    void oneParameterByPositionIsTheSameAsByName() {
        ArrayNode params = transaction.arrayNode().add(transaction);
        assertThat(reader.read(params).normal()).isEqualTo(read().normal());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|deploy_account_transaction",
                "{}|deploy_account_transaction",
                "[null]|deploy_account_transaction",
                "[\"0x0\"]|deploy_account_transaction",
                "{\"deploy_account_transaction\":[]}|deploy_account_transaction",
                "{\"transaction\":{}}|params.transaction"
            })
    void parametersOfAnotherFormAreRefused(String params, String path) {
        assertThat(paths(refused(Samples.json(params)))).first().isEqualTo(path);
    }

    @Test
    void furtherParametersAreRefused() {
        assertThat(paths(refused(transaction.arrayNode().add(transaction).add(1))))
                .containsExactly("params");
        ObjectNode named = Samples.named(transaction).put("also", 1);
        assertThat(paths(refused(named))).containsExactly("params.also");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "type",
                "version",
                "signature",
                "nonce",
                "contract_address_salt",
                "class_hash",
                "constructor_calldata",
                "resource_bounds",
                "tip",
                "paymaster_data",
                "nonce_data_availability_mode",
                "fee_data_availability_mode"
            })
    void everyFieldIsNeededAndHasItsType(String field) {
        for (String value : new String[] {"null", "1", "true", "\"\"", "\"x\"", "[[]]", "[1]", "{\"a\":1}"}) {
            transaction.set(field, Samples.json(value));
            assertThat(paths(refused())).as(value).allMatch(path -> path.startsWith(ROOT + '.' + field));
        }
        transaction.remove(field);
        RpcException refusal = refused();
        assertThat(paths(refusal)).containsExactly(ROOT + '.' + field);
        assertThat(refusal.getMessage()).startsWith(ROOT + '.' + field + ": nothing (expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonce", "contract_address_salt", "class_hash"})
    void feltsAreHeldAgainstTheFieldsPrime(String field) {
        String greatest = "0x800000000000011000000000000000000000000000000000000000000000000";
        transaction.put(field, greatest);
        assertThat(read().normal().path(field).stringValue()).isEqualTo(greatest);
        for (String wrong :
                List.of(PRIME, "0x" + "f".repeat(64), "0x0" + PRIME.substring(2) + "0", "12", "0X1", "0x")) {
            transaction.put(field, wrong);
            RpcException refusal = refused();
            assertThat(paths(refusal)).containsExactly(ROOT + '.' + field);
            assertThat(refusal.getMessage())
                    .isEqualTo(ROOT + '.' + field + ": \"" + wrong
                            + "\" (expected: a felt: 0x and up to 64 hex digits, below the field's prime)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"constructor_calldata", "paymaster_data", "signature"})
    void theElementThatIsWrongIsNamed(String field) {
        transaction.set(field, Samples.json("[\"0x1\",\"" + PRIME + "\",\"0x02\",7]"));
        assertThat(paths(refused())).containsExactly(ROOT + '.' + field + "[1]", ROOT + '.' + field + "[3]");
        transaction.set(field, Samples.json("[]"));
        assertThat(read().normal().path(field)).isEmpty();
        transaction.set(field, Samples.json("[0" + ",0".repeat(8) + "]"));
        assertThat(refused().getMessage())
                .isEqualTo(ROOT + '.' + field + ": an array of 9 (expected: an array of at most 8 felts)");
    }

    @Test
    void onlySignaturesMayBeWrittenInDecimal() {
        transaction.set("signature", Samples.json("[\"255\",\"0x00ff\",\"00016\",\"0x1\"]"));
        assertThat(read().normal().path("signature")).isEqualTo(Samples.json("[\"0xff\",\"0xff\",\"0x10\",\"0x1\"]"));
        transaction.set(
                "signature", Samples.json("[\"-1\",\"1e3\",\"" + "9".repeat(77) + "\",\"" + "1".repeat(500) + "\"]"));
        assertThat(paths(refused())).hasSize(4);
        transaction.set("signature", Samples.json("[\"1\"]"));
        transaction.set("constructor_calldata", Samples.json("[\"1\"]"));
        assertThat(paths(refused())).containsExactly(ROOT + ".constructor_calldata[0]");
    }

    @Test
    void leadingZerosAreTakenAndNotSentOn() {
        transaction
                .put("nonce", "0x0000")
                .put("class_hash", "0x" + "0".repeat(63) + "A")
                .put("tip", "0x00");
        transaction.put("version", "0x03");
        ((ObjectNode) bounds().path("l1_gas")).put("max_amount", "0x0007F");
        ObjectNode normal = read().normal();
        assertThat(normal.path("nonce").stringValue()).isEqualTo("0x0");
        assertThat(normal.path("class_hash").stringValue()).isEqualTo("0xa");
        assertThat(normal.path("tip").stringValue()).isEqualTo("0x0");
        assertThat(normal.path("version").stringValue()).isEqualTo("0x3");
        assertThat(normal.at("/resource_bounds/l1_gas/max_amount").stringValue())
                .isEqualTo("0x7f");
    }

    @ParameterizedTest
    @CsvSource({
        "/tip, 16, tip",
        "/resource_bounds/l1_gas/max_amount, 16, resource_bounds.l1_gas.max_amount",
        "/resource_bounds/l2_gas/max_amount, 16, resource_bounds.l2_gas.max_amount",
        "/resource_bounds/l1_data_gas/max_price_per_unit, 32, resource_bounds.l1_data_gas.max_price_per_unit"
    })
    void numbersAreHeldAgainstTheirRange(String pointer, int digits, String path) {
        int slash = pointer.lastIndexOf('/');
        ObjectNode parent = (ObjectNode) transaction.at(pointer.substring(0, slash));
        String name = pointer.substring(slash + 1);
        parent.put(name, "0x" + "f".repeat(digits));
        assertThat(read().normal().at(pointer).stringValue()).isEqualTo("0x" + "f".repeat(digits));
        for (String wrong : List.of("0x1" + "0".repeat(digits), "0x" + "0".repeat(65), "1", "0x-1", "-0x1")) {
            parent.put(name, wrong);
            assertThat(paths(refused())).as(wrong).containsExactly(ROOT + '.' + path);
        }
    }

    @Test
    void theThirdResourceMayBeAbsentAndIsNeverAdded() {
        bounds().remove("l1_data_gas");
        assertThat(read().normal().path("resource_bounds").propertyNames()).containsExactly("l1_gas", "l2_gas");
    }

    @Test
    void resourcesAndPartsThatThereAreNotAreRefused() {
        bounds().put("l1_gas_data", "0x0");
        ((ObjectNode) bounds().path("l2_gas")).put("max_prize", "0x0");
        assertThat(paths(refused()))
                .containsExactlyInAnyOrder(
                        ROOT + ".resource_bounds.l1_gas_data", ROOT + ".resource_bounds.l2_gas.max_prize");
        bounds().remove("l1_gas_data");
        bounds().set("l2_gas", Samples.json("{\"max_amount\":\"0x0\"}"));
        assertThat(paths(refused())).containsExactly(ROOT + ".resource_bounds.l2_gas.max_price_per_unit");
        bounds().set("l2_gas", Samples.json("\"5\""));
        assertThat(paths(refused())).containsExactly(ROOT + ".resource_bounds.l2_gas");
    }

    @Test
    void boundsThatAreSingleHexStringsStayVerbatim() {
        JsonNode bare = Samples.json("{\"l2_gas\":\"0x00Ab\",\"l1_gas\":\"0x" + "f".repeat(64) + "\"}");
        transaction.set("resource_bounds", bare);
        transaction.put("nonce", "0x00");
        Deployment deployment = read();
        assertThat(deployment.bare()).isTrue();
        assertThat(deployment.normal().path("resource_bounds").toString()).isEqualTo(bare.toString());
        assertThat(deployment.normal().path("nonce").stringValue()).isEqualTo("0x0");
    }

    @Test
    void aQueryIsToldFromATransaction() {
        transaction.put("version", "0x100000000000000000000000000000003");
        assertThat(read().query()).isTrue();
        for (String wrong : List.of(
                "0x1",
                "0x2",
                "0x0",
                "0x4",
                "0x100000000000000000000000000000001",
                "0x200000000000000000000000000000003",
                "3")) {
            transaction.put("version", wrong);
            assertThat(paths(refused())).as(wrong).containsExactly(ROOT + ".version");
        }
    }

    @Test
    void allWrongFieldsAreToldAtOnceAndShort() {
        transaction.put("tip", "0x" + "1".repeat(1_000)).put("type", "INVOKE").put("fee_data_availability_mode", "L3");
        transaction.set("constructor_calldata", Samples.json("[1,2]"));
        RpcException refusal = refused();
        assertThat(refusal.getMessage())
                .isEqualTo(ROOT + ".type: \"INVOKE\" (expected: \"DEPLOY_ACCOUNT\"), and 4 more: see data");
        assertThat(paths(refusal))
                .containsExactly(
                        ROOT + ".type",
                        ROOT + ".constructor_calldata[0]",
                        ROOT + ".constructor_calldata[1]",
                        ROOT + ".tip",
                        ROOT + ".fee_data_availability_mode");
        JsonNode tip = refusal.data().get(3);
        assertThat(tip.path("expected").asString()).isEqualTo("0x and up to 64 hex digits, below 2^64");
        assertThat(tip.path("got").asString())
                .hasSizeLessThan(100)
                .startsWith("\"0x111")
                .endsWith("…\"");
    }

    @Test
    void noMoreThanAHundredAreToldInWords() {
        transaction.set("constructor_calldata", Samples.json("[0" + ",0".repeat(499) + "]"));
        RpcException refusal =
                catchThrowableOfType(RpcException.class, () -> new DeploymentReader().read(Samples.named(transaction)));
        assertThat(refusal.data()).hasSize(100);
        assertThat(refusal.getMessage()).endsWith(", and 499 more: see data");
    }

    @Test
    void aMemberThatTheTypeDoesNotKnowIsRefused() {
        transaction.set("later", Samples.json("{\"a\":[1.5]}"));
        assertThat(paths(refused())).containsExactly(ROOT + ".later");
    }

    @Test
    void boundsOfWhichOneIsASingleHexStringAreRefused() {
        bounds().put("l2_gas", "0x1");
        assertThat(paths(refused())).containsExactly(ROOT + ".resource_bounds");
    }
}
