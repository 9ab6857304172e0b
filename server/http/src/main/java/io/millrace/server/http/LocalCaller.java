package io.millrace.server.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks HTTP services that listen at Unix sockets of this host, over connections that stay open. A
 * service of another account than this one's or root's is told nothing. Services of other hosts are
 * asked in TLS, and told nothing before they have shown a certificate that is trusted.
 */
public final class LocalCaller implements AutoCloseable {

  private static final int IDLE_MAX = 32;

  private final EventLoopGroup movers =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("local-caller", true), NioIoHandler.newFactory());

  private final Map<ServiceAddress, ConcurrentLinkedDeque<Connection>> idle =
      new ConcurrentHashMap<>();
  private final int answerBytesMax;

  /**
   * @param answerBytesMax longer answers are failures
   */
  public LocalCaller(int answerBytesMax) {
    this.answerBytesMax = answerBytesMax;
  }

  /**
   * A whole answer.
   *
   * @param headers first value of each, by its name in any case
   */
  public record LocalAnswer(int status, Map<String, String> headers, byte[] body) {

    /** The first value of a header. */
    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name));
    }
  }

  /**
   * Asks with GET, and waits for the whole answer.
   *
   * @param max for all of it
   * @throws StrangeListener when another account listens there
   * @throws IOException in one line when nobody answers there in time
   */
  public LocalAnswer get(Path socket, String target, Map<String, String> headers, Duration max)
      throws IOException, InterruptedException {
    return get(ServiceAddress.at(socket), target, headers, max);
  }

  /**
   * The same of a service of any host, in TLS.
   *
   * @param tls trusts its certificate, and no other
   */
  public LocalAnswer get(
      InetSocketAddress server,
      SslContext tls,
      String target,
      Map<String, String> headers,
      Duration max)
      throws IOException, InterruptedException {
    return get(new ServiceAddress(server, Optional.of(tls)), target, headers, max);
  }

  private LocalAnswer get(
      ServiceAddress socket, String target, Map<String, String> headers, Duration max)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + max.toNanos();
    Connection kept = keptOpen(socket);
    while (kept != null) {
      try {
        return kept.ask(socket, request(target, headers), deadline);
      } catch (ClosedByPeer e) {
        // It was closed while it was idle: nothing is lost by asking again.
        kept = keptOpen(socket);
      }
    }
    return connect(socket, deadline).ask(socket, request(target, headers), deadline);
  }

  /**
   * Sends a body with POST over a connection of its own, and waits for the whole answer. It is not
   * repeated: when it fails, what was asked may have been done.
   *
   * @param max for all of it
   * @throws StrangeListener when another account listens there
   * @throws IOException in one line when nobody answers there in time
   */
  public LocalAnswer post(
      Path socket, String target, Map<String, String> headers, byte[] body, Duration max)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + max.toNanos();
    DefaultFullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.POST, target, Unpooled.wrappedBuffer(body));
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    request.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    headers.forEach(request.headers()::set);
    ServiceAddress listener = ServiceAddress.at(socket);
    return connect(listener, deadline).ask(listener, request, deadline);
  }

  /** Who is asked: by a Unix socket, or in TLS. */
  private record ServiceAddress(SocketAddress address, Optional<SslContext> tls) {
    static ServiceAddress at(Path socket) {
      return new ServiceAddress(UnixDomainSocketAddress.of(socket), Optional.empty());
    }

    @Override
    public String toString() {
      return address.toString();
    }
  }

  private Connection keptOpen(ServiceAddress socket) {
    ConcurrentLinkedDeque<Connection> kept = idle.get(socket);
    Connection connection = kept == null ? null : kept.pollFirst();
    while (connection != null && !connection.channel.isActive()) {
      connection = kept.pollFirst();
    }
    return connection;
  }

  private static DefaultFullHttpRequest request(String target, Map<String, String> headers) {
    DefaultFullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    headers.forEach(request.headers()::set);
    return request;
  }

  private Connection connect(ServiceAddress socket, long deadline)
      throws IOException, InterruptedException {
    Connection connection = new Connection();
    ChannelFuture connected =
        new Bootstrap()
            .group(movers)
            .channel(
                socket.tls().isPresent() ? NioSocketChannel.class : NioDomainSocketChannel.class)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    socket
                        .tls()
                        .ifPresent(
                            tls -> channel.pipeline().addLast(tls.newHandler(channel.alloc())));
                    channel
                        .pipeline()
                        .addLast(
                            new HttpClientCodec(),
                            new HttpObjectAggregator(answerBytesMax),
                            connection);
                  }
                })
            .connect(socket.address());
    if (!connected.await(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
      connected.channel().close();
      throw new IOException(socket + " does not answer");
    }
    if (!connected.isSuccess()) {
      throw new IOException(socket + ": " + connected.cause().getMessage(), connected.cause());
    }
    connection.channel = connected.channel();
    if (socket.tls().isPresent()) {
      // What is written waits until the listener has proven who it is, or fails with it.
      return connection;
    }
    UserPrincipal listener = OwnAccount.peer(connection.channel);
    if (!new OwnAccount().covers(listener)) {
      connection.channel.close();
      throw new StrangeListener(
          listener.getName() + " listens at " + socket + ", whose service it is not");
    }
    return connection;
  }

  @Override
  public void close() {
    movers.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
  }

  /** The other side ended the connection before anything of an answer came. */
  private static final class ClosedByPeer extends IOException {
    private static final long serialVersionUID = 1L;

    ClosedByPeer(String socket) {
      super(socket + ": the connection was closed");
    }
  }

  /** One connection; used by one request after the other. */
  private final class Connection extends SimpleChannelInboundHandler<FullHttpResponse> {
    private Channel channel;
    private volatile CompletableFuture<LocalAnswer> awaited = new CompletableFuture<>();
    private volatile boolean again;

    LocalAnswer ask(ServiceAddress socket, DefaultFullHttpRequest request, long deadline)
        throws IOException, InterruptedException {
      CompletableFuture<LocalAnswer> answer = new CompletableFuture<>();
      awaited = answer;
      channel
          .writeAndFlush(request)
          .addListener(
              sent -> {
                if (!sent.isSuccess()) {
                  answer.completeExceptionally(new ClosedByPeer(socket.toString()));
                }
              });
      if (!channel.isActive()) {
        answer.completeExceptionally(new ClosedByPeer(socket.toString()));
      }
      boolean whole = false;
      try {
        LocalAnswer got =
            answer.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        whole = true;
        return got;
      } catch (TimeoutException e) {
        throw new IOException(socket + " gives no whole answer in time", e);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof ClosedByPeer
            ? new ClosedByPeer(socket.toString())
            : new IOException(socket + ": " + e.getCause().getMessage(), e.getCause());
      } finally {
        release(socket, whole);
      }
    }

    private void release(ServiceAddress socket, boolean whole) {
      ConcurrentLinkedDeque<Connection> kept =
          idle.computeIfAbsent(socket, path -> new ConcurrentLinkedDeque<>());
      if (whole && again && channel.isActive() && kept.size() < IDLE_MAX) {
        kept.offerFirst(this);
      } else {
        channel.close();
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      response.headers().forEach(header -> headers.putIfAbsent(header.getKey(), header.getValue()));
      again = HttpUtil.isKeepAlive(response);
      awaited.complete(
          new LocalAnswer(
              response.status().code(), headers, ByteBufUtil.getBytes(response.content())));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      awaited.completeExceptionally(new ClosedByPeer(""));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      awaited.completeExceptionally(cause);
      context.close();
    }
  }
}
