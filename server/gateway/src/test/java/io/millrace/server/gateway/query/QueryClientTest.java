package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.state.Queue;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.HttpLimits;
import io.millrace.server.http.HttpListener;
import io.millrace.server.http.HttpRefusal;
import io.millrace.server.http.HttpService;
import io.millrace.server.http.ReceivedRequest;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against a real HTTP server that answers as a shard's owner does. */
class QueryClientTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final HttpLimits LIMITS =
      new HttpLimits(
          new HttpLimits.Connections(100, 100),
          0,
          new HttpLimits.HttpMemoryLimits(0, 0, 1 << 20),
          new HttpLimits.Workers(8, 100),
          new HttpLimits.HttpTimeLimits(LONG, LONG, LONG, LONG, LONG));

  private static final String STUCK = "/v1/schedulers";

  /** Ends when the test does. */
  private final CountDownLatch silence = new CountDownLatch(1);

  private final RecordCodec codec = WireCodec.local();
  private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
  private final List<String> asked = new ArrayList<>();
  @TempDir Path folder;
  private Path socket;
  private HttpListener http;
  private QueryClient client;

  @BeforeEach
  void start() throws IOException {
    socket = folder.resolve("query.sock");
    http =
        HttpListener.open(HttpListener.ListenerAddress.local("owner", socket), LIMITS, new Owner());
    client = new QueryClient(cluster(socket), codec, () -> "secret", folder);
  }

  @AfterEach
  void stop() {
    silence.countDown();
    http.close();
  }

  /** Gives what {@link #answers} has for a path; of the stuck one only the beginning. */
  private final class Owner implements HttpService {

    @Override
    public HttpAnswer answer(ReceivedRequest request) {
      if (request.target().startsWith(STUCK)) {
        return HttpAnswer.written(
            "application/octet-stream", QueryClientTest.this::stopInTheMiddle);
      }
      synchronized (asked) {
        asked.add(request.target());
      }
      byte[] answer = answers.get(request.target());
      boolean known = request.header("X-Millrace-Token").equals(Optional.of("secret"));
      return HttpAnswer.whole(
          known ? answer == null ? 404 : 200 : 403,
          "application/octet-stream",
          answer == null ? new byte[0] : answer);
    }

    @Override
    public HttpAnswer refusal(HttpRefusal why, String text) {
      return HttpAnswer.whole(why.status(), "text/plain", text.getBytes());
    }
  }

  /** More than is kept before the first is sent. */
  private void stopInTheMiddle(OutputStream body) throws IOException {
    body.write(new byte[1 << 17]);
    try {
      silence.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  private static ClusterView cluster(Path socket) {
    return new ClusterView() {
      @Override
      public Optional<ClusterObject> find(ObjectKind kind, String name) {
        return Optional.empty();
      }

      @Override
      public List<ClusterObject> all(ObjectKind kind) {
        return List.of();
      }

      @Override
      public List<Integer> shards() {
        return List.of(0, 1);
      }

      @Override
      public Optional<ShardOwner> owner(int shard) {
        return Optional.of(new ShardOwner(shard, "unix:" + socket, 0L));
      }

      @Override
      public void barrier() {}
    };
  }

  private byte[] frames(Queue... queues) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (Queue queue : queues) {
      byte[] record = codec.encode(queue);
      out.writeInt(record.length);
      out.write(record);
    }
    return bytes.toByteArray();
  }

  private static Queue queue(String name) {
    return new Queue(name, Map.of("QUEUED", 3L), Map.of(), false, -1L, -1L);
  }

  @Test
  void recordsOfAllShardsComeInFrames() throws Exception {
    answers.put("/v1/queues?shard=0", frames(queue("a"), queue("b")));
    answers.put("/v1/queues?shard=1", frames(queue("c")));
    assertEquals(List.of("a", "b", "c"), client.queues().stream().map(Queue::getName).toList());
  }

  @Test
  void aBlockOfNumbersIsAskedForOnce() throws Exception {
    answers.put("/v1/birth/1234?shard=0", "5".getBytes());
    assertEquals(OptionalInt.of(5), client.birth(1234));
    assertEquals(OptionalInt.of(5), client.birth(1999));
    assertEquals(OptionalInt.empty(), client.birth(2000));
    assertEquals(OptionalInt.empty(), client.birth(2000));
    assertEquals(3, asked.size());
  }

  @Test
  void aShardThatIsNotServedYetIsSaid() {
    assertEquals("shard 3 is not ready yet", QueryClient.answered(3, 503));
    assertEquals("shard 3 answered HTTP 500", QueryClient.answered(3, 500));
  }

  @Test
  void brokenAnswersAreSaid() {
    answers.put("/v1/queues?shard=0", new byte[] {0x7f, 0, 0, 0, 1});
    QueryException e = assertThrows(QueryException.class, () -> client.queues());
    assertTrue(e.getMessage().startsWith("shard 0: broken answer: "), e.getMessage());
  }

  @Test
  void anOwnerThatDoesNotAnswerIsSaidWithinFiveSeconds() {
    http.close();
    long began = System.nanoTime();
    QueryException e = assertThrows(QueryException.class, () -> client.queues());
    assertTrue(e.getMessage().endsWith("does not answer"), e.getMessage());
    assertTrue(System.nanoTime() - began < 60_000_000_000L);
  }

  @Test
  void anOwnerThatStopsInTheMiddleOfAnAnswerIsSaid() {
    QueryClient hasty =
        new QueryClient(cluster(socket), codec, () -> "secret", folder, Duration.ofSeconds(1));
    QueryException e =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> assertThrows(QueryException.class, () -> hasty.schedulers()));
    assertTrue(e.getMessage().endsWith("does not answer"), e.getMessage());
  }
}
