package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.RpcException;
import io.weir.devnet.chain.ChainBlock;
import io.weir.ethereum.Address;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** A devnet driven by hand, asked and answering JSON only. */
final class TestNode {
    static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
    static final String TOKEN = "0x7765697200000000000000000000000000000001";
    static final BigInteger KEY_0 =
            new BigInteger("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", 16);
    static final BigInteger KEY_1 =
            new BigInteger("59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d", 16);
    static final String ACCOUNT_0 = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    static final String ACCOUNT_1 = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
    static final String STRANGER = "0x00000000000000000000000000000000000abcde";
    static final ObjectMapper JSON = JsonMapper.shared();

    private static final BigInteger GWEI = BigInteger.TEN.pow(9);

    private final Devnet devnet;
    private Instant now = START;

    private TestNode(Devnet devnet) {
        this.devnet = devnet;
    }

    static TestNode start() {
        return start(Devnet.Bounds.USUAL);
    }

    /** A node with bounds of its own. */
    static TestNode start(Devnet.Bounds bounds) {
        TestNode[] self = new TestNode[1];
        self[0] = new TestNode(new Devnet(bounds, () -> self[0].now));
        return self[0];
    }

    ChainBlock mine() {
        now = now.plusSeconds(4);
        return devnet.mine();
    }

    Devnet devnet() {
        return devnet;
    }

    JsonNode call(String method, Object... params) {
        return devnet.call(method, params(params));
    }

    String text(String method, Object... params) {
        return call(method, params).stringValue();
    }

    BigInteger number(String method, Object... params) {
        return Quantity.decode(text(method, params));
    }

    RpcException error(String method, Object... params) {
        RpcException error = catchThrowableOfType(RpcException.class, () -> call(method, params));
        assertThat(error).as(method + Arrays.toString(params)).isNotNull();
        return error;
    }

    /** Text that begins like an object or array is JSON; what is a node already stays; all else is a value. */
    static ArrayNode params(Object... params) {
        ArrayNode array = JSON.createArrayNode();
        for (Object param : params) {
            if (param instanceof String text && (text.startsWith("{") || text.startsWith("["))) {
                array.add(JSON.readTree(text));
            } else {
                array.add(JSON.<JsonNode>valueToTree(param));
            }
        }
        return array;
    }

    String send(Transaction signed) {
        return text("eth_sendRawTransaction", hex(signed));
    }

    static String hex(Transaction signed) {
        return io.weir.ethereum.Hex.encode(signed.encoded());
    }

    /** A transfer of type 2 at the sender's next nonce, to be changed and signed. */
    TransactionBuilder transfer(BigInteger key, String to, long wei) {
        String sender = Secp256k1.address(key).hex();
        return Transaction.builder(TransactionType.DYNAMIC_FEE)
                .chainId(1337)
                .nonce(number("eth_getTransactionCount", sender, "pending").longValueExact())
                .maxFeePerGas(GWEI.multiply(BigInteger.TEN))
                .maxPriorityFeePerGas(GWEI)
                .gas(21_000)
                .to(Address.fromHex(to))
                .value(BigInteger.valueOf(wei));
    }

    static List<String> names(JsonNode object) {
        return object.propertyNames().stream().toList();
    }
}
