package io.millrace.ops.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.connect.ConnectSide;
import io.millrace.connectors.connect.SettingsTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The settings on the page about Kafka Connect are generated from their table. */
class ConnectPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/connect.md");

  private static final String BEGIN = "## All settings\n";

  private static final String HEAD =
      BEGIN
          + """

          Made from the table of keys of cluster files; do not edit from here on. To make it anew after a change:
          `./mvnw -pl ops -am test -Dtest=ConnectPageTest -Dmillrace.write=true
          -Dsurefire.failIfNoSpecifiedTests=false`.

          A setting that begins with `cluster.` or `millrace.` and is not here, or is one of another system, is refused.
          """;

  @Test
  void thePageIsUpToDate() throws IOException {
    String page = Files.readString(PAGE);
    String prose = page.substring(0, page.indexOf(BEGIN));
    if (Boolean.getBoolean("millrace.write")) {
      Files.writeString(PAGE, prose + settings());
    }
    assertEquals(prose + settings(), Files.readString(PAGE));
  }

  private static String settings() {
    StringBuilder page = new StringBuilder(HEAD);
    for (ConnectSide side : ConnectSide.values()) {
      String name = side == ConnectSide.SOURCE ? "source" : "sink";
      page.append("\n### Of the ").append(name).append("\n\n");
      rows(page, SettingsTable.ofHost(side));
      rows(page, SettingsTable.ofEachSystem(side));
      for (OutsideKind kind : SettingsTable.kinds()) {
        page.append("\nWith `cluster.system` = ").append(kind.name()).append(":\n\n");
        rows(page, SettingsTable.ofSystem(side, kind));
      }
    }
    return page.toString();
  }

  private static void rows(StringBuilder page, List<ClusterKey> keys) {
    keys.forEach(it -> page.append(row(it)));
  }

  private static String row(ClusterKey key) {
    String name = key.name().endsWith(".") ? key.name() + "NAME" : key.name();
    boolean number = key.form() instanceof ClusterKey.NumberForm;
    String usual =
        key.usual()
            .map(it -> "default `" + it + "`")
            .orElse(key.required() ? "must be given" : "no default");
    return ("- `%s` (%s; %s; %s): %s"
            .formatted(name, number ? "long" : "string", usual, key.form().words(), key.sentence()))
        .replaceAll("(.{1,116})(?: +|$)", "  $1\n")
        .substring(2);
  }
}
