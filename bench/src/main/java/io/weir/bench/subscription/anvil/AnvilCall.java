package io.weir.bench.subscription.anvil;

/**
 * A call to anvil. Immutable.
 *
 * @param params as JSON
 */
record AnvilCall(String method, String params) {

    String json() {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
    }
}
