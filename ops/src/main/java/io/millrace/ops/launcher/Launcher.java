package io.millrace.ops.launcher;

import io.millrace.ops.installation.ClientNames;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.OneLine;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.ops.word.Words;
import io.millrace.schemas.program.HelpRequested;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gateway.help.Syntax;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Entry point of the words that the script {@code millrace} does not pass on to the gateway. */
public final class Launcher {

  private static final String USAGE = "usage: ./millrace WORD [options]";

  private static final String CLIENTS =
      """
      qsub, qstat, qselect, qdel, qhold, qrls, qalter, qmove, qrerun, qsig, pbsdsh, pbsnodes, qmgr,
      qenable, qdisable, qstart, qstop, qterm, pbs_rsub, pbs_rstat, pbs_ralter, pbs_rdel, plus_reserve,
      qenable, qdisable, qstart, qstop, qterm, pbs_rsub, pbs_rstat, pbs_ralter, pbs_rdel, plus_reserve,
      plus_status, plus_cancel, plus_modify, plus_destroy, plus_availnodes, plus_account, plus_commit,
      plus_abort, plus_scheduler, plus_schedkill, tracejob, why, gridsub, gridstat, griddel, gridevents
      and gridclusters go to the gateway. Each word has --help.\
      """;

  private Launcher() {}

  /** The manual page of this program. */
  public static Page page() {
    return new Page(
        "millrace",
        "start, stop, examine and measure a Millrace system",
        Syntax.of("", USAGE),
        List.of(),
        List.of(
            new Page.Section("words", List.of(words())),
            new Page.Section("help", List.of("Each word has --help."))),
        ClientNames.NAMES);
  }

  private static String words() {
    return Words.all().stream()
        .map(word -> String.format("  %-8s  %s", word.name(), word.summary()))
        .collect(Collectors.joining("\n"));
  }

  public static void main(String[] args) {
    int status;
    try {
      status = run(List.of(args));
    } catch (UsageException e) {
      status = e.tell();
    } catch (WordFailed | IOException e) {
      System.err.println("millrace: " + OneLine.of(e));
      status = 1;
    } catch (InterruptedException e) {
      status = 130;
    }
    System.out.flush();
    System.exit(status);
  }

  private static int run(List<String> args)
      throws IOException, InterruptedException, UsageException, WordFailed {
    if (args.isEmpty() || args.get(0).equals("--help") || args.get(0).equals("help")) {
      throw new HelpRequested(USAGE + "\n\n" + words() + "\n\n" + CLIENTS);
    }
    Optional<Word> word = Words.find(args.get(0));
    if (word.isEmpty()) {
      throw new UsageException(
          "millrace: there is no word '" + args.get(0) + "' (see ./millrace --help)");
    }
    Console console = new Console(System.out, System.getenv("MILLRACE_TERMINAL") != null);
    return word.get().run(args.subList(1, args.size()), console);
  }
}
