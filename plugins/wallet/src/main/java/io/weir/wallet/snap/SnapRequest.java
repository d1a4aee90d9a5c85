package io.weir.wallet.snap;

import io.weir.api.RpcException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The request inside of {@code wallet_invokeSnap}. Immutable. */
record SnapRequest(String method, JsonNode params) {
    private static final int MAX_SHOWN = 100;

    /**
     * Takes it out of the envelope, in wallets' own words for what is wrong.
     *
     * @throws RpcException when the envelope is none, or is for another extension
     */
    static SnapRequest read(JsonNode params, String snapId) {
        JsonNode envelope = params.isArray() && params.size() == 1 ? params.path(0) : params;
        if (!envelope.isObject()) {
            throw SnapErrors.invalidParams("Expected params to be a single object.");
        }
        JsonNode id = envelope.path("snapId");
        if (!id.isString() || id.stringValue().isEmpty()) {
            throw SnapErrors.invalidParams("Must specify a valid snap ID.");
        }
        JsonNode request = envelope.path("request");
        if (!request.isObject()) {
            throw SnapErrors.invalidParams("Expected request to be a single object.");
        }
        if (!id.stringValue().equals(snapId)) {
            throw new RpcException(
                    SnapErrors.INVALID_REQUEST,
                    "The snap \"" + shown(id.stringValue())
                            + "\" is not installed. Please install it first, before invoking the snap.");
        }
        JsonNode method = request.path("method");
        if (!method.isString()) {
            throw SnapErrors.invalidParams("request.method: expected a text");
        }
        return new SnapRequest(method.stringValue(), innerParams(request.path("params")));
    }

    private static JsonNode innerParams(JsonNode params) {
        JsonNode inner = params.isArray() && params.size() == 1 ? params.path(0) : params;
        boolean none = inner.isMissingNode() || inner.isNull() || (inner.isArray() && inner.isEmpty());
        if (!none && !inner.isObject()) {
            throw SnapErrors.invalidParams("request.params: expected an object");
        }
        return none ? JsonNodeFactory.instance.objectNode() : inner;
    }

    static String shown(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    }
}
