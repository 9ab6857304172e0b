package io.millrace.schedulers.dialects.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about sched_conf is generated from the table and the tests. */
class PlusPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("millrace.root", "..")).resolve("docs/plus-sched-conf.md");
  private static final int WIDTH = 118;

  private static final String HEAD =
      """
      # PluS's sched_conf

      Made from the table of options and its tests; do not edit. To make it anew after a change:
      `./mvnw -pl schedulers -am test -Dtest=PlusPageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

          ./millrace policy check sched_conf
          ./millrace policy explain sched_conf
          ./millrace policy load default FOLDER      # the folder of PluS, in which sched_conf lies
          ./millrace simulate TRACE.swf.gz --policy FOLDER

      A site that had PluS schedule its jobs (`plus_scheduler -a Sort -c sched_conf`) keeps its file. Lines are
      `OPTION: WORD, WORD, ...`, comments begin with #. A name that does not exist is refused, with file, line and the
      nearest one; so are an option that stands twice, a key that needs a list and has none, and QueueRoundRobin beside
      ByQueue. What decides nothing is told as a note.

      `load` sets the attributes of the scheduler object that say the same: `job_sort_key` and
      [`node_sort_key`](node-order.md), with `policy = priority`, and without `by_queue`, `round_robin`,
      `strict_ordering`, `preemptive_sched` and a formula of its own; PluS has none of these. A `job_sort_formula` of the
      server counts before the keys. `load` of a folder with a `reservable.ad` loads [that](plus.md), too.

      - Jobs that do not fit are passed by those that do: nothing is kept free for them, as with PluS.
      - With QueueRoundRobin the turn goes on from cycle to cycle: that queue comes first of which no job has started for
        longest. A scheduler whose engine was started anew begins with the queue that was created first. Turns are among
        jobs that are equal by the keys before it.
      - A job that does not say how long it runs counts as one of no time.
      - A host is listed by its name or by a domain that it is in; the longest name that fits counts.
      - Load is the average of five minutes, which hosts report when it changes. It is not raised by jobs that start in
        the same cycle.

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
    Map<String, PlusProof> proofs =
        PlusProofs.all().stream().collect(Collectors.toMap(PlusProof::what, it -> it));
    StringBuilder page = new StringBuilder(HEAD);
    page.append("## Options\n\n");
    for (PlusOption option : PlusOption.values()) {
      String usual = option.usual().isEmpty() ? "not set" : String.join(", ", option.usual());
      page.append(
          "- `%s` (usually `%s`; %s):\n%s"
              .formatted(
                  option.word(),
                  usual,
                  option.type(),
                  wrapped(
                      "%s %s Test: %s."
                          .formatted(
                              option.meaning(),
                              option.changes(),
                              proofs.get(option.word()).shows()))));
    }
    page.append("\n## Keys of jobs\n\n| key | which jobs come first |\n|---|---|\n");
    for (PlusJobKey key : PlusJobKey.values()) {
      page.append("| `%s` | %s |\n".formatted(key.word(), key.meaning()));
    }
    page.append("\n## Keys of nodes\n\n| key | which nodes come first |\n|---|---|\n");
    for (PlusNodeKey key : PlusNodeKey.values()) {
      page.append("| `%s` | %s |\n".formatted(key.word(), key.meaning()));
    }
    return page.append(torque()).toString();
  }

  private static String torque() {
    StringBuilder rows = new StringBuilder();
    rows.append("\n## Torque's flags\n\n");
    rows.append("What orders jobs as Torque's own scheduler does with these flags (table 3.3 of");
    rows.append(" PluS's manual);\n`round_robin` and `by_queue` do not go together.\n\n");
    rows.append("| round_robin | by_queue | sort_queues | strict_fifo | JobSortKey |\n");
    rows.append("|---|---|---|---|---|\n");
    for (TorqueFlags flags : TorqueFlags.rows()) {
      rows.append(
          "| %s | %s | %s | %s | `%s`%s |\n"
              .formatted(
                  flags.roundRobin(),
                  flags.byQueue(),
                  flags.sortQueues(),
                  flags.strictFifo(),
                  flags.keys().stream().map(PlusJobKey::word).collect(Collectors.joining(", ")),
                  flags.equals(TorqueFlags.USUAL) ? " (usual)" : ""));
    }
    return rows.toString();
  }

  private static String wrapped(String text) {
    StringBuilder lines = new StringBuilder();
    StringBuilder line = new StringBuilder(" ");
    for (String word : text.split(" ")) {
      if (line.length() + 1 + word.length() > WIDTH) {
        lines.append(line).append('\n');
        line = new StringBuilder(" ");
      }
      line.append(' ').append(word);
    }
    return lines.append(line).append('\n').toString();
  }
}
