package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.state.Queue;
import io.millrace.server.gateway.link.ClusterView;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client against a real HTTP server that answers as a shard's owner does. */
class QueryClientTest {

  private final RecordCodec codec = WireCodec.local();
  private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
  private final List<String> asked = new ArrayList<>();
  private HttpServer http;
  private QueryClient client;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().toString();
          synchronized (asked) {
            asked.add(path);
          }
          byte[] answer = answers.get(path);
          boolean known =
              "secret".equals(exchange.getRequestHeaders().getFirst("X-Millrace-Token"));
          exchange.sendResponseHeaders(
              known ? answer == null ? 404 : 200 : 403, answer == null ? -1 : answer.length);
          if (answer != null) {
            exchange.getResponseBody().write(answer);
          }
          exchange.close();
        });
    http.start();
    client = new QueryClient(cluster(http.getAddress().getPort()), codec, () -> "secret");
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private static ClusterView cluster(int port) {
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
        return Optional.of(new ShardOwner(shard, "127.0.0.1:" + port, 0L));
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
  void brokenAnswersAreSaid() {
    answers.put("/v1/queues?shard=0", new byte[] {0x7f, 0, 0, 0, 1});
    QueryException e = assertThrows(QueryException.class, () -> client.queues());
    assertTrue(e.getMessage().startsWith("shard 0: broken answer: "), e.getMessage());
  }

  @Test
  void anOwnerThatDoesNotAnswerIsSaidWithinFiveSeconds() {
    http.stop(0);
    long began = System.nanoTime();
    QueryException e = assertThrows(QueryException.class, () -> client.queues());
    assertTrue(e.getMessage().endsWith("does not answer"), e.getMessage());
    assertTrue(System.nanoTime() - began < 60_000_000_000L);
  }

  @Test
  void anOwnerThatStopsInTheMiddleOfAnAnswerIsSaid() {
    http.createContext(
        "/v1/schedulers",
        exchange -> {
          exchange.sendResponseHeaders(200, 1000);
          exchange.getResponseBody().write(new byte[10]);
          exchange.getResponseBody().flush();
        });
    QueryClient hasty =
        new QueryClient(
            cluster(http.getAddress().getPort()), codec, () -> "secret", Duration.ofSeconds(1));
    QueryException e =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> assertThrows(QueryException.class, () -> hasty.schedulers()));
    assertTrue(e.getMessage().endsWith("does not answer"), e.getMessage());
  }
}
