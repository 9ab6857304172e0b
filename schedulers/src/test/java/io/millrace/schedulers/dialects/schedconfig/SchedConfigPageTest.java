package io.millrace.schedulers.dialects.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about the options of sched_config is generated from the table. */
class SchedConfigPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/sched-config.md");

  private static final int WIDTH = 120;

  private static final String HEAD =
      """
      # PBS's sched_config

      Made from the table of options; do not edit. To make it anew after a change:
      `./mvnw -pl schedulers -am test -Dtest=SchedConfigPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

          ./millrace policy check /var/spool/pbs/sched_priv
          ./millrace policy explain /var/spool/pbs/sched_priv
          ./millrace policy load default /var/spool/pbs/sched_priv
          ./millrace simulate --case DIR --compare

      `check` reads `sched_config`, `holidays`, `dedicated_time` and `resource_group` of a folder, or one of them, known
      by what stands in it. OpenPBS logs a wrong line and goes on; here it is refused, with file, line, the reason, and
      what OpenPBS does with it: some wrong values it takes all the same. `--as-pbs` takes the lines so, and tells them
      as notes. Names that are out of date are told in OpenPBS's words and do what they do there. `explain` says what
      each option means and changes.

      `simulate --case` plays a recorded session of a PBS server: its nodes, queues and jobs go through the cycle that
      the live engine runs, by the files of its `sched_priv`, with a virtual clock. `--out FILE` writes what became of
      it, `--compare` names what differs from the recording (status 1). It takes the files as OpenPBS does.

      A live scheduler does not read these files: all that stands below is obeyed by `simulate --case`. `load` sets what
      is an attribute of a scheduler object: `by_queue`, `round_robin`, `job_sort_key` ([order](order.md)),
      `strict_ordering`, `node_sort_key`, `preemptive_sched`; what it cannot set it lists, with file, line and reason. A
      wrong line changes nothing.

      ## What is done better than by OpenPBS

      - A period that begins, and a dedicated time that begins or ends, is a moment at which a cycle is due.
      - Where prime and non-prime time begin at the same moment, all the day is non-prime and the period does not end;
        OpenPBS takes that moment for its end.
      - Without `dedicated_prefix` no queue is for dedicated time; OpenPBS takes all for such, and starts nothing
        outside. `simulate --case` does as OpenPBS.
      - Of two dedicated times that meet the second holds from its first second.

      ## Options

      Those with a star can have one value in prime time and another in non-prime time: `prime`, `non_prime`, `all` or
      `none` stands behind the value, `all` where nothing does. A later line replaces an earlier one; lists and keys add
      up.

      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder(HEAD);
    SchedConfigOptions.all().forEach(option -> page.append(row(option)));
    if (Boolean.getBoolean("millrace.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page.toString(), Files.exists(PAGE) ? Files.readString(PAGE) : "");
  }

  private static String row(SchedConfigOption option) {
    String star = option.starred() ? " \\*" : "";
    String usual = option.usual().isEmpty() ? "" : "usually `" + option.usual() + "`; ";
    String standing =
        switch (option.standing()) {
          case ACTS -> "";
          case OLD -> "; out of date, and still obeyed";
          case GONE -> "; out of date, without effect";
          case ABSENT -> "; refused";
        };
    String head =
        "- `"
            + option.name()
            + "`"
            + star
            + " ("
            + usual
            + option.form().expected()
            + standing
            + "):";
    return wrapped(head, "  ") + wrapped("  " + sentence(option), "  ");
  }

  private static String sentence(SchedConfigOption option) {
    return capital(option.meaning()) + ". " + capital(option.changes()) + ".";
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static String wrapped(String text, String indent) {
    StringBuilder lines = new StringBuilder();
    String rest = text;
    while (rest.length() > WIDTH) {
      int end = rest.lastIndexOf(' ', WIDTH);
      lines.append(rest, 0, end).append('\n');
      rest = indent + rest.substring(end + 1);
    }
    return lines.append(rest).append('\n').toString();
  }
}
