package io.millrace.schedulers.dialects.gridengine.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schedulers.gridengine.language.options.Option;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about options is generated from the tables and the tests. */
class OptionPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/gridengine-options.md");

  private static final String HEAD =
      """
      # Options of the Grid Engine dialect

      Made from the tables of options and their tests; do not edit. To make it anew after a change:
      `./mvnw -pl schedulers -am test -Dtest=OptionPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      Each option has the test that is told last. The build runs each test a second time with
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
              table.options().forEach(option -> page.append(row(option, table, proofs)));
            });
    return page.toString();
  }

  private static String row(Option option, OptionTable table, Map<String, Proof> proofs) {
    Proof proof = proofs.get(table.title() + ": " + option.name());
    String text =
        "%s %s Test: %s."
            .formatted(option.meaning(), option.changes(), proof.shows().replaceAll("\\.$", ""));
    return "- `%s` (usually `%s`; %s):\n"
            .formatted(
                option.name(), option.usual(), option.effect().name().toLowerCase(Locale.ROOT))
        + text.strip().replaceAll("(.{1,118})(?: +|$)", "  $1\n");
  }
}
