package io.millrace.ops.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page about cluster files is generated from the table of their keys. */
class ClusterFilePageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/outside-keys.md");

  private static final String HEAD =
      """
      # Keys of a cluster file

      Made from the table of keys; do not edit. To make it anew after a change:
      `./mvnw -pl ops -am test -Dtest=ClusterFilePageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      A cluster file has lines `KEY = VALUE`; empty lines and lines that begin with `#` say nothing. A key that
      is not here, or is one of another system, is refused.
      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    String page = page();
    if (Boolean.getBoolean("millrace.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page, Files.exists(PAGE) ? Files.readString(PAGE) : "");
  }

  private static String page() {
    List<OutsideKind> kinds =
        OutsideWord.kinds().stream().sorted((a, b) -> a.name().compareTo(b.name())).toList();
    StringBuilder page = new StringBuilder(HEAD);
    page.append("\n## Of each system\n\n");
    ClusterKeys.common(kinds.stream().map(OutsideKind::name).toList())
        .forEach(it -> page.append(row(it)));
    for (OutsideKind kind : kinds) {
      page.append("\n## Of `system = ").append(kind.name()).append("`\n\n");
      kind.keys().forEach(it -> page.append(row(it)));
    }
    return page.toString();
  }

  private static String row(ClusterKey key) {
    String name = key.name().endsWith(".") ? key.name() + "NAME" : key.name();
    String usual =
        key.usual()
            .map(it -> "usually `" + it + "`")
            .orElse(key.required() ? "must be given" : "not usual");
    return ("- `%s` (%s; %s): %s".formatted(name, usual, key.form().words(), key.sentence()))
        .replaceAll("(.{1,116})(?: +|$)", "  $1\n")
        .substring(2);
  }
}
