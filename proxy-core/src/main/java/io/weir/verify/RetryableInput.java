package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;

/**
 * Input of Arbitrum's submission of a retryable, which is not hashed: nodes show the fields of the transaction as a call of a
 * contract. Stateless.
 */
final class RetryableInput {

    private static final int WORD = 32;
    private static final byte[] SELECTOR = {(byte) 0xc9, (byte) 0xf9, 0x5d, 0x32};

    /** Ten fields, and this offset itself. */
    private static final long DATA_OFFSET = 11L * WORD;

    private RetryableInput() {}

    /** Requires the input to repeat the fields. */
    static void require(ObjectMembers members) throws DifferenceException {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.writeBytes(SELECTOR);
        word(input, members.hash("requestId").toArray());
        number(input, members.quantity("l1BaseFee"));
        number(input, members.quantity("depositValue"));
        number(input, members.quantity("retryValue"));
        number(input, members.quantity(members.has("maxFeePerGas") ? "maxFeePerGas" : "gasPrice"));
        number(input, members.quantity("gas"));
        number(input, members.quantity("maxSubmissionFee"));
        word(input, members.address("refundTo").toArray());
        word(input, members.address("beneficiary").toArray());
        Address to = members.optionalAddress("retryTo");
        word(input, (to == null ? Address.ZERO : to).toArray());
        number(input, BigInteger.valueOf(DATA_OFFSET));
        Bytes data = members.bytes("retryData");
        number(input, BigInteger.valueOf(data.size()));
        input.writeBytes(data.toArray());
        input.writeBytes(new byte[(WORD - data.size() % WORD) % WORD]);
        if (!members.bytes("input").equals(Bytes.wrap(input.toByteArray()))) {
            throw members.difference("input", "the fields as a call");
        }
    }

    private static void number(ByteArrayOutputStream input, BigInteger value) {
        byte[] bytes = value.toByteArray();
        int from = bytes.length > WORD ? 1 : 0;
        word(input, Bytes.copyOf(bytes, from, bytes.length).toArray());
    }

    private static void word(ByteArrayOutputStream input, byte[] value) {
        input.writeBytes(new byte[WORD - value.length]);
        input.writeBytes(value);
    }
}
