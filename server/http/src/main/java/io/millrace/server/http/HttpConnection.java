package io.millrace.server.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: reads a request, has it carried out, sends the answer, and then the next one. All
 * of it but the carrying out happens on the connection's own thread, which never waits.
 */
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {

  private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

  private final HttpService service;
  private final HttpLimits limits;
  private final ConnectionClock clock;
  private final OpenConnections connections;
  private final RequestMemory memory;
  private final WorkerThreads workers;
  private final RequestMemory.MemoryOfConnection held = new RequestMemory.MemoryOfConnection();

  /** What is asked; null between an answer and the next head. */
  private ReceivedRequest asked;

  /** What came of the body; null while none is awaited. */
  private ByteArrayOutputStream body;

  private boolean keepAlive;

  /** Whatever else comes is not heard. */
  private boolean deaf;

  /** The answer has no end. */
  private boolean open;

  /** What all connections of a listener share. */
  record Common(OpenConnections connections, RequestMemory memory, WorkerThreads workers) {}

  HttpConnection(HttpService service, HttpLimits limits, ConnectionClock clock, Common common) {
    this.service = service;
    this.limits = limits;
    this.clock = clock;
    this.connections = common.connections();
    this.memory = common.memory();
    this.workers = common.workers();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (open && part instanceof HttpRequest) {
      // It cannot be answered, and the codec would remember the method of each one.
      context.close();
    }
    if (deaf) {
      return;
    }
    if (part.decoderResult().isFailure()) {
      refuse(context, HttpRefusal.NOT_HTTP, "this is no HTTP request: " + why(part));
      return;
    }
    if (part instanceof HttpRequest request) {
      begin(context, request);
    }
    if (!deaf && body != null && part instanceof HttpContent content) {
      more(context, content);
    }
  }

  private static String why(HttpObject part) {
    String text = String.valueOf(part.decoderResult().cause().getMessage());
    return text.lines().findFirst().orElse("").replaceAll("[^ -~]", "?");
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    clock.awaitBody();
    keepAlive = HttpUtil.isKeepAlive(request);
    asked =
        new ReceivedRequest(
            OpenConnections.address(context),
            request.method().name(),
            request.uri(),
            request.headers()::getAll,
            Map.of(),
            new byte[0]);
    long length = HttpUtil.getContentLength(request, 0L);
    if (length > limits.bodyBytes()) {
      refuse(context, HttpRefusal.TOO_LARGE, tooLarge());
      return;
    }
    connections.now(context.channel(), OpenConnections.Doing.WORKS);
    // The body waits in the client's system until it is known whether it is wanted, and so does
    // the next request.
    context.channel().config().setAutoRead(false);
    ReceivedRequest head = asked;
    if (length == 0 && !HttpUtil.isTransferEncodingChunked(request)) {
      clock.stop();
      work(context, () -> lookAndAnswer(context, head), keepAlive);
      return;
    }
    body = new ByteArrayOutputStream();
    boolean awaited = HttpUtil.is100ContinueExpected(request);
    work(
        context,
        () -> {
          HttpService.Early early = early(head);
          context.executor().execute(() -> admit(context, early, awaited));
        },
        false);
  }

  /** A request without a body is looked at and carried out in one go. */
  private void lookAndAnswer(ChannelHandlerContext context, ReceivedRequest head)
      throws InterruptedException {
    HttpService.Early early = early(head);
    if (early.refusal().isPresent()) {
      context.executor().execute(() -> send(context, early.refusal().get(), false));
      return;
    }
    ReceivedRequest marked = head.marked(early.marks());
    context.executor().execute(() -> asked = marked);
    answer(context, marked);
  }

  private void admit(ChannelHandlerContext context, HttpService.Early early, boolean awaited) {
    if (early.refusal().isPresent()) {
      send(context, early.refusal().get(), false);
      return;
    }
    asked = asked.marked(early.marks());
    held.of(early.known() ? memory.known : memory.strangers, early.owner());
    if (!early.known()) {
      connections.now(context.channel(), OpenConnections.Doing.WAITS);
    }
    if (awaited) {
      // Whole: after the head alone the encoder would take no other answer.
      context.writeAndFlush(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
    context.channel().config().setAutoRead(true);
  }

  /** Has something done by a worker, if there is one. */
  private void work(
      ChannelHandlerContext context, WorkerThreads.InterruptibleWork work, boolean goOn) {
    if (!workers.submit(
        work, () -> context.executor().execute(() -> send(context, late(), goOn)))) {
      String text = "too many requests wait already; try again";
      send(context, service.refusal(HttpRefusal.BUSY, text), goOn);
    }
  }

  private HttpAnswer late() {
    String text = "not done within " + limits.times().work().toSeconds() + " s";
    return service.refusal(HttpRefusal.LATE, text);
  }

  private String tooLarge() {
    return "the body is larger than " + limits.bodyBytes() + " bytes";
  }

  private void more(ChannelHandlerContext context, HttpContent content) {
    int bytes = content.content().readableBytes();
    if (body.size() + bytes > limits.bodyBytes()) {
      refuse(context, HttpRefusal.TOO_LARGE, tooLarge());
      return;
    }
    if (!held.take(bytes)) {
      full(context);
      return;
    }
    try {
      content.content().readBytes(body, bytes);
    } catch (IOException e) {
      throw new IllegalStateException("memory takes bytes", e);
    }
    if (content instanceof LastHttpContent) {
      carryOut(context);
    }
  }

  private void full(ChannelHandlerContext context) {
    refuse(context, HttpRefusal.NO_MEMORY, "the requests that run have all the memory; try again");
  }

  private void carryOut(ChannelHandlerContext context) {
    clock.stop();
    connections.now(context.channel(), OpenConnections.Doing.WORKS);
    // What the client sends meanwhile waits in its own system.
    context.channel().config().setAutoRead(false);
    if (!held.take((RequestMemory.COPIES - 1L) * body.size())) {
      full(context);
      return;
    }
    ReceivedRequest whole = asked.with(body.toByteArray());
    body = null;
    work(context, () -> answer(context, whole), keepAlive);
  }

  private HttpService.Early early(ReceivedRequest head) throws InterruptedException {
    try {
      return service.early(head);
    } catch (RuntimeException | Error e) {
      return HttpService.Early.refused(failure(head, e));
    }
  }

  private void answer(ChannelHandlerContext context, ReceivedRequest whole)
      throws InterruptedException {
    HttpAnswer answer;
    try {
      answer = service.answer(whole);
    } catch (RuntimeException | Error e) {
      answer = failure(whole, e);
    }
    if (answer.body() instanceof HttpAnswer.StreamedBody written) {
      write(context, whole, answer, written.writer());
    } else {
      HttpAnswer there = answer;
      context.executor().execute(() -> send(context, there, keepAlive));
    }
  }

  private HttpAnswer failure(ReceivedRequest failed, Throwable cause) {
    if (cause instanceof RuntimeException surprise) {
      Optional<HttpAnswer> expected = service.expected(surprise);
      if (expected.isPresent()) {
        return expected.get();
      }
    }
    LOG.error("{} {}", failed.method(), failed.target(), cause);
    return service.refusal(HttpRefusal.INTERNAL, "internal error: the log tells more");
  }

  /** Has the answer written by the worker that calls this. */
  private void write(
      ChannelHandlerContext context, ReceivedRequest whole, HttpAnswer answer, AnswerWriter writer)
      throws InterruptedException {
    WrittenBody written = new WrittenBody(context, () -> chunkedHead(answer, whole, keepAlive));
    try {
      writer.write(written);
    } catch (IOException e) {
      LOG.debug("an answer to {} was broken off", whole.peer(), e);
      context.close();
      return;
    } catch (RuntimeException | Error e) {
      HttpAnswer failure = failure(whole, e);
      context.executor().execute(() -> instead(context, written, failure));
      return;
    }
    context.executor().execute(() -> sendWritten(context, answer, written));
  }

  /** A client takes a connection that just ends for a server that is gone, and asks again. */
  private void instead(ChannelHandlerContext context, WrittenBody written, HttpAnswer failure) {
    if (written.begun()) {
      context.close();
    } else {
      send(context, failure, keepAlive);
    }
  }

  private void sendWritten(ChannelHandlerContext context, HttpAnswer answer, WrittenBody written) {
    if (!written.begun()) {
      send(context, answer.with(new HttpAnswer.WholeBody(written.kept())), keepAlive);
      return;
    }
    held.give();
    asked = null;
    clock.awaitSent();
    nextAfter(context, written.end(), keepAlive);
  }

  private void refuse(ChannelHandlerContext context, HttpRefusal why, String text) {
    send(context, service.refusal(why, text), false);
  }

  private void send(ChannelHandlerContext context, HttpAnswer answer, boolean goOn) {
    deaf = !goOn;
    body = null;
    held.of(memory.answers, answer.owner());
    if (answer.body() instanceof HttpAnswer.OpenBody begun) {
      sendOpen(context, answer, begun.source());
      return;
    }
    if (!context.channel().isActive()) {
      context.close();
      return;
    }
    HttpAnswer.WholeBody whole = (HttpAnswer.WholeBody) answer.body();
    if (held.take(whole.bytes().length)) {
      sendWhole(context, answer, whole, goOn);
    } else {
      // Small, and so not counted.
      String text = "the answers that are sent have all the memory; ask again";
      HttpAnswer refusal = service.refusal(HttpRefusal.NO_MEMORY, text);
      sendWhole(context, refusal, (HttpAnswer.WholeBody) refusal.body(), goOn);
    }
  }

  private void sendWhole(
      ChannelHandlerContext context, HttpAnswer answer, HttpAnswer.WholeBody whole, boolean goOn) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(whole.bytes()));
    putHeaders(response, answer, asked);
    asked = null;
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, whole.bytes().length);
    HttpUtil.setKeepAlive(response, goOn);
    clock.awaitSent();
    nextAfter(context, context.writeAndFlush(response), goOn);
  }

  /** When this is sent comes the next request. */
  private void nextAfter(ChannelHandlerContext context, ChannelFuture last, boolean goOn) {
    connections.now(context.channel(), OpenConnections.Doing.SENDS);
    last.addListener(
        sent -> {
          held.give();
          if (goOn && sent.isSuccess()) {
            connections.now(context.channel(), OpenConnections.Doing.WAITS);
            clock.awaitHead();
            context.channel().config().setAutoRead(true);
          } else {
            context.close();
          }
        });
  }

  private void putHeaders(HttpResponse response, HttpAnswer answer, ReceivedRequest to) {
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.type());
    service.headers().forEach((name, value) -> response.headers().set(name, value));
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    if (to != null) {
      to.marks().forEach((name, value) -> response.headers().set(name, value));
    }
  }

  private HttpResponse chunkedHead(HttpAnswer answer, ReceivedRequest to, boolean goOn) {
    HttpResponse response =
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
    putHeaders(response, answer, to);
    HttpUtil.setTransferEncodingChunked(response, true);
    HttpUtil.setKeepAlive(response, goOn);
    return response;
  }

  /** The connection belongs to this answer from now on. */
  private void sendOpen(ChannelHandlerContext context, HttpAnswer answer, AnswerSource source) {
    deaf = true;
    if (!context.channel().isActive()) {
      source.gone();
      context.close();
      return;
    }
    open = true;
    clock.stop();
    connections.now(context.channel(), OpenConnections.Doing.WORKS);
    context.writeAndFlush(chunkedHead(answer, asked, false));
    // Somebody has to read for the end of the other side to be seen; what it says is dropped,
    // and one more request ends it.
    context.channel().config().setAutoRead(true);
    context.channel().closeFuture().addListener(closed -> source.gone());
    source.begin(new ChannelSink(context, limits.times().send()));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    held.give();
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    String peer = OpenConnections.address(context);
    if (cause instanceof IOException || cause instanceof DecoderException) {
      // The other side went away, or does not speak what is spoken here.
      LOG.debug("connection of {}", peer, cause);
    } else {
      LOG.error("connection of {}", peer, cause);
    }
    context.close();
  }
}
