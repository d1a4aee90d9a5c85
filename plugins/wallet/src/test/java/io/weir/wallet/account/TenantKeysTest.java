package io.weir.wallet.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.key.SeedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which key signs for an account, and what becomes of a seed that was opened. */
class TenantKeysTest {
    private static final Felt HASH = Felt.of(4711);
    private static final L2Network NETWORK = new L2Network("sepolia", Felt.ONE);
    private static final AccountKind KIND =
            new AccountKind("usual", Felt.of(9), List.of("public-key"), List.of(), "", List.of(), false);

    private final Map<String, Byte> seeds = new HashMap<>(Map.of("demo", (byte) 1, "other", (byte) 3));
    private final List<byte[]> opened = new ArrayList<>();
    private final TenantKeys keys = new TenantKeys(this::open);

    private byte[] open(String tenant) throws SeedException {
        Byte filling = seeds.get(tenant);
        if (filling == null) {
            throw new SeedException("tenant " + tenant + " has no seed");
        }
        byte[] seed = new byte[64];
        Arrays.fill(seed, filling);
        opened.add(seed);
        return seed;
    }

    private WalletAccount account(String tenant, int index) {
        Felt key = keys.publicKey(tenant, index);
        return new WalletAccount(tenant, NETWORK, KIND, index, key, KIND.address(key));
    }

    private static RpcException refusal(ThrowingCallable action) {
        RpcException refusal = catchThrowableOfType(RpcException.class, action);
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).isEqualTo(L2Networks.UNAUTHORIZED);
        return refusal;
    }

    @Test
    void anAccountsOwnKeySigns() {
        WalletAccount account = account("demo", 2);
        Signature signature = keys.sign(account, HASH);

        assertThat(StarkSigner.verify(HASH, signature, account.publicKey())).isTrue();
        assertThat(StarkSigner.verify(HASH, signature, keys.publicKey("demo", 3)))
                .isFalse();
    }

    @Test
    void everyTenantAndIndexHasAKeyOfItsOwn() {
        assertThat(List.of(
                        keys.publicKey("demo", 0),
                        keys.publicKey("demo", 1),
                        keys.publicKey("other", 0),
                        keys.publicKey("other", 1)))
                .doesNotHaveDuplicates();
    }

    @Test
    void nothingIsSignedOnceTheSeedWasReplaced() {
        WalletAccount account = account("demo", 0);
        seeds.put("demo", (byte) 2);

        assertThat(refusal(() -> keys.sign(account, HASH)))
                .hasMessage("the seed of demo is another one now (expected: that of the account)");
    }

    @Test
    void noPrivateKeyIsShownOnceTheSeedWasReplaced() {
        WalletAccount account = account("demo", 0);
        seeds.put("demo", (byte) 2);

        refusal(() -> keys.privateKey(account));
    }

    @Test
    void theKeysOfTheNewSeedAreFoundOnceTheReplacementWasSeen() {
        WalletAccount before = account("demo", 0);
        Felt second = keys.publicKey("demo", 1);
        Felt ofOther = keys.publicKey("other", 0);
        seeds.put("demo", (byte) 2);
        refusal(() -> keys.sign(before, HASH));
        opened.clear();

        WalletAccount after = account("demo", 0);
        assertThat(after.publicKey()).isNotEqualTo(before.publicKey());
        assertThat(keys.publicKey("demo", 1)).isNotEqualTo(second);
        assertThat(StarkSigner.verify(HASH, keys.sign(after, HASH), after.publicKey()))
                .isTrue();
        opened.clear();
        assertThat(keys.publicKey("other", 0)).isEqualTo(ofOther);
        assertThat(opened).as("another tenant's key is still kept").isEmpty();
    }

    @Test
    void anAccountSignsAgainOnceItsSeedIsBack() {
        WalletAccount account = account("demo", 0);
        seeds.put("demo", (byte) 2);
        refusal(() -> keys.sign(account, HASH));
        seeds.put("demo", (byte) 1);

        assertThat(StarkSigner.verify(HASH, keys.sign(account, HASH), account.publicKey()))
                .isTrue();
    }

    @Test
    void thePrivateKeyIsThatOfTheAccount() {
        WalletAccount account = account("demo", 1);
        byte[] key = keys.privateKey(account);

        assertThat(key).hasSize(32).isNotEqualTo(new byte[32]);
        assertThat(keys.privateKey(account))
                .as("a copy for each who asks")
                .isEqualTo(key)
                .isNotSameAs(key);
        assertThat(keys.privateKey(account("demo", 0))).isNotEqualTo(key);
    }

    @Test
    void aPublicKeyIsDerivedOnceAndThenKept() {
        keys.publicKey("demo", 0);
        keys.publicKey("demo", 0);

        assertThat(opened).hasSize(1);
    }

    @Test
    void everySeedThatWasOpenedIsWiped() {
        WalletAccount account = account("demo", 0);
        keys.sign(account, HASH);
        keys.privateKey(account);
        seeds.put("demo", (byte) 2);
        refusal(() -> keys.sign(account, HASH));

        assertThat(opened).hasSize(4).allSatisfy(seed -> assertThat(seed).containsOnly((byte) 0));
    }

    @Test
    void aTenantWithoutASeedIsRefusedAndTheReasonIsTheOperators() {
        WalletAccount account = account("demo", 0);
        seeds.clear();

        assertThat(refusal(() -> keys.sign(account, HASH)))
                .hasMessage("the key demo has no seed that can be opened (expected: one, as the proxy's log says)");
        assertThat(refusal(() -> keys.publicKey("stranger", 0)))
                .hasMessageStartingWith("the key stranger has no seed that can be opened");
    }
}
