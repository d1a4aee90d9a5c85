package io.weir.wallet;

import io.weir.api.RpcException;
import io.weir.wallet.testing.HttpChain;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A wallet in a process of its own that sends one transfer after the other, until it is killed: {@code FOLDER URL SENDER FIRST}. It says
 * when a request begins and ends, and repeats one that fails. The number of a request is its id.
 */
final class BusyWallet {
    private BusyWallet() {}

    public static void main(String[] arguments) {
        WalletFixture wallet =
                WalletFixture.start(Path.of(arguments[0]), new HttpChain(arguments[1]), WalletFixture.QUICK);
        for (int number = Integer.parseInt(arguments[3]); ; number++) {
            System.out.println("began " + number);
            while (!isSent(wallet, transfer(arguments[2], number))) {
                System.out.println("failed " + number);
            }
            System.out.println("sent " + number);
        }
    }

    private static boolean isSent(WalletFixture wallet, Map<String, Object> transfer) {
        try {
            wallet.call("l2Net_sendTransaction", transfer);
            return true;
        } catch (RpcException e) {
            return false;
        }
    }

    /** The parameters of a request, the same at each of its calls. */
    static Map<String, Object> transfer(String sender, int number) {
        Map<String, Object> params = new HashMap<>(WalletFixture.transferFrom(sender));
        params.put("requestId", "request-" + number);
        return params;
    }
}
