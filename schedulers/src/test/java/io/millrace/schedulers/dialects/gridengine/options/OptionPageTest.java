package io.millrace.schedulers.dialects.gridengine.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about the options is made from the tables and from the tests. */
class OptionPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/gridengine-options.md");

  private static final String HEAD =
      """
      # Options of the Grid Engine dialect

      Made from the tables of options and their tests; do not edit. To make it anew after a change:
      `./mvnw -pl schedulers -am test -Dtest=OptionPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      Each option has the test that its row describes. The build runs each test a second time with
      the option at its usual value; a test that still passes then fails the build.
      "decides": decisions or their records depend on it. "kept": read, checked and printed again,
      without any consequence for who starts where and when. "fixed": only the usual value is accepted,
      since Millrace does not have what is behind the others.
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
    Map<String, Proof> proofs =
        Proofs.all().stream().collect(Collectors.toMap(Proof::name, proof -> proof));
    StringBuilder page = new StringBuilder(HEAD);
    ObjectTables.all()
        .forEach(
            (name, table) -> {
              page.append("\n## ").append(name).append("\n\n");
              page.append("| option | usual value | | meaning | what it changes | test |\n");
              page.append("|---|---|---|---|---|---|\n");
              table.options().forEach(option -> page.append(row(option, table, proofs)));
            });
    return page.toString();
  }

  private static String row(Option option, OptionTable table, Map<String, Proof> proofs) {
    Proof proof = proofs.get(table.title() + ": " + option.name());
    return "| "
        + String.join(
            " | ",
            "`" + option.name() + "`",
            "`" + option.usual() + "`",
            option.effect().name().toLowerCase(java.util.Locale.ROOT),
            option.meaning(),
            option.changes(),
            proof.shows())
        + " |\n";
  }
}
