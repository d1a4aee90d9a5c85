package io.weir.wallet.page;

import io.weir.l2.Felt;
import io.weir.wallet.abi.MessageEffect;
import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.approval.Request;
import io.weir.wallet.token.TokenCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The lines that a person must know about a request: the worst that it can do, equal requests, and callers that have gone. Thread-safe. */
record Marks(ApprovalQueue queue) {

    private static final int MAX_PROBLEM = 200;

    /** The marks of a request that waits, one line each. */
    List<String> of(Request one, Instant now) {
        List<String> marks = new ArrayList<>();
        if (one.votes().needed() > 1) {
            marks.add("Approved by " + one.votes().shown() + ".");
        }
        if (one.isAbandoned()) {
            marks.add("The caller has gone. The request waits on because it was detached.");
        } else if (one.callers() > 1) {
            marks.add(one.callers() + " callers wait for this one request.");
        }
        long equal = queue.parked().stream()
                .filter(other -> other.contentHash().equals(one.contentHash()))
                .count();
        if (equal > 1) {
            marks.add("Equal to " + (equal - 1) + " other waiting request" + (equal > 2 ? "s" : "") + ".");
        }
        Instant before = queue.approvedBefore(one.contentHash());
        if (before != null) {
            marks.add("An equal request was approved " + Times.span(before, now) + " ago.");
        }
        return marks;
    }

    /** Returns the warnings about a request, one line each, the worst first. */
    static List<String> dangers(Content request) {
        List<String> dangers = new ArrayList<>();
        Felt account = request.account();
        List<RequestedCall> calls = request.calls();
        if (request instanceof Content.Key) {
            dangers.add(
                    "Once approved, the private key of this account is shown, once. Whoever sees it has the account: no"
                            + " request is more dangerous.");
        }
        if (calls.stream().anyMatch(call -> call.isOnItself(account))) {
            dangers.add(
                    "The account calls itself. Such a call can give the account to somebody else: it changes the owner,"
                            + " the guardians or the code. No request is more dangerous.");
        }
        Stream.ofNullable(request.typedData())
                .map(message -> MessageEffect.of(message, account))
                .filter(effect -> !effect.isHarmless())
                .forEach(effect -> dangers.add(danger(effect)));
        IntStream.range(0, calls.size())
                .filter(index -> TokenCall.of(calls.get(index), account)
                        .filter(TokenCall::isUnlimited)
                        .isPresent())
                .mapToObj(index -> calls.size() == 1 ? "" : " This is call " + (index + 1) + ".")
                .forEach(place -> dangers.add(
                        "An allowance has no limit: the spender can take everything, now and later." + place));
        calls.stream()
                .filter(RequestedCall::isMissing)
                .forEach(call -> dangers.add("The class of the contract "
                        + call.contract().toPaddedHex() + " is known. It has no function " + call.function()
                        + ". The call fails, or does what nobody here knows."));
        return dangers;
    }

    private static String danger(MessageEffect effect) {
        if (effect.outside() != null) {
            return "This signature can move funds later, without another question: others make its calls.";
        }
        if (!effect.allowances().isEmpty()) {
            return "This signature can move funds later, without another question: it is an allowance."
                    + (effect.problem().isEmpty() ? "" : " The message holds more than the wallet knows: read it all.");
        }
        return "A signature can move funds. The wallet does not know what this message allows"
                + (effect.problem().isEmpty() ? "." : ": " + Html.shortened(effect.problem(), MAX_PROBLEM) + ".");
    }
}
