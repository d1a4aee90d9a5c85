package io.weir.ethereum.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Hex;
import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.signature.SignatureRule;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransactionTest {
    private static final BigInteger KEY = new BigInteger("46".repeat(32), 16);
    private static final Address TO = Address.fromHex("0x" + "35".repeat(20));

    /** The example written out in EIP-155. */
    @Test
    void theExampleOfEip155Holds() {
        Transaction unsigned = eip155();
        assertThat(unsigned.signingHash())
                .isEqualTo(Hash32.fromHex("0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53"));
        Transaction signed = unsigned.sign(KEY);
        assertThat(signed.v()).isEqualTo(37);
        assertThat(Hex.encode(signed.encoded()))
                .isEqualTo("0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080"
                        + "25a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276"
                        + "a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83");
    }

    @ParameterizedTest
    @EnumSource(TransactionType.class)
    void everyTypeIsReadBackAsItWasSigned(TransactionType type) {
        Transaction signed = full(type).build().sign(KEY);
        Transaction read = Transaction.decode(signed.encoded());
        assertThat(read).isEqualTo(signed);
        assertThat(read.sender()).isEqualTo(Secp256k1.address(KEY));
        assertThat(signed.sign(KEY)).as("signing twice changes nothing").isEqualTo(signed);
    }

    @Test
    void withoutAChainIdVIs27Or28() {
        Transaction signed = full(TransactionType.LEGACY).chainId(null).build().sign(KEY);
        assertThat(signed.v()).isBetween(BigInteger.valueOf(27), BigInteger.valueOf(28));
        assertThat(Transaction.decode(signed.encoded())).isEqualTo(signed);
        assertThat(signed.sender()).isEqualTo(Secp256k1.address(KEY));
    }

    @Test
    void aHighSPassesOnlyWhereItMayBeFromFrontier() {
        Transaction unbound = highS(full(TransactionType.LEGACY).chainId(null).build());
        assertThat(unbound.sender()).isEqualTo(Secp256k1.address(KEY));
        assertThatIllegalArgumentException().isThrownBy(() -> unbound.sender(SignatureRule.LOW_S));
        Transaction bound = highS(full(TransactionType.LEGACY).build());
        assertThatIllegalArgumentException().isThrownBy(bound::sender).withMessageContaining("EIP-2");
    }

    @Test
    void anAuthorizationNamesWhoGaveIt() {
        Authorization authorization = Authorization.sign(BigInteger.TEN, TO, 3, KEY);
        assertThat(authorization.authority()).isEqualTo(Secp256k1.address(KEY));
    }

    @Test
    void anUnsignedTransactionHasNoHash() {
        assertThatIllegalStateException()
                .isThrownBy(eip155()::hash)
                .withMessage("signature: none (expected: a signed transaction)");
    }

    @Test
    void fieldsMustSuitTheType() {
        refused(full(TransactionType.DYNAMIC_FEE).chainId(null), "chainId: none (expected: one in type 2)");
        refused(full(TransactionType.LEGACY).gasPrice(null), "gasPrice: none (expected: one in type 0)");
        refused(
                full(TransactionType.SET_CODE).gasPrice(BigInteger.ONE),
                "gasPrice: present (expected: none in type 4)");
        refused(full(TransactionType.BLOB).to(null), "to: none (expected: one in type 3)");
        refused(full(TransactionType.BLOB).maxFeePerBlobGas(null), "maxFeePerBlobGas: none (expected: one in type 3)");
        refused(
                full(TransactionType.LEGACY).accessList(List.of(new AccessListEntry(TO, List.of()))),
                "accessList: present (expected: none in type 0)");
        refused(full(TransactionType.BLOB).value(BigInteger.valueOf(-1)), "value: -1 (expected: 0 to 2^256-1)");
    }

    @Test
    void bytesThatAreNoTransactionAreRefused() {
        undecodable(new byte[0], "transaction: no bytes (expected: a type or a list)");
        undecodable(new byte[] {0x7e, (byte) 0xc0}, "transaction type: 126 (expected: 1 to 4, or a list)");
        undecodable(new byte[] {0, (byte) 0xc0}, "transaction type: 0 (expected: 1 to 4, or a list)");
        undecodable(
                RlpWriter.list(list -> list.unsigned(1).unsigned(2)),
                "rlp at byte 3: no more bytes (expected: an item)");
        byte[] longer = full(TransactionType.BLOB).build().sign(KEY).encoded();
        byte[] trailing = Arrays.copyOf(longer, longer.length + 1);
        assertThatExceptionOfType(RlpException.class)
                .isThrownBy(() -> Transaction.decode(trailing))
                .withMessageEndingWith("1 bytes too many (expected: the end)");
    }

    @Test
    void aBlobTransactionWithItsBlobsIsNotWhatIsHashed() {
        byte[] wrapped = RlpWriter.list(outer -> outer.nested(fields -> fields.unsigned(1)));
        byte[] typed = new byte[wrapped.length + 1];
        typed[0] = 3;
        System.arraycopy(wrapped, 0, typed, 1, wrapped.length);
        undecodable(typed, "blob transaction: with its blobs (expected: as it stands in a block)");
    }

    @Test
    void vMustBeOneThatATransactionCanHave() {
        for (int v : new int[] {0, 1, 26, 29, 34}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> full(TransactionType.LEGACY)
                            .legacySignature(BigInteger.valueOf(v), BigInteger.ONE, BigInteger.ONE))
                    .withMessage("v: " + v + " (expected: 27, 28 or at least 35)");
        }
    }

    private static Transaction eip155() {
        return Transaction.builder(TransactionType.LEGACY)
                .chainId(1)
                .nonce(9)
                .gasPrice(BigInteger.valueOf(20_000_000_000L))
                .gas(21_000)
                .to(TO)
                .value(BigInteger.TEN.pow(18))
                .build();
    }

    private static TransactionBuilder full(TransactionType type) {
        TransactionBuilder builder = Transaction.builder(type)
                .chainId(1337)
                .nonce(-2)
                .gas(-1)
                .to(TO)
                .value(BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE))
                .input(Bytes.fromHex("0x00"));
        if (type.hasDynamicFee()) {
            builder.maxFeePerGas(BigInteger.valueOf(300)).maxPriorityFeePerGas(BigInteger.ZERO);
        } else {
            builder.gasPrice(BigInteger.valueOf(128));
        }
        if (type != TransactionType.LEGACY) {
            builder.accessList(
                    List.of(new AccessListEntry(TO, List.of(Hash32.ZERO)), new AccessListEntry(TO, List.of())));
        }
        if (type == TransactionType.BLOB) {
            builder.maxFeePerBlobGas(BigInteger.TWO).blobVersionedHashes(List.of(Hash32.ZERO));
        }
        if (type == TransactionType.SET_CODE) {
            Authorization invalid = new Authorization(BigInteger.ZERO, TO, -1, 255, BigInteger.ZERO, BigInteger.TEN);
            builder.authorizationList(List.of(Authorization.sign(BigInteger.ZERO, TO, 0, KEY), invalid));
        }
        return builder;
    }

    private static Transaction highS(Transaction unsigned) {
        Signature low = Secp256k1.sign(unsigned.signingHash(), KEY);
        return new TransactionBuilder(unsigned)
                .signature(new Signature(1 - low.yParity(), low.r(), Secp256k1.ORDER.subtract(low.s())))
                .build();
    }

    private static void refused(TransactionBuilder builder, String message) {
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage(message);
    }

    private static void undecodable(byte[] encoded, String message) {
        assertThatExceptionOfType(RlpException.class)
                .isThrownBy(() -> Transaction.decode(encoded))
                .withMessage(message);
    }
}
