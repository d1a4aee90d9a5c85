package io.weir.devnet.execution;

import io.weir.devnet.state.Account;
import io.weir.devnet.state.WorldState;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Objects;

/**
 * The devnet's token, an ERC-20. Its code is {@code DevnetToken.sol} beside this class, compiled. The devnet does not run it. It
 * recognises the code and does the same in Java, on the same storage. Gas is by a schedule of its own. Thread-safe.
 */
public final class Token {
    /** The token's address, from the genesis block on: "weir" and a one. */
    public static final Address ADDRESS = Address.fromHex("0x7765697200000000000000000000000000000001");

    static final Bytes CODE = compiled();

    private Token() {}

    /** The token's account at genesis: each holder with the same share. */
    public static Account genesis(Collection<Address> holders, BigInteger share) {
        Account account = Account.EMPTY
                .withNonce(1)
                .withCode(CODE)
                .withSlot(TokenStorage.DECIMALS, BigInteger.valueOf(18))
                .withSlot(TokenStorage.TOTAL_SUPPLY, share.multiply(BigInteger.valueOf(holders.size())));
        account = TokenStorage.withShortString(account, TokenStorage.NAME, ascii("Weir Devnet Token"));
        account = TokenStorage.withShortString(account, TokenStorage.SYMBOL, ascii("WDT"));
        for (Address holder : holders) {
            account = account.withSlot(TokenStorage.balance(holder), share);
        }
        return account;
    }

    /** The data of a call of {@code transfer}. */
    public static Bytes transferData(Address to, BigInteger amount) {
        return data(TokenFunction.TRANSFER, Abi.word(to.bytes()), Abi.word(amount));
    }

    /** The data of a call of {@code approve}. */
    public static Bytes approveData(Address spender, BigInteger amount) {
        return data(TokenFunction.APPROVE, Abi.word(spender.bytes()), Abi.word(amount));
    }

    /** The data of a call of {@code transferFrom}. */
    public static Bytes transferFromData(Address from, Address to, BigInteger amount) {
        return data(TokenFunction.TRANSFER_FROM, Abi.word(from.bytes()), Abi.word(to.bytes()), Abi.word(amount));
    }

    /** The storage position of an account's balance. */
    public static Hash32 balanceSlot(Address owner) {
        return TokenStorage.balance(owner);
    }

    static Outcome call(WorldState state, Message message, Address token) {
        TokenCall call = new TokenCall(state.account(token), token, message);
        try {
            Bytes output = call.run();
            return new Outcome(
                    true, call.gas(), output, state.change(token, before -> call.account()), call.logs(), null);
        } catch (Reverted e) {
            return Outcome.revert(state, call.gas(), e.payload());
        }
    }

    private static Bytes data(TokenFunction function, byte[]... words) {
        ByteBuffer data = ByteBuffer.allocate(Abi.SELECTOR_BYTES + Abi.WORD_BYTES * words.length)
                .putInt(function.selector());
        for (byte[] word : words) {
            data.put(word);
        }
        return Bytes.wrap(data.array());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Bytes compiled() {
        try (InputStream code = Token.class.getResourceAsStream("DevnetToken.hex")) {
            byte[] text = Objects.requireNonNull(code, "DevnetToken.hex").readAllBytes();
            return Bytes.fromHex("0x" + new String(text, StandardCharsets.US_ASCII).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
