package io.weir.subscription.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RpcReply;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of events whose members a test knows. It refuses if the test says so. Confined to one thread. */
final class HandSource implements EventSource {

    final Set<StreamMember> members = new LinkedHashSet<>();
    RpcReply.@Nullable Failure refusal;

    @Override
    public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
        if (refusal == null) {
            members.add(member);
            member.joined(0);
        }
        joined.accept(refusal);
    }

    @Override
    public void leave(StreamMember member) {
        assertThat(members.remove(member)).isTrue();
    }
}
