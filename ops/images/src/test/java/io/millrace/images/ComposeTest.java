package io.millrace.images;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The compose file against the images: what it runs, and how it asks for health. */
class ComposeTest {

  private static final String JOIN = "/etc/millrace/join/millrace.join";
  private static final String HEALTH = "0.0.0.0:" + ImageKind.HEALTH_PORT;
  private static final Pattern MAIN = Pattern.compile("\\b(io\\.millrace\\.[a-z.]+\\.[A-Z]\\w+)");

  /** What docker-compose 1.29 knows of a service, of what is used here. */
  private static final Set<String> KNOWN =
      Set.of(
          "command",
          "depends_on",
          "entrypoint",
          "environment",
          "healthcheck",
          "image",
          "ports",
          "read_only",
          "restart",
          "security_opt",
          "tmpfs",
          "volumes");

  private ComposeFile file;

  @BeforeEach
  void read() throws IOException {
    file = ComposeFile.read();
  }

  @Test
  void allPartsOfASiteAreThere() {
    Set<String> once = Set.of("brokers", "cluster", "nodes");
    Set<String> lasting = new TreeSet<>(file.services());
    lasting.removeAll(once);
    assertEquals(
        Set.of(
            "b1",
            "b2",
            "b3",
            "server-1",
            "server-2",
            "gateway",
            "executor-1",
            "executor-2",
            "web",
            "accounting",
            "prometheus"),
        lasting);
    lasting.forEach(it -> assertEquals("unless-stopped", file.service(it).at("/restart").asText()));
    once.forEach(it -> assertFalse(file.service(it).has("restart"), it));
  }

  @Test
  void eachKeyIsOneThatDockerComposeKnows() {
    assertEquals(Set.of("services", "volumes", "x-part", "x-broker"), names(file.root()));
    for (String service : file.services()) {
      assertTrue(KNOWN.containsAll(names(file.service(service))), service);
      for (boolean once : List.of(true, false)) {
        for (String other : file.after(service, once)) {
          assertTrue(file.services().contains(other), service + " after " + other);
          boolean ends = !file.service(other).has("restart");
          assertEquals(ends, once, service + " waits for " + other);
          assertTrue(ends || file.service(other).has("healthcheck"), other);
        }
      }
    }
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** The command is the image's with other arguments, and nobody else's user. */
  @Test
  void partsRunAsTheirImagesDo() {
    int parts = 0;
    for (String service : file.services()) {
      if (file.image(service).isEmpty() || file.service(service).has("entrypoint")) {
        continue;
      }
      parts++;
      ImageKind kind = file.image(service).orElseThrow();
      List<String> own = ComposeFile.texts(file.service(service).path("command"));
      if (!kind.isPart()) {
        assertEquals(List.of("part", service), own.subList(0, 2));
        own = own.subList(2, own.size());
      } else {
        assertEquals(kind.text(), service.replaceAll("-[0-9]$", ""));
      }
      assertEquals(List.of("--join", JOIN, "--name", service, "--"), own.subList(0, 5), service);
      assertEquals(List.of("--health", HEALTH), own.subList(5, 7), service);
      assertTrue(file.service(service).path("read_only").asBoolean(), service);
      assertEquals(
          List.of("CMD", ImageKind.ROOT + "/bin/millrace-ready", "" + ImageKind.HEALTH_PORT),
          ComposeFile.texts(file.service(service).at("/healthcheck/test")),
          service);
      Set<String> volumes = new TreeSet<>(ComposeFile.texts(file.service(service).path("volumes")));
      assertEquals(
          new TreeSet<>(List.of("join:/etc/millrace/join:ro", service + ":" + ImageKind.VOLUME)),
          volumes,
          service);
    }
    assertEquals(7, parts);
  }

  @Test
  void programsThatAreNoPartsAreThere() throws IOException {
    int mains = 0;
    for (String service : file.services()) {
      if (file.image(service).isEmpty() || !file.service(service).has("entrypoint")) {
        continue;
      }
      List<String> command = file.command(service);
      assertTrue(Set.of("/usr/bin/java", "/bin/bash").contains(command.get(0)), service);
      Matcher main = MAIN.matcher(String.join(" ", command));
      while (main.find()) {
        mains++;
        String source = main.group(1).replace('.', '/') + ".java";
        Path there = ComposeFile.FOLDER.resolveSibling("src/main/java").resolve(source);
        assertTrue(Files.readString(there).contains("void main("), source);
      }
    }
    assertEquals(5, mains);
  }

  @Test
  void volumesAreNamedOnceAndFilesAreThere() {
    Set<String> used = new TreeSet<>();
    for (String service : file.services()) {
      for (String volume : ComposeFile.texts(file.service(service).path("volumes"))) {
        String from = volume.substring(0, volume.indexOf(':'));
        if (from.startsWith(".")) {
          assertTrue(Files.isRegularFile(ComposeFile.FOLDER.resolve(from)), from);
        } else {
          used.add(from);
        }
      }
    }
    assertEquals(names(file.root().path("volumes")), used);
  }

  @Test
  void prometheusAsksAllThatTellTheirHealth() throws IOException {
    Set<String> tell = new TreeSet<>();
    for (String service : file.services()) {
      if (file.command(service).contains("--health")) {
        tell.add(service + ":" + ImageKind.HEALTH_PORT);
      }
    }
    JsonNode prometheus =
        new ObjectMapper(new YAMLFactory())
            .readTree(ComposeFile.FOLDER.resolve("prometheus.yml").toFile());
    JsonNode job = prometheus.at("/scrape_configs/0");
    assertEquals("millrace", job.path("job_name").asText());
    assertEquals(tell, new TreeSet<>(ComposeFile.texts(job.at("/static_configs/0/targets"))));
    assertEquals(List.of("alerts.yml"), ComposeFile.texts(prometheus.path("rule_files")));
  }
}
