package io.millrace.images;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The site of the compose file comes up in its own order, runs a job, is seen by Prometheus, and
 * ends. Its services are child processes in namespaces of their own, with the images' commands,
 * users and environments: no container engine is asked.
 */
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComposeSiteIT {

  private static final Duration SOON = Duration.ofSeconds(240);
  private static final String NET = "198.19.94.";
  private static final String BRIDGE = "mc" + ProcessHandle.current().pid();

  @TempDir Path folder;
  private ComposeFile file;
  private final Map<String, ServiceRoom> rooms = new LinkedHashMap<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  void up() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "namespaces take root's rights");
    file = ComposeFile.read();
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path launcher = Files.writeString(bin.resolve("millrace"), ImageWriter.LAUNCHER);
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    network();
    for (String service : file.services()) {
      if (there(service)) {
        begin(service);
      }
    }
    rooms.values().stream().filter(this::checked).forEach(this::awaitHealth);
  }

  /** Whether what it runs is there: all of ours, and Debian's Prometheus. */
  private boolean there(String service) {
    boolean there =
        file.image(service).isPresent() || Files.isExecutable(Path.of("/usr/bin", service));
    if (!there) {
      System.out.println("compose: SKIPPED " + service + ": no /usr/bin/" + service + " is here");
    }
    return there;
  }

  private boolean checked(ServiceRoom room) {
    return file.service(room.service()).has("healthcheck");
  }

  /** What it waits for comes first. */
  private void begin(String service) throws Exception {
    if (rooms.containsKey(service)) {
      return;
    }
    for (String once : file.after(service, true)) {
      begin(once);
      ServiceRoom room = rooms.get(once);
      assertEquals(0, room.end(SOON.toSeconds()), () -> once + ": " + room.said());
    }
    for (String other : file.after(service, false)) {
      begin(other);
    }
    for (String other : file.after(service, false)) {
      awaitHealth(rooms.get(other));
    }
    ServiceRoom room = new ServiceRoom(file, service, folder, namespace(service));
    rooms.put(service, room);
    room.start();
  }

  private void awaitHealth(ServiceRoom room) {
    Awaitility.await(room.service() + " is healthy")
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> room.healthy() || !room.alive());
    assertTrue(room.alive(), () -> room.service() + " has ended: " + room.said());
  }

  private static String namespace(String service) {
    return BRIDGE + "-" + Integer.toHexString(service.hashCode() & 0xffff);
  }

  private String address(String service) {
    return NET + (11 + file.services().indexOf(service));
  }

  private void network() throws Exception {
    StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
    ip("link", "add", BRIDGE, "type", "bridge");
    ip("addr", "add", NET + "1/24", "dev", BRIDGE);
    ip("link", "set", BRIDGE, "up");
    for (String service : file.services()) {
      String name = namespace(service);
      hosts.append(address(service)).append(' ').append(service).append('\n');
      ip("netns", "add", name);
      ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
      ip("link", "set", name, "master", BRIDGE);
      ip("link", "set", name, "up");
      ip("-n", name, "addr", "add", address(service) + "/24", "dev", "eth0");
      ip("-n", name, "link", "set", "lo", "up");
      ip("-n", name, "link", "set", "eth0", "up");
    }
    Files.writeString(folder.resolve("hosts"), hosts);
  }

  private static int status(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("ip"));
    line.addAll(List.of(arguments));
    return new ProcessBuilder(line)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectErrorStream(true)
        .start()
        .waitFor();
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    assertEquals(0, status(arguments), () -> String.join(" ", arguments));
  }

  @AfterAll
  void down() throws Exception {
    if (file == null) {
      return;
    }
    for (ServiceRoom room : rooms.values()) {
      room.stop();
    }
    for (String service : file.services()) {
      status("link", "del", namespace(service));
      status("netns", "del", namespace(service));
    }
    status("link", "del", BRIDGE);
  }

  @Test
  void aJobRunsAndAllPartsAreSeen() throws Exception {
    ServiceRoom gateway = rooms.get("gateway");
    ServiceRoom nodes = rooms.get("nodes");
    assertEquals(0, nodes.end(SOON.toSeconds()), nodes::said);
    ServiceRoom.RoomAnswer job =
        gateway.run(List.of("qsub", "-j", "oe", "-o", "/dev/null", "--", "/bin/true"));
    assertEquals(0, job.status(), job.out());
    String id = job.out().strip();
    assertTrue(id.endsWith(".site"), id);
    Awaitility.await("the job has ended")
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> gateway.run(List.of("qstat", "-xf", id)).out().contains("job_state = F"));
    ServiceRoom.RoomAnswer listed = gateway.run(List.of("qstat", "-xf", id));
    assertTrue(listed.out().contains("Exit_status = 0"), listed.out());
    ServiceRoom tools = rooms.get("accounting");
    ServiceRoom.RoomAnswer web =
        tools.run(List.of("/usr/bin/env", "bash", "-c", "exec 3<>/dev/tcp/web/8443"));
    assertEquals(0, web.status(), web.out());
    if (rooms.containsKey("prometheus")) {
      prometheusSeesAll();
    }
    serverOneIsKilledAndComesBack();
  }

  private JsonNode ask(String query) {
    String text = URLEncoder.encode(query, StandardCharsets.UTF_8);
    URI uri = URI.create("http://" + address("prometheus") + ":9090/api/v1/query?query=" + text);
    try {
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      return new ObjectMapper().readTree(answer.body());
    } catch (IOException e) {
      return new ObjectMapper().createObjectNode(); // it is not there yet
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void prometheusSeesAll() {
    long parts =
        file.services().stream().filter(it -> file.command(it).contains("--health")).count();
    Awaitility.await("Prometheus sees all parts")
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> ask("sum(up{job=\"millrace\"})").at("/data/result/0/value/1").asLong() == parts);
    assertEquals(
        parts, ask("sum(millrace_ready)").at("/data/result/0/value/1").asLong(), "all are ready");
  }

  /** As the file's {@code restart} has it; the other one serves meanwhile. */
  private void serverOneIsKilledAndComesBack() throws Exception {
    ServiceRoom server = rooms.get("server-1");
    server.kill();
    ServiceRoom gateway = rooms.get("gateway");
    ServiceRoom.RoomAnswer job =
        gateway.run(List.of("qsub", "-j", "oe", "-o", "/dev/null", "--", "/bin/true"));
    assertEquals(0, job.status(), job.out());
    server.start();
    awaitHealth(server);
  }
}
