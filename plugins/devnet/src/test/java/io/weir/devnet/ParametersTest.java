package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.RpcException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Wrong parameters are refused in geth's words. */
class ParametersTest {
    private static final TestNode NODE = TestNode.start();
    private static final String HASH = "0x" + "ab".repeat(32);

    private static void refused(String message, String method, Object... params) {
        RpcException error = NODE.error(method, params);
        assertThat(error).hasMessage(message);
        assertThat(error.code()).isEqualTo(-32602);
    }

    @Test
    void thereMayBeNeitherTooFewNorTooMany() {
        refused("missing value for required argument 0", "eth_getBlockByHash");
        refused("missing value for required argument 1", "eth_getBlockByHash", HASH);
        refused("missing value for required argument 0", "eth_getBlockByHash", null, true);
        refused("too many arguments, want at most 2", "eth_getBlockByHash", HASH, true, 1);
        refused("too many arguments, want at most 0", "eth_chainId", 1);
        RpcException object = org.assertj.core.api.Assertions.catchThrowableOfType(
                RpcException.class,
                () -> NODE.devnet().call("eth_chainId", JsonMapper.shared().createObjectNode()));
        assertThat(object).hasMessage("non-array args");
    }

    @Test
    void hashesAndAddressesHaveTheirLength() {
        String json = "invalid argument 0: json: cannot unmarshal ";
        refused(json + "non-string into Go value of type common.Hash", "eth_getTransactionByHash", 5);
        refused(
                json + "hex string without 0x prefix into Go value of type common.Hash",
                "eth_getTransactionByHash",
                "ab");
        refused(
                json + "hex string of odd length into Go value of type common.Hash",
                "eth_getTransactionByHash",
                "0xabc");
        refused(
                json + "invalid hex string into Go value of type common.Hash",
                "eth_getTransactionByHash",
                "0x" + "zz".repeat(32));
        refused(
                "invalid argument 0: hex string has length 2, want 64 for common.Hash",
                "eth_getTransactionByHash",
                "0xab");
        refused(
                "invalid argument 0: hex string has length 64, want 40 for common.Address",
                "eth_getBalance",
                HASH,
                "latest");
    }

    @Test
    void booleansAndIndicesAreOfTheirKind() {
        refused(
                "invalid argument 1: json: cannot unmarshal string into Go value of type bool",
                "eth_getBlockByHash",
                HASH,
                "true");
        String index = "eth_getTransactionByBlockHashAndIndex";
        String json = "invalid argument 1: json: cannot unmarshal ";
        refused(json + "non-string into Go value of type hexutil.Uint", index, HASH, 0);
        refused(json + "hex number with leading zero digits into Go value of type hexutil.Uint", index, HASH, "0x00");
        refused(json + "hex string \"0x\" into Go value of type hexutil.Uint", index, HASH, "0x");
        refused(json + "hex number > 64 bits into Go value of type hexutil.Uint", index, HASH, "0x1ffffffffffffffff");
    }

    @Test
    void blocksAreTagsOrHexadecimalNumbers() {
        refused("invalid argument 0: hex string without 0x prefix", "eth_getBlockByNumber", "1", true);
        refused("invalid argument 0: hex string without 0x prefix", "eth_getBlockByNumber", 1, true);
        refused("invalid argument 0: hex string without 0x prefix", "eth_getBlockByNumber", "Latest", true);
        refused("invalid argument 0: hex number with leading zero digits", "eth_getBlockByNumber", "0x01", true);
        refused(
                "invalid argument 0: block number larger than int64",
                "eth_getBlockByNumber",
                "0xffffffffffffffff",
                true);
        refused("invalid argument 0: empty hex string", "eth_getBlockByNumber", "", true);
        String balance = "eth_getBalance";
        refused(
                "invalid argument 1: json: cannot unmarshal number into Go value of type string",
                balance,
                TestNode.TOKEN,
                1);
        refused(
                "invalid argument 1: cannot specify both BlockHash and BlockNumber, choose one or the other",
                balance,
                TestNode.TOKEN,
                "{\"blockHash\":\"" + HASH + "\",\"blockNumber\":\"0x1\"}");
        refused(
                "invalid argument 1: invalid arguments; neither block nor hash specified",
                balance,
                TestNode.TOKEN,
                "{}");
    }

    @Test
    void storagePositionsHaveAtMostThirtyTwoBytes() {
        refused(
                "unable to decode storage key: hex string too long, want at most 32 bytes",
                "eth_getStorageAt",
                TestNode.TOKEN,
                "0x" + "0".repeat(65),
                "latest");
        refused(
                "unable to decode storage key: hex string invalid",
                "eth_getStorageAt",
                TestNode.TOKEN,
                "0xg",
                "latest");
        String supply = NODE.text("eth_getStorageAt", TestNode.TOKEN, "0x0", "latest");
        for (String position : new String[] {"0x", "0x00", "0", "0x" + "0".repeat(64)}) {
            assertThat(NODE.text("eth_getStorageAt", TestNode.TOKEN, position, "latest"))
                    .isEqualTo(supply);
        }
    }

    @Test
    void membersOfACallObjectAreNamed() {
        refused(
                "invalid argument 0: json: cannot unmarshal hex number with leading zero digits into Go struct field "
                        + "TransactionArgs.gas of type hexutil.Uint64",
                "eth_estimateGas",
                "{\"gas\":\"0x01\"}");
        refused(
                "invalid argument 0: json: cannot unmarshal array into Go value of type ethapi.TransactionArgs",
                "eth_call",
                "[]",
                "latest");
        refused(
                "invalid argument 0: hex string has length 2, want 40 for common.Address",
                "eth_call",
                "{\"to\":\"0x12\"}",
                "latest");
    }
}
