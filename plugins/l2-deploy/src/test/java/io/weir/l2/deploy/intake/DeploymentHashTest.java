package io.weir.l2.deploy.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.deploy.Samples;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Hashes and addresses of what was read, against the published ones. */
class DeploymentHashTest {
    private final DeploymentReader reader = new DeploymentReader(100);

    @Test
    void deploymentsHaveThePublishedHashesWithTwoResourcesAndWithThree() {
        int used = 0;
        int addresses = 0;
        for (JsonNode published : Samples.publishedHashes()) {
            if (!published.has("hash")) {
                // A case that is named there, and whose numbers are elsewhere: another file of those that are not at
                // hand.
                assertThat(published.has("ref")).isTrue();
                continue;
            }
            used++;
            Deployment deployment = reader.read(Samples.named(transaction(published)));
            Felt chain = Felt.parse(published.path("chainId").stringValue());
            assertThat(deployment.hash(chain, deployment.address()))
                    .as(published.path("source").stringValue())
                    .isEqualTo(Felt.parse(published.path("hash").stringValue()));
            if (published.has("contractAddress")) {
                addresses++;
                assertThat(deployment.address())
                        .isEqualTo(Felt.parse(published.path("contractAddress").stringValue()));
            }
        }
        assertThat(used).isEqualTo(2);
        assertThat(addresses).isEqualTo(1);
    }

    private static ObjectNode transaction(JsonNode published) {
        ObjectNode transaction = Samples.deployment();
        transaction.set("class_hash", published.path("classHash"));
        transaction.set("constructor_calldata", published.path("constructorCalldata"));
        transaction.set("contract_address_salt", published.path("salt"));
        transaction.set("nonce", published.path("nonce"));
        transaction.set("tip", published.path("tip"));
        transaction.set("resource_bounds", published.path("resource_bounds"));
        return transaction;
    }

    @Test
    void theThirdResourceChangesTheHashEvenWhereItIsZero() {
        Felt chain = Felt.parseHex(Samples.SEPOLIA);
        ObjectNode transaction = Samples.deployment();
        ObjectNode bounds = (ObjectNode) transaction.path("resource_bounds");
        bounds.set("l1_data_gas", Samples.json("{\"max_amount\":\"0x0\",\"max_price_per_unit\":\"0x0\"}"));
        Deployment three = reader.read(Samples.named(transaction));
        ObjectNode older = transaction.deepCopy();
        ((ObjectNode) older.path("resource_bounds")).remove("l1_data_gas");
        Deployment two = reader.read(Samples.named(older));
        assertThat(two.hash(chain, two.address())).isNotEqualTo(three.hash(chain, three.address()));
        assertThat(two.address()).isEqualTo(three.address());
    }

    @Test
    void aBoundThatIsOneHexStringLeavesOnlyTheAddress() {
        ObjectNode transaction = Samples.deployment();
        Felt address = reader.read(Samples.named(transaction)).address();
        transaction.set("resource_bounds", Samples.json("{\"l1_gas\":\"0x1\",\"l2_gas\":\"0x0\"}"));
        Deployment bare = reader.read(Samples.named(transaction));
        assertThat(bare.hash(Felt.parseHex(Samples.SEPOLIA), bare.address())).isNull();
        assertThat(bare.address()).isEqualTo(address);
    }
}
