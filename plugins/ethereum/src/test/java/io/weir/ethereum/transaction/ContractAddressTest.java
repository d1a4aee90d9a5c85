package io.weir.ethereum.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContractAddressTest {
    /** Widely published addresses of one creator. */
    @ParameterizedTest
    @CsvSource({
        "0,0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d",
        "1,0x343c43a37d37dff08ae8c4a11544c718abb4fcf8",
        "2,0xf778b86fa74e846c4f0a1fbd1335fe81c00a0c91"
    })
    void aCreatorsNonceNamesTheContract(long nonce, String contract) {
        Address creator = Address.fromHex("0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0");
        assertThat(ContractAddress.create(creator, nonce)).isEqualTo(Address.fromHex(contract));
    }

    @Test
    void theExamplesOfEip1014Hold() {
        assertThat(ContractAddress.create2(Address.ZERO, Hash32.ZERO, Bytes.fromHex("0x00")))
                .isEqualTo(Address.fromHex("0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38"));
        assertThat(ContractAddress.create2(
                        Address.fromHex("0xdeadbeef00000000000000000000000000000000"),
                        Hash32.ZERO,
                        Bytes.fromHex("0x00")))
                .isEqualTo(Address.fromHex("0xb928f69bb1d91cd65274e3c79d8986362984fda3"));
    }
}
