package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.Test;

class SocketTransportTest {

    @Test
    void nioIsEverywhere() {
        SocketTransport nio = SocketTransport.nio();
        assertThat(nio.name()).isEqualTo("nio");
        assertThat(nio.clientChannel()).isEqualTo(NioSocketChannel.class);
    }

    @Test
    void epollIsTakenWhereThereIsOne() {
        assertThat(SocketTransport.best().name()).isEqualTo(Epoll.isAvailable() ? "epoll" : "nio");
    }
}
