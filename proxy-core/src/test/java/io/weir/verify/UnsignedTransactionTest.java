package io.weir.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.verify.Verification.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Transactions of accounts without a key, as developers' nodes put them into blocks. */
class UnsignedTransactionTest {

    private static final String OF_ANVIL = """
        {"type":"0x2","chainId":"0x7a69","nonce":"0x0","gas":"0x5208","maxFeePerGas":"0x77359400",
         "maxPriorityFeePerGas":"0x3b9aca00","to":"0x0000000000000000000000000000000000000001","value":"0x1","accessList":[],
         "input":"0x","r":"0x0","s":"0x0","yParity":"0x0","v":"0x0",
         "hash":"0x0f245657c64e0c63b9d398078aaa73229c5aa37578f9a6cd84b639b64363c3ec",
         "blockHash":"0xea2078a41b9143cd1036f28b6d9c7df7f551758e255d6f0ac37c270f9d1e705c","blockNumber":"0x1",
         "transactionIndex":"0x0","from":"0x00000000000000000000000000000000deadbeef","gasPrice":"0x77359400"}\
        """;

    private static final String OF_HARDHAT = """
        {"hash":"0x5430685a30faed10779667c8be5d58655f5fd82529edfa41e07b6ee8e7aaf3b4","nonce":"0x0",
         "blockHash":"0x9272281c6db867de8c45d43a41dcce97e53aa84be7706f8ad53c83ae64c0cd0c","blockNumber":"0x1",
         "transactionIndex":"0x0","from":"0x00000000000000000000000000000000deadbeef",
         "to":"0x0000000000000000000000000000000000000001","value":"0x1","gasPrice":"0x6fc23ac0","gas":"0x1000000","input":"0x",
         "chainId":"0x7a69","type":"0x2","accessList":[],"maxFeePerGas":"0xa3e9ab80","maxPriorityFeePerGas":"0x3b9aca00",
         "v":"0x1c","r":"0xdeadbeef","s":"0xdeadbeef"}\
        """;

    private static Kind proof(JsonNode transaction) {
        return TransactionProof.check(transaction, null, ChainFamily.ETHEREUM).kind();
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_ANVIL, OF_HARDHAT})
    void nothingCanBeSaidAboutThemOnAnyChainBecauseForksKeepTheirChainId(String transaction) {
        assertThat(proof(JsonMapper.shared().readTree(transaction))).isEqualTo(Kind.UNVERIFIABLE);
    }

    @Test
    void aSignedTransactionIsProvenOrFalse() {
        ObjectNode transaction = (ObjectNode) JsonMapper.shared().readTree(OF_ANVIL);
        transaction.put("s", "0x1");
        assertThat(proof(transaction)).isEqualTo(Kind.WRONG);
    }
}
