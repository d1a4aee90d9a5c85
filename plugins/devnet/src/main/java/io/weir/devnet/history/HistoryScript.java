package io.weir.devnet.history;

import io.weir.devnet.execution.Fork;
import io.weir.devnet.execution.PlainDeployment;
import io.weir.devnet.execution.Token;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.ContractAddress;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The events of the history, by block. Thread-safe. */
final class HistoryScript {
    /** Code that reverts whatever it is asked: all that code does here, if it is not the token's. */
    static final Bytes REVERTING_CODE = Bytes.fromHex("0x60006000fd");

    private static final BigInteger MILLIETHER = BigInteger.TEN.pow(15);
    private static final BigInteger TOO_MANY_TOKENS = BigInteger.TEN.pow(30);
    private static final long TRANSFER_GAS = 21_000;
    private static final long CALL_GAS = 100_000;

    private HistoryScript() {}

    static List<Draft> transactions(long number) {
        List<Draft> drafts = new ArrayList<>();
        for (long i = 0; i < number % 4; i++) {
            drafts.add(usual(number, i));
        }
        drafts.addAll(special((int) number));
        return drafts;
    }

    private static Draft usual(long number, long i) {
        DevAccount from = DevAccount.at(number + i);
        Address to = DevAccount.at(number + 3 * i + 1).address();
        BigInteger amount = MILLIETHER.multiply(BigInteger.valueOf(number + i));
        return switch ((int) (number + i) % 4) {
            case 0 -> Draft.of(from, TransactionType.LEGACY, TRANSFER_GAS, to).value(amount);
            case 1 -> tokens(from, TransactionType.LEGACY, Token.transferData(to, amount));
            case 2 ->
                listed(
                        number,
                        tokens(from, typeAt(number, TransactionType.ACCESS_LIST), Token.transferData(to, amount)));
            default ->
                Draft.of(from, typeAt(number, TransactionType.DYNAMIC_FEE), TRANSFER_GAS, to)
                        .value(amount);
        };
    }

    private static List<Draft> special(int number) {
        DevAccount first = DevAccount.at(0);
        DevAccount second = DevAccount.at(1);
        BigInteger tokens = BigInteger.TEN.pow(18);
        return switch (number) {
            case 3, 9 -> List.of(creation(first, TransactionType.LEGACY));
            case 85 -> List.of(creation(second, TransactionType.DYNAMIC_FEE));
            case 6 -> List.of(Draft.of(second, TransactionType.LEGACY, CALL_GAS, firstContract()));
            case 18 ->
                List.of(tokens(first, TransactionType.LEGACY, Token.transferData(second.address(), TOO_MANY_TOKENS)));
            case 40 -> many(14, TransactionType.ACCESS_LIST);
            case 66 ->
                List.of(Draft.of(first, TransactionType.DYNAMIC_FEE, 30_000, Token.ADDRESS)
                        .input(Token.transferData(second.address(), tokens)));
            case 70 -> List.of(tokens(first, TransactionType.DYNAMIC_FEE, Token.approveData(second.address(), tokens)));
            case 71 ->
                List.of(tokens(
                        second,
                        TransactionType.DYNAMIC_FEE,
                        Token.transferFromData(first.address(), DevAccount.at(2).address(), tokens)));
            case 100, 104 -> List.of(blobs(1));
            case 113 -> List.of(blobs(2), blobs(6));
            case 118 -> many(20, TransactionType.DYNAMIC_FEE);
            default -> List.of();
        };
    }

    /** The contract that the first account creates in block 3 as its first transaction. */
    static Address firstContract() {
        return ContractAddress.create(DevAccount.at(0).address(), 0);
    }

    private static Draft creation(DevAccount from, TransactionType type) {
        return Draft.of(from, type, CALL_GAS, null).input(PlainDeployment.of(REVERTING_CODE));
    }

    private static List<Draft> many(int count, TransactionType type) {
        List<Draft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TransactionType each = i % 3 == 0 ? TransactionType.LEGACY : type;
            Address to = DevAccount.at(7L * i + 3).address();
            drafts.add(Draft.of(DevAccount.at(i), each, TRANSFER_GAS, to)
                    .value(MILLIETHER.multiply(BigInteger.valueOf(i + 1))));
        }
        return drafts;
    }

    private static Draft tokens(DevAccount from, TransactionType type, Bytes data) {
        return Draft.of(from, type, CALL_GAS, Token.ADDRESS).input(data);
    }

    private static Draft listed(long number, Draft draft) {
        if (Fork.at(number).includes(Fork.BERLIN)) {
            draft.transaction()
                    .accessList(List.of(new AccessListEntry(
                            Token.ADDRESS,
                            List.of(Token.balanceSlot(draft.from().address())))));
        }
        return draft;
    }

    private static Draft blobs(int count) {
        List<Hash32> hashes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] hash = Hash32.keccak(new byte[] {(byte) count, (byte) i}).toArray();
            hash[0] = 1;
            hashes.add(Hash32.wrap(hash));
        }
        DevAccount from = DevAccount.at(7);
        Draft draft = Draft.of(
                from, TransactionType.BLOB, TRANSFER_GAS, DevAccount.at(8).address());
        draft.transaction().maxFeePerBlobGas(BigInteger.TEN.pow(9)).blobVersionedHashes(hashes);
        return draft;
    }

    private static TransactionType typeAt(long number, TransactionType type) {
        Fork since = type == TransactionType.ACCESS_LIST ? Fork.BERLIN : Fork.LONDON;
        return Fork.at(number).includes(since) ? type : TransactionType.LEGACY;
    }
}
