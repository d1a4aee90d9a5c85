package io.weir.ethereum.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.signature.SignatureRule;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.ContractAddress;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The same chain as JSON-RPC shows it: what a proxy can hold against the hashes from an answer alone. */
class ChainJsonTest {
    private final JsonNode json = ChainVectors.blocks();
    private final List<Block> chain = ChainVectors.chain();

    @Test
    void aHeaderIsTheSameFromJsonAndHasTheHashShown() {
        for (int i = 0; i < chain.size(); i++) {
            JsonNode block = json.get("blocks").get(i);
            BlockHeader header = JsonObjects.header(block);
            assertThat(header).isEqualTo(chain.get(i).header());
            assertThat(header.hash()).isEqualTo(JsonObjects.hash(block, "hash"));
        }
    }

    @Test
    void aHeadersFieldsAreShownAsNodesShowThem() {
        for (int i = 0; i < chain.size(); i++) {
            JsonNode block = json.get("blocks").get(i);
            chain.get(i)
                    .header()
                    .forEachHex((field, text) ->
                            assertThat(text).as(field.jsonName()).isEqualTo(JsonObjects.text(block, field.jsonName())));
        }
    }

    @Test
    void anUncleIsTheSameFromJson() {
        int checked = 0;
        for (Block block : chain) {
            JsonNode uncles =
                    json.get("uncles").path(Quantity.encode(block.header().number()));
            for (int i = 0; i < block.ommers().size(); i++, checked++) {
                assertThat(JsonObjects.header(uncles.get(i)))
                        .isEqualTo(block.ommers().get(i));
                assertThat(block.ommers().get(i).hash()).isEqualTo(JsonObjects.hash(uncles.get(i), "hash"));
            }
        }
        assertThat(checked).isEqualTo(18);
    }

    @Test
    void aTransactionIsTheSameFromJsonAndHasTheHashShown() {
        for (int i = 0; i < chain.size(); i++) {
            JsonNode transactions = json.get("blocks").get(i).get("transactions");
            assertThat(JsonObjects.list(transactions, JsonObjects::transaction))
                    .isEqualTo(chain.get(i).transactions());
            for (JsonNode transaction : transactions) {
                assertThat(JsonObjects.transaction(transaction).hash())
                        .isEqualTo(JsonObjects.hash(transaction, "hash"));
            }
        }
    }

    @Test
    void theSenderIsRecoveredFromTheSignature() {
        int checked = 0;
        for (JsonNode transaction : transactions()) {
            Transaction read = JsonObjects.transaction(transaction);
            assertThat(read.sender()).isEqualTo(JsonObjects.address(transaction, "from"));
            // The chain has been under Homestead's rule from its start.
            assertThat(read.sender(SignatureRule.LOW_S)).isEqualTo(read.sender());
            checked++;
        }
        assertThat(checked).isEqualTo(249);
    }

    @Test
    void vIsShownAsNodesShowIt() {
        for (JsonNode transaction : transactions()) {
            assertThat(Quantity.encode(JsonObjects.transaction(transaction).v()))
                    .isEqualTo(JsonObjects.text(transaction, "v"));
        }
    }

    @Test
    void anAuthorizationOfTheChainHasASigner() {
        List<Authorization> authorizations = new ArrayList<>();
        for (JsonNode transaction : transactions()) {
            authorizations.addAll(JsonObjects.transaction(transaction).authorizationList());
        }
        assertThat(authorizations).hasSize(1);
        // The account whose code the later blocks of the chain call: an account of genesis.json.
        String authority = authorizations.get(0).authority().hex().substring(2);
        assertThat(ChainVectors.genesis().get("alloc").has(authority))
                .as(authority)
                .isTrue();
    }

    @Test
    void aCreatedContractHasTheAddressShown() {
        JsonNode receipts = ChainVectors.receipts();
        int checked = 0;
        for (JsonNode block : receipts) {
            for (JsonNode receipt : block) {
                if (!receipt.get("contractAddress").isNull()) {
                    Transaction transaction = transaction(JsonObjects.hash(receipt, "transactionHash"));
                    assertThat(ContractAddress.create(transaction.sender(), transaction.nonce()))
                            .isEqualTo(JsonObjects.address(receipt, "contractAddress"));
                    checked++;
                }
            }
        }
        assertThat(checked).as("created contracts").isPositive();
    }

    @Test
    void withdrawalsAreTheSameFromJson() {
        for (int i = 0; i < chain.size(); i++) {
            JsonNode withdrawals = json.get("blocks").get(i).get("withdrawals");
            assertThat(withdrawals == null ? null : JsonObjects.list(withdrawals, JsonObjects::withdrawal))
                    .isEqualTo(chain.get(i).withdrawals());
        }
    }

    @Test
    void theSizeShownIsTheLengthOfTheBlock() {
        for (int i = 0; i < chain.size(); i++) {
            assertThat(Quantity.encode(chain.get(i).rlp().length))
                    .isEqualTo(JsonObjects.text(json.get("blocks").get(i), "size"));
        }
    }

    @Test
    void theGasPriceShownOfAFeeMarketTransactionIsNoPartOfIt() {
        for (JsonNode transaction : transactions()) {
            Transaction read = JsonObjects.transaction(transaction);
            assertThat(read.gasPrice() == null).isEqualTo(read.type().compareTo(TransactionType.DYNAMIC_FEE) >= 0);
        }
    }

    private Transaction transaction(Hash32 hash) {
        for (Block block : chain) {
            for (Transaction transaction : block.transactions()) {
                if (transaction.hash().equals(hash)) {
                    return transaction;
                }
            }
        }
        throw new AssertionError("transaction " + hash + ": none in the chain");
    }

    private List<JsonNode> transactions() {
        List<JsonNode> all = new ArrayList<>();
        json.get("blocks").forEach(block -> block.get("transactions").forEach(all::add));
        return all;
    }
}
