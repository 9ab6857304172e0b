package io.millrace.ops.health;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where parts tell their health, and what they say there. */
public record HealthLines(HealthPorts ports) {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** A line for each of these parts that tells it. */
  public List<String> of(List<String> parts) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    for (String part : parts) {
      Optional<InetSocketAddress> address = ports.address(part);
      if (address.isPresent()) {
        lines.add(
            String.format(
                "%-12s %-22s %s", part, text(address.get()), said(client, address.get())));
      }
    }
    return lines;
  }

  private static String text(InetSocketAddress address) {
    return HealthPorts.text(address);
  }

  /** Where all addresses are listened at, one of this host answers. */
  private static String said(HttpClient client, InetSocketAddress address)
      throws InterruptedException {
    boolean all = address.getAddress().isAnyLocalAddress();
    String host = all ? "127.0.0.1:" + address.getPort() : text(address);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + "/ready")).timeout(PATIENCE).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body().strip();
    } catch (IOException e) {
      return "does not answer";
    }
  }
}
