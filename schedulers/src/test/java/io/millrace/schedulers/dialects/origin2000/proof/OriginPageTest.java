package io.millrace.schedulers.dialects.origin2000.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.dialects.origin2000.config.OriginEffect;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about the options is generated from the table and the tests. */
class OriginPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/origin2000.md");
  private static final int WIDTH = 118;

  private static final String HEAD =
      """
      # The Origin2000 dialect and its options

      Made from the table of options and its tests; do not edit. To make it anew after a change:
      `./mvnw -pl schedulers -am test -Dtest=OriginPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      NAS's scheduler for Origin2000 machines reads a file `config` with a line for each option, `OPTION argument`, and
      beside it `holidays`, `decay_usage`, and in SCHED_ACCT_DIR `allocations` and `current`. Its cycle, its order, its
      texts on jobs and its files are here; [what is done otherwise](origin2000-differences.md), and why.
      `./millrace policy check FOLDER` says what of such a folder is right, `policy explain` what it means.
      A session that was recorded is replayed, and held against the recording, with
      `./millrace simulate --case DIR --compare`. `./millrace policy load SCHEDULER FOLDER` makes such a folder [the policy
      of a scheduler object](origin2000-live.md).

      Comments begin with #. The last of several lines for an option counts; lists of queues are joined. An argument
      that is not of its type, an option that does not exist and options that do not fit each other are refused, with
      file and line. A node is two processors with 512 MiB.

      Each option has the test that is told last. The build runs each test a second time with the option at its usual
      value; a test that still passes then fails the build. "decides": decisions or their records depend on it. "kept":
      read, checked and printed again, without any consequence.

      ## Options

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
    Map<OriginOption, OriginProof> proofs =
        OriginProofs.all().stream().collect(Collectors.toMap(OriginProof::option, it -> it));
    StringBuilder page = new StringBuilder(HEAD);
    for (OriginOption option : OriginOption.values()) {
      page.append(row(option, proofs.get(option)));
    }
    return page.toString();
  }

  private static String row(OriginOption option, OriginProof proof) {
    String usual = option.written(new OriginPlace("HOST", ZoneOffset.UTC)).orElse("not set");
    String effect = option.effect() == OriginEffect.DECIDES ? "decides" : "kept";
    String text =
        "%s. %s %s Test: %s."
            .formatted(option.type().expected(), option.meaning(), option.changes(), proof.shows());
    return "- `%s` (usually `%s`; %s):\n%s".formatted(option, usual, effect, wrapped(text));
  }

  private static String wrapped(String text) {
    StringBuilder lines = new StringBuilder();
    StringBuilder line = new StringBuilder(" ");
    String first = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    for (String word : first.split(" ")) {
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.append(line).append('\n');
        line = new StringBuilder(" ");
      }
      line.append(' ').append(word);
    }
    return lines.append(line).append('\n').toString();
  }
}
