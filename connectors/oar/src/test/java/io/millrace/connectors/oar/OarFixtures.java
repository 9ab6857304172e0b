package io.millrace.connectors.oar;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What OAR 2.5.9 has answered; see the README beside the texts. */
final class OarFixtures {

  private static final RecordedTexts TEXTS = new RecordedTexts(OarFixtures.class);

  private OarFixtures() {}

  static String text(String name) {
    return TEXTS.text(name);
  }

  /** Fields of an output, each with what is made of it. */
  static Map<String, String> fields(String name) {
    return TEXTS.fields(name);
  }

  static List<JsonNode> items(String name) {
    List<JsonNode> items = new ArrayList<>();
    OarJson.items(answer(200, text(name)), OarQueue.MOST, items::add);
    return items;
  }

  static OarAnswer answer(int status, String body) {
    return new OarAnswer(ExchangeEnding.ANSWERED, status, body, Duration.ofMillis(20));
  }

  /** A file with passwords. */
  static Path credentials(Path folder, String text) throws IOException {
    Path file = folder.resolve("oar-passwords");
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** A cluster file with what it must have. */
  static ClusterFile file(Path folder, String url, String... more)
      throws IOException, ClusterFault {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = oar",
                "url = " + url,
                "credentials = " + folder.resolve("oar-passwords"),
                "spool = /spool",
                "user.alice = alice",
                "user.bob = bob"));
    lines.addAll(List.of(more));
    return ClusterFile.read(
        Files.write(folder.resolve("c1.properties"), lines), List.of(new OarKind()));
  }
}
