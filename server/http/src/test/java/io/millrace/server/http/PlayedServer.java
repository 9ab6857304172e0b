package io.millrace.server.http;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A server of HTTP at a free port of 127.0.0.1 that gives the answers of a test. */
public final class PlayedServer implements AutoCloseable {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(20, 20),
          1 << 20,
          new HttpLimits.HttpMemoryLimits(4 << 20, 4 << 20, 40 << 20),
          new HttpLimits.Workers(2, 10),
          new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, LONG, LONG));

  private final List<ReceivedRequest> requests = Collections.synchronizedList(new ArrayList<>());
  private final HttpListener listener;

  /** What it answers. */
  public interface PlayedAnswers {
    HttpAnswer to(ReceivedRequest request) throws InterruptedException;
  }

  /**
   * @param tls certificate and key; empty for plain HTTP
   */
  public PlayedServer(Optional<SslContext> tls, PlayedAnswers answers) throws IOException {
    HttpService service =
        new HttpService() {
          @Override
          public HttpAnswer answer(ReceivedRequest request) throws InterruptedException {
            requests.add(request);
            return answers.to(request);
          }

          @Override
          public HttpAnswer refusal(HttpRefusal why, String text) {
            return json(why.status(), text);
          }
        };
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    listener =
        HttpListener.open(new HttpListener.ListenerAddress("played", any, tls), LIMITS, service);
  }

  /** An answer that is said to be JSON, whatever it is. */
  public static HttpAnswer json(int status, String body) {
    return HttpAnswer.whole(status, "application/json", body.getBytes(StandardCharsets.UTF_8));
  }

  public int port() {
    return listener.address().getPort();
  }

  /** What has come as a whole, in order. */
  public List<ReceivedRequest> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    listener.close();
  }
}
