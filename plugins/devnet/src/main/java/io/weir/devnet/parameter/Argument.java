package io.weir.devnet.parameter;

import io.weir.api.RpcException;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import tools.jackson.databind.JsonNode;

/**
 * One value out of a call's parameters, to be read as what it should be. Immutable.
 *
 * @param position of the parameter that it is or is in
 * @param field empty, or the name of the member of the parameter that it is, with a dot before it
 */
record Argument(JsonNode json, int position, String field) {

    Address address() {
        return Address.wrap(fixed(Address.SIZE_BYTES, "common.Address"));
    }

    Hash32 hash() {
        return Hash32.wrap(fixed(Hash32.SIZE_BYTES, "common.Hash"));
    }

    Bytes bytes() {
        String text = text("hexutil.Bytes");
        try {
            return Bytes.wrap(HexText.bytes(text));
        } catch (HexText.Malformed e) {
            throw mismatch(e.reason(), "hexutil.Bytes");
        }
    }

    /** A number of 64 bits that is not negative as a long: no gas, index or nonce is larger here. */
    long count(String type) {
        String text = text(type);
        try {
            long value = HexText.unsignedLong(text);
            return value < 0 ? Long.MAX_VALUE : value;
        } catch (HexText.Malformed e) {
            throw mismatch(e.reason(), type);
        }
    }

    BigInteger number() {
        String text = text("*hexutil.Big");
        try {
            return HexText.number(text);
        } catch (HexText.Malformed e) {
            throw mismatch(e.reason(), "*hexutil.Big");
        }
    }

    boolean truth() {
        if (!json.isBoolean()) {
            throw mismatch(kind(), "bool");
        }
        return json.booleanValue();
    }

    /** The number of a block; geth says of this one type what is wrong, but not of which type it is. */
    long blockNumber(String text) {
        try {
            long number = HexText.unsignedLong(text);
            if (number < 0) {
                throw invalid("block number larger than int64");
            }
            return number;
        } catch (HexText.Malformed e) {
            throw invalid(e.reason());
        }
    }

    RpcException mismatch(String what, String type) {
        String target = field.isEmpty() ? "value" : "struct field " + field.substring(1);
        return invalid("json: cannot unmarshal " + what + " into Go " + target + " of type " + type);
    }

    RpcException invalid(String what) {
        return Failures.invalidParams("invalid argument " + position + ": " + what);
    }

    /** Returns the kind of the JSON value, in the words of Go's decoder. */
    String kind() {
        return switch (json.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            case STRING -> "string";
            default -> "null";
        };
    }

    private byte[] fixed(int size, String type) {
        String text = text(type);
        byte[] bytes;
        try {
            bytes = HexText.bytes(text);
        } catch (HexText.Malformed e) {
            throw mismatch(e.reason(), type);
        }
        if (bytes.length != size) {
            throw invalid("hex string has length " + 2 * bytes.length + ", want " + 2 * size + " for " + type);
        }
        return bytes;
    }

    private String text(String type) {
        if (!json.isString()) {
            throw mismatch("non-string", type);
        }
        return json.stringValue();
    }
}
