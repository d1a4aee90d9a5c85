package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.weir.config.ServerConfig;
import org.junit.jupiter.api.Test;

class SocketTransportTest {

    @Test
    void nioIsEverywhere() {
        SocketTransport nio = SocketTransport.of(ServerConfig.Transport.NIO);
        assertThat(nio.name()).isEqualTo("nio");
        assertThat(nio.clientChannel()).isEqualTo(NioSocketChannel.class);
    }

    @Test
    void epollIsTakenWhereThereIsOne() {
        SocketTransport auto = SocketTransport.of(ServerConfig.Transport.AUTO);
        assertThat(auto.name()).isEqualTo(Epoll.isAvailable() ? "epoll" : "nio");
        if (Epoll.isAvailable()) {
            assertThat(SocketTransport.of(ServerConfig.Transport.EPOLL).name()).isEqualTo("epoll");
        } else {
            assertThatThrownBy(() -> SocketTransport.of(ServerConfig.Transport.EPOLL))
                    .hasMessageContaining("server.transport: epoll");
        }
    }
}
