package io.weir.devnet.execution;

import io.weir.devnet.state.Account;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.Log;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One call of the {@link Token}: the account as it changes, the logs, the gas. Confined to one thread. */
final class TokenCall {
    private static final Hash32 TRANSFER = event("Transfer(address,address,uint256)");
    private static final Hash32 APPROVAL = event("Approval(address,address,uint256)");
    private static final BigInteger UNLIMITED = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);

    private static final int DISPATCH_GAS = 300;
    private static final int READ_GAS = 2_100;
    private static final int NEW_SLOT_GAS = 20_000;
    private static final int CHANGED_SLOT_GAS = 2_900;
    private static final int LOG_GAS = 375 * 4 + 8 * Abi.WORD_BYTES;

    private final Address token;
    private final Address caller;
    private final BigInteger value;
    private final byte[] data;
    private final List<Log> logs = new ArrayList<>();
    private Account account;
    private long gas = DISPATCH_GAS;

    TokenCall(Account account, Address token, Message message) {
        this.account = account;
        this.token = token;
        caller = message.from();
        value = message.value();
        data = message.data().toArray();
    }

    Account account() {
        return account;
    }

    List<Log> logs() {
        return logs;
    }

    long gas() {
        return gas;
    }

    /** Runs the function that the data names; throws {@link Reverted}. */
    Bytes run() {
        if (value.signum() != 0 || data.length < Abi.SELECTOR_BYTES) {
            throw Reverted.silently();
        }
        TokenFunction function = TokenFunction.of(ByteBuffer.wrap(data).getInt());
        if (function == null || data.length < Abi.SELECTOR_BYTES + Abi.WORD_BYTES * function.parameters()) {
            throw Reverted.silently();
        }
        return Bytes.wrap(
                switch (function) {
                    case NAME -> Abi.bytes(text(TokenStorage.NAME));
                    case SYMBOL -> Abi.bytes(text(TokenStorage.SYMBOL));
                    case DECIMALS -> Abi.word(read(TokenStorage.DECIMALS));
                    case TOTAL_SUPPLY -> Abi.word(read(TokenStorage.TOTAL_SUPPLY));
                    case BALANCE_OF -> Abi.word(read(TokenStorage.balance(address(0))));
                    case ALLOWANCE -> Abi.word(read(TokenStorage.allowance(address(0), address(1))));
                    case TRANSFER -> move(caller, address(0), number(1));
                    case APPROVE -> approve(address(0), number(1));
                    case TRANSFER_FROM -> spend(address(0), address(1), number(2));
                });
    }

    private byte[] approve(Address spender, BigInteger amount) {
        require(!spender.equals(Address.ZERO), "ERC20: approve to the zero address");
        write(TokenStorage.allowance(caller, spender), amount);
        log(APPROVAL, caller, spender, amount);
        return Abi.word(BigInteger.ONE);
    }

    private byte[] spend(Address from, Address to, BigInteger amount) {
        Hash32 slot = TokenStorage.allowance(from, caller);
        BigInteger allowed = read(slot);
        if (!allowed.equals(UNLIMITED)) {
            require(allowed.compareTo(amount) >= 0, "ERC20: insufficient allowance");
            write(slot, allowed.subtract(amount));
        }
        return move(from, to, amount);
    }

    private byte[] move(Address from, Address to, BigInteger amount) {
        require(!to.equals(Address.ZERO), "ERC20: transfer to the zero address");
        Hash32 source = TokenStorage.balance(from);
        BigInteger balance = read(source);
        require(balance.compareTo(amount) >= 0, "ERC20: transfer amount exceeds balance");
        write(source, balance.subtract(amount));
        Hash32 target = TokenStorage.balance(to);
        write(target, read(target).add(amount));
        log(TRANSFER, from, to, amount);
        return Abi.word(BigInteger.ONE);
    }

    private BigInteger read(Hash32 slot) {
        gas += READ_GAS;
        return account.slot(slot);
    }

    private byte[] text(Hash32 slot) {
        gas += READ_GAS;
        return TokenStorage.shortString(account, slot);
    }

    private void write(Hash32 slot, BigInteger number) {
        boolean isNew = account.slot(slot).signum() == 0 && number.signum() != 0;
        gas += isNew ? NEW_SLOT_GAS : CHANGED_SLOT_GAS;
        account = account.withSlot(slot, number);
    }

    private void log(Hash32 event, Address first, Address second, BigInteger amount) {
        gas += LOG_GAS;
        List<Hash32> topics =
                List.of(event, Hash32.wrap(Abi.word(first.bytes())), Hash32.wrap(Abi.word(second.bytes())));
        logs.add(new Log(token, topics, Bytes.wrap(Abi.word(amount))));
    }

    private static void require(boolean holds, String reason) {
        if (!holds) {
            throw Reverted.because(reason);
        }
    }

    private BigInteger number(int parameter) {
        int start = Abi.SELECTOR_BYTES + parameter * Abi.WORD_BYTES;
        return Abi.number(Arrays.copyOfRange(data, start, start + Abi.WORD_BYTES));
    }

    /** As compiled Solidity does, refuses a word that is more than an address. */
    private Address address(int parameter) {
        byte[] word = Abi.word(number(parameter));
        Address address = Address.wrap(Arrays.copyOfRange(word, Abi.WORD_BYTES - Address.SIZE_BYTES, Abi.WORD_BYTES));
        if (!Arrays.equals(word, Abi.word(address.bytes()))) {
            throw Reverted.silently();
        }
        return address;
    }

    private static Hash32 event(String signature) {
        return Hash32.keccak(signature.getBytes(StandardCharsets.US_ASCII));
    }
}
