package weir.clients;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.web3j.crypto.Credentials;
import org.web3j.crypto.RawTransaction;
import org.web3j.crypto.TransactionEncoder;
import org.web3j.protocol.Web3j;
import org.web3j.protocol.core.DefaultBlockParameterName;
import org.web3j.protocol.core.methods.response.EthSendTransaction;
import org.web3j.protocol.core.methods.response.TransactionReceipt;
import org.web3j.protocol.websocket.WebSocketService;
import org.web3j.utils.Numeric;

/**
 * A user of web3j who watches blocks and logs over WebSocket. Arguments: ws://… CONTROL. Says a line of JSON for each step, as the
 * scripts of ../npm do.
 */
public final class Watching {

    private static final int ROUNDS = 10;
    private static final long CHAIN_ID = 31337;
    private static final String TOPIC = "0x" + "0".repeat(63) + "1";
    private static final String LOGGING_CODE = "0x60015f5fa100";

    /** The key of the first account that anvil fills at its start. */
    private static final String KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Web3j web3j;
    private final String control;
    private final Credentials account = Credentials.create(KEY);
    private final List<Long> blocks = new CopyOnWriteArrayList<>();
    private final List<String> logs = new CopyOnWriteArrayList<>();
    private final List<Map<String, Object>> sent = new ArrayList<>();

    private Watching(Web3j web3j, String control) {
        this.web3j = web3j;
        this.control = control;
    }

    /** Watches through ten failovers. */
    public static void main(String[] args) throws Exception {
        WebSocketService socket = new WebSocketService(args[0], false);
        socket.connect();
        new Watching(Web3j.build(socket), args[1]).watch();
        System.exit(0);
    }

    private void watch() throws IOException, InterruptedException {
        web3j.newHeadsNotifications()
                .subscribe(
                        head -> blocks.add(Numeric.decodeQuantity(
                                        head.getParams().getResult().getNumber())
                                .longValueExact()),
                        Watching::end);
        web3j.logsNotifications(List.of(), List.of(TOPIC))
                .subscribe(log -> logs.add(log.getParams().getResult().getTransactionHash()), Watching::end);
        // The library does not say when the subscriptions are open.
        for (int i = 0; i < 100 && logs.isEmpty(); i++) {
            if (i % 10 == 0) {
                send();
            }
            Thread.sleep(100);
        }
        for (int round = 0; round < ROUNDS; round++) {
            failover();
            send();
        }
        long head = failover();
        Object last = sent.get(sent.size() - 1).get("hash");
        for (int i = 0; i < 600 && !(blocks.contains(head) && logs.contains(last)); i++) {
            Thread.sleep(50);
        }
        saw("sent", sent);
        saw("head", head);
        saw("blocks", blocks);
        saw("logs", logs);
    }

    private static void end(Throwable cause) {
        cause.printStackTrace();
        System.exit(1);
    }

    private long failover() throws IOException {
        try (InputStream in = URI.create(control + "/failover").toURL().openStream()) {
            return Long.parseLong(new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim());
        }
    }

    private void send() throws IOException, InterruptedException {
        BigInteger nonce = web3j.ethGetTransactionCount(account.getAddress(), DefaultBlockParameterName.LATEST)
                .send()
                .getTransactionCount();
        BigInteger price = web3j.ethGasPrice().send().getGasPrice().shiftLeft(1);
        RawTransaction transaction = RawTransaction.createContractTransaction(
                nonce, price, BigInteger.valueOf(100_000), BigInteger.ZERO, LOGGING_CODE);
        byte[] signed = TransactionEncoder.signMessage(transaction, CHAIN_ID, account);
        EthSendTransaction answer =
                web3j.ethSendRawTransaction(Numeric.toHexString(signed)).send();
        if (answer.hasError()) {
            throw new IOException(answer.getError().getMessage());
        }
        String hash = answer.getTransactionHash();
        for (int i = 0; i < 400; i++) {
            Optional<TransactionReceipt> receipt =
                    web3j.ethGetTransactionReceipt(hash).send().getTransactionReceipt();
            if (receipt.isPresent()) {
                sent.add(new LinkedHashMap<>(Map.of(
                        "hash", hash, "block", receipt.get().getBlockNumber().longValueExact())));
                return;
            }
            Thread.sleep(50);
        }
        throw new IOException("receipt of " + hash + ": none in time");
    }

    private static void saw(String step, Object value) throws IOException {
        System.out.println(JSON.writeValueAsString(Map.of("step", step, "value", value)));
    }
}
