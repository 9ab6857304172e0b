package io.millrace.server.streams;

import io.millrace.schemas.program.SocketText;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ListeningPlaces;
import io.millrace.server.http.ReceivedRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * Listens for the gateways' queries and answers those who know the token. 404: there is no such
 * object; 409 with X-Millrace-Shard: it lives in that shard; 503: this process does not hold the
 * shard.
 */
final class QueryServer implements AutoCloseable {

  /**
   * Time for a whole request; a gateway sends it in one piece and reads the answer without a pause.
   */
  private static final Duration REQUEST_MAX = Duration.ofSeconds(3);

  private static final Duration IDLE_MAX = Duration.ofSeconds(30);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  /** Queries have no body. Of an answer that is larger than a piece only two pieces are held. */
  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(2048, 2048),
          1 << 16,
          new HttpLimits.HttpMemoryLimits(4L << 20, 0, 32L << 20),
          new HttpLimits.Workers(8, 256),
          new HttpLimits.HttpTimeLimits(
              IDLE_MAX, REQUEST_MAX, REQUEST_MAX, ANSWER_MAX, ANSWER_MAX));

  private static final String LOCAL = "unix:";
  private static final String REMOTE = "tls:";

  private final List<HttpListener> listeners = new ArrayList<>();
  private final String address;

  /**
   * Starts to answer queries.
   *
   * @param queries answers them
   */
  QueryServer(ServerSettings settings, StoreQueries queries) throws IOException {
    GuardedQueries service =
        new GuardedQueries(settings.queryToken().getBytes(StandardCharsets.UTF_8), queries);
    ListeningPlaces places = settings.queries();
    listeners.add(
        HttpListener.open(
            HttpListener.ListenerAddress.local("query", places.socket()), LIMITS, service));
    if (places.remote().isEmpty()) {
      this.address = LOCAL + places.socket();
      return;
    }
    ListeningPlaces.Remote remote = places.remote().get();
    HttpListener.ListenerAddress place =
        new HttpListener.ListenerAddress("query-tls", remote.address(), Optional.of(remote.tls()));
    try {
      listeners.add(HttpListener.open(place, LIMITS, service));
    } catch (IOException e) {
      close();
      throw e;
    }
    this.address = REMOTE + SocketText.text(remote.address());
  }

  String address() {
    return address;
  }

  @Override
  public void close() {
    listeners.forEach(HttpListener::close);
  }

  private record GuardedQueries(byte[] token, StoreQueries queries) implements HttpService {

    @Override
    public Early early(ReceivedRequest head) {
      byte[] shown = head.header("X-Millrace-Token").orElse("").getBytes(StandardCharsets.UTF_8);
      return MessageDigest.isEqual(shown, token)
          ? Early.goOn(true, Map.of())
          : Early.refused(StoreQueries.plain(403, "token missing or wrong"));
    }

    @Override
    public HttpAnswer answer(ReceivedRequest request) {
      return queries.answer(request.method(), request.target());
    }

    @Override
    public Optional<HttpAnswer> expected(RuntimeException failure) {
      if (failure instanceof InvalidStateStoreException) {
        String text = "shard is not ready: " + failure.getMessage();
        return Optional.of(StoreQueries.plain(503, text));
      }
      return failure instanceof IllegalArgumentException
          ? Optional.of(StoreQueries.plain(400, String.valueOf(failure.getMessage())))
          : Optional.empty();
    }

    @Override
    public HttpAnswer refusal(HttpRefusal why, String text) {
      return StoreQueries.plain(
          why.status(),
          why == HttpRefusal.INTERNAL ? "the query failed: see the server's log" : text);
    }
  }
}
