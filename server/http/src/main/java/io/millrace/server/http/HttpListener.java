package io.millrace.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Listens for HTTP at one address until it is closed. Its threads keep no process alive. */
public final class HttpListener implements AutoCloseable {

  private static final int BACKLOG = 256;
  private static final int LINE_BYTES_MAX = 8192;

  /** A credential of MUNGE alone may have eight thousand. */
  private static final int HEADER_BYTES_MAX = 32768;

  private static final int CHUNK_BYTES_MAX = 16384;

  /** Of an answer without an end, bytes that a client may have not taken yet. */
  private static final WriteBufferWaterMark UNTAKEN = new WriteBufferWaterMark(64 << 10, 256 << 10);

  private static final int MOVERS = 2;
  private static final Duration HANDSHAKE = Duration.ofSeconds(10);
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  private final EventLoopGroup movers;
  private final OpenConnections connections;
  private final RequestMemory memory;
  private final WorkerThreads workers;
  private Channel channel;

  /** File of a Unix socket; null for another place. */
  private Path socket;

  private HttpListener(String name, HttpLimits limits) {
    this.movers =
        new MultiThreadIoEventLoopGroup(
            MOVERS, new DefaultThreadFactory(name + "-io", true), NioIoHandler.newFactory());
    this.connections = new OpenConnections(limits.connections());
    this.memory = new RequestMemory(limits.memory());
    this.workers = new WorkerThreads(name, limits.workers(), limits.times().work());
  }

  /**
   * Where to listen.
   *
   * @param name of its threads
   * @param tls certificate and key; empty for plain HTTP
   */
  public record ListenerAddress(String name, SocketAddress address, Optional<SslContext> tls) {

    /** Without TLS. */
    public static ListenerAddress plain(String name, InetSocketAddress address) {
      return new ListenerAddress(name, address, Optional.empty());
    }

    /** A Unix socket that serves processes of this process's account and of root, nobody else. */
    public static ListenerAddress local(String name, Path socket) {
      return new ListenerAddress(name, UnixDomainSocketAddress.of(socket), Optional.empty());
    }

    String text() {
      return address instanceof InetSocketAddress internet
          ? HttpListener.text(internet)
          : address.toString();
    }
  }

  /**
   * Listens from now on.
   *
   * @throws IOException in one line when nobody can listen there
   */
  public static HttpListener open(ListenerAddress place, HttpLimits limits, HttpService service)
      throws IOException {
    boolean local = place.address() instanceof UnixDomainSocketAddress;
    Optional<OwnAccount> own = local ? Optional.of(new OwnAccount()) : Optional.empty();
    HttpListener listener = new HttpListener(place.name(), limits);
    ServerBootstrap server = new ServerBootstrap().group(listener.movers);
    if (local) {
      listener.socket = ((UnixDomainSocketAddress) place.address()).getPath();
      LocalSocket.clear(listener.socket);
      server.channel(NioServerDomainSocketChannel.class);
    } else {
      server.channel(NioServerSocketChannel.class).option(ChannelOption.SO_REUSEADDR, true);
    }
    ChannelFuture bound =
        server
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false))
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNTAKEN)
            .childHandler(listener.initializer(place.tls(), own, limits, service))
            .bind(place.address())
            .awaitUninterruptibly();
    listener.channel = bound.channel();
    if (!bound.isSuccess()) {
      listener.close();
      Throwable why = bound.cause();
      throw new IOException("cannot listen at " + place.text() + ": " + why.getMessage(), why);
    }
    if (local) {
      LocalSocket.close(listener.socket);
    }
    return listener;
  }

  private ChannelInitializer<Channel> initializer(
      Optional<SslContext> tls, Optional<OwnAccount> own, HttpLimits limits, HttpService service) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel accepted) {
        ChannelPipeline pipeline = accepted.pipeline();
        own.ifPresent(pipeline::addLast);
        pipeline.addLast(connections);
        if (tls.isPresent()) {
          SslHandler handler = tls.get().newHandler(accepted.alloc());
          handler.setHandshakeTimeout(HANDSHAKE.toMillis(), TimeUnit.MILLISECONDS);
          pipeline.addLast(handler);
        }
        ConnectionClock clock = new ConnectionClock(limits.times());
        pipeline.addLast(clock);
        pipeline.addLast(new HttpServerCodec(LINE_BYTES_MAX, HEADER_BYTES_MAX, CHUNK_BYTES_MAX));
        // A read may bring parts of the next request: they wait for their turn.
        pipeline.addLast(new FlowControlHandler());
        HttpConnection.Common common = new HttpConnection.Common(connections, memory, workers);
        pipeline.addLast(new HttpConnection(service, limits, clock, common));
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

  /** Waits until it is closed. */
  public void awaitClose() throws InterruptedException {
    channel.closeFuture().await();
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

  /** Takes no more connections, lets requests that are carried out end for a moment, and ends. */
  @Override
  public void close() {
    channel.close().awaitUninterruptibly(FAREWELL.toMillis());
    if (socket != null && !LocalSocket.answers(socket)) {
      LocalSocket.remove(socket);
    }
    workers.close();
    movers
        .shutdownGracefully(0, FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(FAREWELL.toMillis());
  }
}
