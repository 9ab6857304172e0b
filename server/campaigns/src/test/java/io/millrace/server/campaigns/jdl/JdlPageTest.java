package io.millrace.server.campaigns.jdl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.server.campaigns.jdl.JdlField.JdlFieldPlace;
import io.millrace.server.campaigns.jdl.ValueKind.RefusedKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The page about descriptions of campaigns is made from the table of fields. */
final class JdlPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root")).resolve("docs/jdl.md");

  private static final String HEAD =
      """
      # Descriptions of campaigns

      Made from the table of fields; do not edit. To make it anew after a change:
      `./mvnw -pl server/campaigns -am test -Dtest=JdlPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      A campaign is described in CiGri 3's JDL, a JSON object:

          {
            "name": "scan",
            "params": ["one 0.1", "two 0.2"],
            "exec_file": "{HOME}/scan.sh",
            "walltime": "00:10:00",
            "clusters": {"small": {}, "large": {"walltime": "00:05:00", "max_jobs": 40}}
          }

      `gridsub --check FILE` says what a description describes, or each fault with its place and why; `gridsub --check -`
      reads standard input, and a description may stand in place of a file. `gridsub --schema` prints the JSON Schema, made
      from the same table. [What is carried out](campaigns.md).

      A campaign has a `name`, `clusters`, and exactly one of `params`, `param_file` and `nb_jobs`. Who its owner is comes
      from whoever submits it, never from the description. A description has at most 64 MiB. Names of fields are in lower
      case. A field twice, an unknown one, `null` and what stands behind the end are refused.

      Paths may begin with `~`, `$HOME` or `{HOME}`, the home of the owner, and hold `{CAMPAIGN_ID}`, but for `param_file`;
      commands may hold `{OAR_JOB_ID}` too, the id of their job. Other macros and `..` in paths are refused.
      """;

  private static void rows(StringBuilder page, String heading, Predicate<JdlField> which) {
    page.append("\n## ").append(heading).append("\n\n");
    for (JdlField field : JdlFields.all().stream().filter(which).toList()) {
      page.append("- `").append(field.name()).append("`");
      String value = field.value().words();
      page.append(" (").append(value);
      field.usual().ifPresent(usual -> page.append("; usually ").append(usual));
      page.append("):\n  ").append(field.meaning()).append('\n');
    }
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder(HEAD);
    Predicate<JdlField> refused = field -> field.value() instanceof RefusedKind;
    rows(page, "Of the campaign only", field -> field.place() == JdlFieldPlace.CAMPAIGN);
    rows(
        page,
        "Of the campaign, or of one cluster",
        field -> field.place() == JdlFieldPlace.CLUSTER && !refused.test(field));
    rows(page, "CiGri's fields that are refused", refused);
    if (Boolean.getBoolean("millrace.write")) {
      Files.writeString(PAGE, page);
    }
    List<String> written = Files.exists(PAGE) ? Files.readAllLines(PAGE) : List.of();
    assertEquals(page.toString().lines().toList(), written);
  }
}
