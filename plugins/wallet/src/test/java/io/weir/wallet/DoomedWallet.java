package io.weir.wallet;

import io.weir.wallet.testing.HttpChain;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/**
 * A wallet in a process of its own that stops in the middle of a transaction, for ever, so that it can be killed there: {@code FOLDER
 * URL before|after METHOD SENDER}.
 */
final class DoomedWallet {
    private DoomedWallet() {}

    /** Stops before a transaction leaves, or before anybody learns that it has arrived. */
    private static final class StoppingChain extends HttpChain {
        private final boolean before;

        StoppingChain(String url, boolean before) {
            super(url);
            this.before = before;
        }

        @Override
        public CompletionStage<JsonNode> call(String network, String method, JsonNode params) {
            boolean sends = method.startsWith("starknet_add");
            if (sends && before) {
                stop();
            }
            CompletionStage<JsonNode> answer = super.call(network, method, params);
            if (sends) {
                stop();
            }
            return answer;
        }

        private static void stop() {
            System.out.println("stopped");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] arguments) {
        StoppingChain chain = new StoppingChain(arguments[1], arguments[2].equals("before"));
        WalletFixture wallet = WalletFixture.start(Path.of(arguments[0]), chain, WalletFixture.QUICK);
        if (arguments[3].equals("l2Net_createAccount")) {
            wallet.begin(arguments[3], Map.of("deploy", true, "addressIndex", 0));
        } else {
            wallet.begin(arguments[3], WalletFixture.transferFrom(arguments[4]));
        }
    }
}
