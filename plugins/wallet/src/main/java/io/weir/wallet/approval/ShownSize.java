package io.weir.wallet.approval;

import io.weir.wallet.approval.ApprovalRequest.RequestedCall;

/** How much a person would have to read of a request: what is too much is refused, never cut. Thread-safe. */
final class ShownSize {

    private static final int FELT_CHARACTERS = 66;

    private ShownSize() {}

    static long characters(ApprovalRequest request) {
        long characters = request.calls().stream().mapToLong(ShownSize::of).sum();
        return request.typedData() == null
                ? characters
                : characters + request.typedData().toString().length();
    }

    private static long of(RequestedCall call) {
        long arguments = call.arguments().stream()
                .mapToLong(argument -> argument.name().length()
                        + argument.type().length()
                        + argument.value().length())
                .sum();
        return FELT_CHARACTERS * (1L + call.calldata().size()) + call.function().length() + arguments;
    }
}
