package io.millrace.ops.bench.site;

import io.millrace.schemas.health.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers that the server tells at its port of health.
 *
 * @param port of it; the other parts have the next ones
 */
public record ServerNumbers(int port) {

  /** Ports above it that parts of one home may take. */
  private static final int PARTS = 16;

  private static final int TRIES = 50;

  /** Ports of health that nobody has now. */
  public static ServerNumbers atFreePorts() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      List<ServerSocket> taken = new ArrayList<>();
      try {
        ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        taken.add(first);
        for (int above = 1; above < PARTS; above++) {
          int next = first.getLocalPort() + above;
          taken.add(new ServerSocket(next, 1, InetAddress.getLoopbackAddress()));
        }
        return new ServerNumbers(first.getLocalPort());
      } catch (IOException | IllegalArgumentException e) {
        // One of them is somebody's: others are tried.
      } finally {
        for (ServerSocket socket : taken) {
          socket.close();
        }
      }
    }
    throw new IOException("no " + PARTS + " ports in a row are free on this host");
  }

  /** The option of {@code up} for it. */
  public List<String> upOptions() {
    return List.of("--health", String.valueOf(port));
  }

  /** A number by its only label. */
  public Map<String, Double> byLabel(Metric metric) throws IOException, InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + port + "/metrics");
    HttpResponse<String> said =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    if (said.statusCode() != 200) {
      throw new IOException(address + " answers " + said.statusCode());
    }
    return read(said.body(), metric);
  }

  static Map<String, Double> read(String text, Metric metric) {
    Pattern line =
        Pattern.compile(
            Pattern.quote(metric.text())
                + "\\{"
                + metric.labels().get(0)
                + "=\"([^\"]*)\"\\} (\\S+)");
    Map<String, Double> numbers = new HashMap<>();
    for (String each : text.lines().toList()) {
      Matcher found = line.matcher(each);
      if (found.matches()) {
        numbers.put(found.group(1), Double.parseDouble(found.group(2)));
      }
    }
    return numbers;
  }
}
