package io.weir.bench.head;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/** Calls about state, blocks and logs at the head and shortly below it, in turn. Few of them differ within a block. Thread-safe. */
final class CallMix {

    private static final int KINDS = 12;
    private static final int ACCOUNTS = 50;
    private static final int DEPTH = 10;

    private final IntSupplier head;
    private final AtomicLong next = new AtomicLong();

    /** @param head the number of the newest block */
    CallMix(IntSupplier head) {
        this.head = head;
    }

    /** Returns the body of the next call. */
    String next() {
        long turn = next.getAndIncrement();
        int kind = (int) (turn % KINDS);
        long round = turn / KINDS;
        String account = account(round % ACCOUNTS);
        return switch (kind) {
            case 0, 1, 2, 3 -> call("eth_getBalance", account((4 * round + kind) % ACCOUNTS) + ",\"latest\"");
            case 4, 5 -> call("eth_call", "{\"to\":" + account + ",\"data\":\"0x0" + kind + "\"},\"latest\"");
            case 6 -> call("eth_getStorageAt", account + ",\"0x0\",\"latest\"");
            case 7 -> call("eth_getTransactionCount", account + ",\"latest\"");
            case 8 -> call("eth_getBlockByNumber", "\"latest\",true");
            case 9 -> call("eth_getBlockByNumber", below(round % DEPTH) + ",true");
            case 10 -> call("eth_getLogs", "{\"fromBlock\":" + below(DEPTH) + ",\"toBlock\":" + below(1) + "}");
            default -> call("eth_blockNumber", "");
        };
    }

    private String below(long blocks) {
        return "\"0x%x\"".formatted(head.getAsInt() - blocks);
    }

    private static String account(long number) {
        return "\"0x%040x\"".formatted(1 + number);
    }

    /** Returns the body of a call. */
    static String call(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":[%s]}".formatted(method, params);
    }
}
