package io.millrace.server.web.door;

import io.millrace.server.gateway.session.Room;
import io.millrace.server.web.route.Answer;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.Source;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: reads a request, has it carried out, sends the answer, and then the next one. All
 * of it but the carrying out happens on the connection's own thread, which never waits.
 */
final class Exchange extends SimpleChannelInboundHandler<HttpObject> {

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  private final Service service;
  private final DoorLimits limits;
  private final Memory memory;
  private final Workers workers;
  private Incoming head;
  private ByteArrayOutputStream body;
  private boolean keepAlive;
  private boolean deaf;
  private boolean following;

  /** Bytes that are held, and in which room. */
  private long held;

  private Room room;
  private Future<?> deadline;

  Exchange(Service service, DoorLimits limits, Memory memory, Workers workers) {
    this.service = service;
    this.limits = limits;
    this.memory = memory;
    this.workers = workers;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (context.channel().isActive()) {
      within(context, limits.times().head());
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    within(context, limits.times().head());
    context.fireChannelActive();
  }

  /** Whatever comes next must come in this time, or the connection ends. */
  private void within(ChannelHandlerContext context, Duration time) {
    anytime();
    deadline =
        context.executor().schedule(() -> context.close(), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void anytime() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (following && part instanceof HttpRequest) {
      // It cannot be answered, and the codec would remember the method of each one.
      context.close();
    }
    if (deaf) {
      return;
    }
    if (part.decoderResult().isFailure()) {
      refuse(context, 400, Problem.PROTOCOL, "this is no HTTP request: " + why(part));
      return;
    }
    if (part instanceof HttpRequest request) {
      begin(context, request);
    }
    if (!deaf && part instanceof HttpContent content) {
      more(context, content);
    }
  }

  private static String why(HttpObject part) {
    String text = String.valueOf(part.decoderResult().cause().getMessage());
    return text.lines().findFirst().orElse("").replaceAll("[^ -~]", "?");
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    within(context, limits.times().body());
    keepAlive = HttpUtil.isKeepAlive(request);
    body = new ByteArrayOutputStream();
    room = memory.strangers;
    head =
        new Incoming(
            OpenConnections.address(context),
            request.method().name(),
            request.uri(),
            request.headers()::getAll,
            Map.of(),
            new byte[0]);
    long length = HttpUtil.getContentLength(request, 0L);
    if (length > limits.bodyBytes()) {
      refuse(context, 413, Problem.INVALID_REQUEST, tooLarge());
      return;
    }
    // The body waits in the client's system until it is known whether it is wanted.
    context.channel().config().setAutoRead(false);
    Incoming asked = head;
    boolean awaited = HttpUtil.is100ContinueExpected(request);
    work(
        context,
        () -> {
          Service.Early early = early(asked);
          context.executor().execute(() -> admit(context, early, awaited));
        },
        false);
  }

  private void admit(ChannelHandlerContext context, Service.Early early, boolean awaited) {
    if (early.refusal().isPresent()) {
      send(context, early.refusal().get(), false);
      return;
    }
    head = head.marked(early.marks());
    room = early.known() ? memory.known : memory.strangers;
    if (awaited) {
      context.writeAndFlush(
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }
    context.channel().config().setAutoRead(true);
  }

  /** Has something done by a worker, if there is one. */
  private void work(ChannelHandlerContext context, Workers.Work work, boolean goOn) {
    if (!workers.submit(
        work, () -> context.executor().execute(() -> send(context, late(), goOn)))) {
      send(context, busy(), goOn);
    }
  }

  private String tooLarge() {
    return "the body is larger than " + limits.bodyBytes() + " bytes";
  }

  private void more(ChannelHandlerContext context, HttpContent content) {
    int bytes = content.content().readableBytes();
    if (body.size() + bytes > limits.bodyBytes()) {
      refuse(context, 413, Problem.INVALID_REQUEST, tooLarge());
      return;
    }
    if (!take(bytes)) {
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

  private boolean take(long bytes) {
    boolean taken = room.take(bytes);
    held += taken ? bytes : 0;
    return taken;
  }

  private void full(ChannelHandlerContext context) {
    refuse(context, 503, Problem.NO_SERVER, "the requests that run have all the memory; try again");
  }

  private void carryOut(ChannelHandlerContext context) {
    anytime();
    // What the client sends meanwhile waits in its own system.
    context.channel().config().setAutoRead(false);
    if (!take((Memory.COPIES - 1L) * body.size())) {
      full(context);
      return;
    }
    Incoming whole = head.with(body.toByteArray());
    body = null;
    work(
        context,
        () -> {
          Answer answer = answer(whole);
          context.executor().execute(() -> send(context, answer, keepAlive));
        },
        keepAlive);
  }

  private Service.Early early(Incoming asked) throws InterruptedException {
    try {
      return service.early(asked);
    } catch (RuntimeException | Error e) {
      return Service.Early.refused(internal(asked, e));
    }
  }

  private Answer answer(Incoming whole) throws InterruptedException {
    try {
      return service.answer(whole);
    } catch (RuntimeException | Error e) {
      return internal(whole, e);
    }
  }

  private Answer internal(Incoming asked, Throwable e) {
    LOG.error("{} {}", asked.method(), asked.target(), e);
    return service.problem(500, Problem.INTERNAL, "internal error: the log tells more");
  }

  private Answer busy() {
    return service.problem(503, Problem.NO_SERVER, "too many requests wait already; try again");
  }

  private Answer late() {
    return service.problem(
        504,
        Problem.NO_SERVER,
        "not done within "
            + limits.times().work().toSeconds()
            + " s; it may still be carried out: ask again under the same Idempotency-Key");
  }

  private void refuse(ChannelHandlerContext context, int status, int code, String text) {
    send(context, service.problem(status, code, text), false);
  }

  private void send(ChannelHandlerContext context, Answer answer, boolean goOn) {
    deaf = !goOn;
    give();
    if (!context.channel().isActive()) {
      answer.source().ifPresent(Source::gone);
      context.close();
      return;
    }
    if (answer.source().isPresent()) {
      follow(context, answer, answer.source().get());
      return;
    }
    room = memory.answers;
    if (take(answer.body().length)) {
      write(context, answer, goOn);
    } else {
      // Small, and so not counted.
      String text = "the answers that are sent have all the memory; ask again";
      write(context, service.problem(503, Problem.NO_SERVER, text), goOn);
    }
  }

  private void write(ChannelHandlerContext context, Answer answer, boolean goOn) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    head(response, answer);
    head = null;
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    HttpUtil.setKeepAlive(response, goOn);
    within(context, limits.times().send());
    context
        .writeAndFlush(response)
        .addListener(
            sent -> {
              give();
              if (goOn && sent.isSuccess()) {
                within(context, limits.times().head());
                context.channel().config().setAutoRead(true);
              } else {
                context.close();
              }
            });
  }

  private void head(HttpResponse response, Answer answer) {
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, answer.type())
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set("X-Content-Type-Options", "nosniff");
    answer.headers().forEach((name, value) -> response.headers().set(name, value));
    if (head != null) {
      head.marks().forEach((name, value) -> response.headers().set(name, value));
    }
  }

  /** The connection belongs to this answer from now on. */
  private void follow(ChannelHandlerContext context, Answer answer, Source source) {
    deaf = true;
    following = true;
    anytime();
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head(response, answer);
    HttpUtil.setTransferEncodingChunked(response, true);
    HttpUtil.setKeepAlive(response, false);
    context.writeAndFlush(response);
    // Somebody has to read for the end of the other side to be seen; what it says is dropped,
    // and one more request ends it.
    context.channel().config().setAutoRead(true);
    context.channel().closeFuture().addListener(closed -> source.gone());
    source.begin(new ChannelSink(context, limits.times().send()));
  }

  private void give() {
    if (held > 0) {
      room.give(held);
      held = 0;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    anytime();
    give();
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
