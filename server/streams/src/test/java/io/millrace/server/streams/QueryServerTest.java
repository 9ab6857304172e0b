package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryServerTest {
  private static final ServerSettings SETTINGS =
      new ServerSettings(Map.of(), Path.of("unused"), "test", "127.0.0.1:0", "secret", true);

  /** Any user of the host can connect, so that must not be enough to stop every qstat. */
  @Test
  void requestsThatAreNeverWholeKeepNobodyWaitingForLong() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (QueryServer server =
        new QueryServer(SETTINGS, new OwnedShards(), null, new LiveUsages())) {
      URI uri = URI.create("http://" + server.address() + "/v1/nodes?shard=0");
      for (int i = 0; i < 16; i++) {
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.getOutputStream().write("GET / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.UTF_8));
        silent.add(socket);
      }
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .header("X-Millrace-Token", "secret")
              .timeout(Duration.ofSeconds(20))
              .build();
      HttpResponse<String> response =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      assertEquals(503, response.statusCode());
      assertEquals("shard 0 is not here", response.body());
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /** What shards tell has the variables of all jobs, and any user of the host can connect. */
  @Test
  void whoDoesNotKnowTheTokenIsToldNothing() throws Exception {
    try (QueryServer server =
        new QueryServer(SETTINGS, new OwnedShards(), null, new LiveUsages())) {
      URI uri = URI.create("http://" + server.address() + "/v1/jobs?shard=0");
      HttpRequest without = HttpRequest.newBuilder(uri).build();
      HttpRequest wrong = HttpRequest.newBuilder(uri).header("X-Millrace-Token", "secre").build();
      for (HttpRequest request : List.of(without, wrong)) {
        HttpResponse<String> response =
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertEquals(403, response.statusCode());
        assertEquals("token missing or wrong", response.body());
      }
    }
  }
}
