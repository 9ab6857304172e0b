package io.millrace.connectors.connect;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A worker of Kafka Connect as a process of its own, which has our plugins by its plugin.path. */
final class ConnectWorker implements AutoCloseable {

  static final Path PLUGINS =
      Path.of(System.getProperty("millrace.root", "../.."))
          .resolve("connectors/connect/target/plugin");

  private final Path folder;
  private final Map<String, String> settings = new TreeMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;
  private Process process;
  private long cpuMs;

  /**
   * @param broker address of the broker
   */
  ConnectWorker(Path folder, String broker, Map<String, String> more) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.port = freePort();
    settings.put("bootstrap.servers", broker);
    settings.put("plugin.path", PLUGINS.toAbsolutePath().normalize().toString());
    settings.put("plugin.discovery", "service_load");
    settings.put("listeners", "http://127.0.0.1:" + port);
    settings.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
    settings.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    settings.put("offset.flush.interval.ms", "500");
    settings.putAll(more);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  static Path properties(Path file, Map<String, String> settings) throws IOException {
    List<String> lines =
        settings.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).toList();
    return Files.write(file, lines);
  }

  /**
   * Starts it, or starts it again.
   *
   * @param program of Connect, standalone or distributed
   * @param connectors files of settings
   */
  void start(String program, Path... connectors) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", libraries()));
    words.add("org.apache.kafka.connect.cli." + program);
    words.add(properties(folder.resolve("worker.properties"), settings).toString());
    Arrays.stream(connectors).map(Path::toString).forEach(words::add);
    File log = folder.resolve("log").toFile();
    process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
  }

  /** Of the tests' class path what is not ours: nothing of it may hide a hole in the folder. */
  private static String libraries() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String root =
        PLUGINS.toAbsolutePath().normalize().resolve("../../../..").normalize().toString();
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(it -> !it.startsWith(root) && !it.contains("/io/millrace/"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Ends it in the middle of whatever it does. */
  void kill() throws InterruptedException {
    count();
    process.destroyForcibly();
    process.waitFor();
  }

  private void count() {
    cpuMs += process.info().totalCpuDuration().map(it -> it.toMillis()).orElse(0L);
  }

  /** Processor time of all of its lives that have ended. */
  long cpuMs() {
    return cpuMs;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** What the worker says to a request; empty while it does not answer. */
  String ask(String method, String path, String body) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() throws Exception {
    if (process == null) {
      return;
    }
    count();
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
