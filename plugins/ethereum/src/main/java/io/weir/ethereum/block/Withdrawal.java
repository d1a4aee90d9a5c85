package io.weir.ethereum.block;

import io.weir.ethereum.Address;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;

/**
 * A payment out of the beacon chain (EIP-4895). Immutable.
 *
 * @param index the bits of an unsigned long
 * @param validatorIndex the bits of an unsigned long
 * @param amountGwei the bits of an unsigned long
 */
public record Withdrawal(long index, long validatorIndex, Address address, long amountGwei) {
    /** The withdrawal as it is hashed. */
    public byte[] rlp() {
        RlpWriter writer = new RlpWriter();
        write(writer);
        return writer.toByteArray();
    }

    void write(RlpWriter writer) {
        writer.nested(fields ->
                fields.unsigned(index).unsigned(validatorIndex).address(address).unsigned(amountGwei));
    }

    static Withdrawal read(RlpReader reader) {
        RlpReader fields = reader.list();
        Withdrawal read = new Withdrawal(fields.unsigned(), fields.unsigned(), fields.address(), fields.unsigned());
        fields.end();
        return read;
    }
}
