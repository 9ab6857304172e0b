package io.millrace.server.web.door;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Listens for HTTP at one address until it is closed. */
public final class Door implements AutoCloseable {

  private static final int BACKLOG = 256;
  private static final int LINE_BYTES_MAX = 8192;

  /** A credential of MUNGE alone may have eight thousand. */
  private static final int HEADER_BYTES_MAX = 32768;

  private static final int CHUNK_BYTES_MAX = 16384;

  /** Of an answer without an end, bytes that a client may have not taken yet. */
  private static final WriteBufferWaterMark UNTAKEN = new WriteBufferWaterMark(64 << 10, 256 << 10);

  private static final Duration HANDSHAKE = Duration.ofSeconds(10);
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  private final EventLoopGroup movers =
      // Not daemons: they are what keeps the process.
      new MultiThreadIoEventLoopGroup(
          2, new DefaultThreadFactory("web-door"), NioIoHandler.newFactory());

  private final OpenConnections connections;
  private final Memory memory;
  private final Workers workers;
  private Channel channel;

  private Door(DoorLimits limits) {
    this.connections = new OpenConnections(limits.connections());
    this.memory = new Memory(limits.memory());
    this.workers = new Workers(limits.workers(), limits.times().work());
  }

  /**
   * Opens the door.
   *
   * @param tls certificate and key; empty for plain HTTP
   * @throws IOException in one line when nobody can listen there
   */
  public static Door open(
      InetSocketAddress address, Optional<SslContext> tls, DoorLimits limits, Service service)
      throws IOException, InterruptedException {
    Door door = new Door(limits);
    try {
      door.channel =
          new ServerBootstrap()
              .group(door.movers)
              .channel(NioServerSocketChannel.class)
              .option(ChannelOption.SO_BACKLOG, BACKLOG)
              .option(ChannelOption.SO_REUSEADDR, true)
              .childOption(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false))
              .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNTAKEN)
              .childHandler(door.initializer(tls, limits, service))
              .bind(address)
              .sync()
              .channel();
      return door;
    } catch (Exception e) {
      door.close();
      if (e instanceof InterruptedException stopped) {
        throw stopped;
      }
      throw new IOException("cannot listen at " + text(address) + ": " + e.getMessage(), e);
    }
  }

  private ChannelInitializer<SocketChannel> initializer(
      Optional<SslContext> tls, DoorLimits limits, Service service) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel connection) {
        ChannelPipeline pipeline = connection.pipeline();
        pipeline.addLast(connections);
        if (tls.isPresent()) {
          SslHandler handler = tls.get().newHandler(connection.alloc());
          handler.setHandshakeTimeout(HANDSHAKE.toMillis(), TimeUnit.MILLISECONDS);
          pipeline.addLast(handler);
        }
        pipeline.addLast(new HttpServerCodec(LINE_BYTES_MAX, HEADER_BYTES_MAX, CHUNK_BYTES_MAX));
        // A read may bring parts of the next request: they wait for their turn.
        pipeline.addLast(new FlowControlHandler());
        pipeline.addLast(new Exchange(service, limits, memory, workers));
      }
    };
  }

  /** Address as it is written in a URL. */
  public static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** Where it listens; the port is the real one when any was asked for. */
  public InetSocketAddress address() {
    return (InetSocketAddress) channel.localAddress();
  }

  /** Connections that are open now. */
  public int connections() {
    return connections.open();
  }

  /** Bytes that bodies and answers hold now. */
  public long heldBytes() {
    return memory.held();
  }

  /** Requests that wait for a worker. */
  int waiting() {
    return workers.waiting();
  }

  @Override
  public void close() {
    if (channel != null) {
      channel.close().awaitUninterruptibly(FAREWELL.toMillis());
    }
    workers.close();
    movers
        .shutdownGracefully(0, FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(FAREWELL.toMillis());
  }
}
