package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Submissions that were recorded on a real Grid Engine, with what it printed. */
final class SubmitTexts {

  /** Lines that are not compared, by a part of them, and why. */
  private static final Map<String, String> DIFFERENT =
      Map.of(
          "-t 1-100000",
          "the limit is 10000 tasks here, and the text says so",
          "-w v -l license=6",
          "no number is given to a job that is only looked at",
          "-w p",
          "the present load is not looked at: -w p is refused",
          "-verify",
          "the job is not printed instead of submitted: the option is refused",
          "-sync",
          "takes a scheduler at work: compared in another test",
          "-now",
          "takes a scheduler at work",
          "-help",
          "the options that are obeyed are listed, not all of Grid Engine's");

  private record Entry(String line, String out, String err, int exit) {}

  private final List<Entry> entries = new ArrayList<>();
  private final List<String> different = new ArrayList<>();

  /** The command lines of the ordinary user. */
  static SubmitTexts read(Path file) throws IOException {
    SubmitTexts texts = new SubmitTexts();
    String line = "";
    boolean ordinary = false;
    StringBuilder[] to = {new StringBuilder(), new StringBuilder()};
    int at = 0;
    for (String text : Files.readAllLines(file)) {
      if (text.startsWith("$ ")) {
        line = text.substring(2);
        ordinary = false;
        to[0].setLength(0);
        to[1].setLength(0);
      } else if (text.equals("# user: alice")) {
        ordinary = true;
      } else if (text.equals("# stdout:") || text.equals("# stderr:")) {
        at = text.equals("# stdout:") ? 0 : 1;
      } else if (text.startsWith("# exit: ")) {
        if (ordinary) {
          int exit = Integer.parseInt(text.substring("# exit: ".length()));
          texts.entries.add(new Entry(line, to[0].toString(), to[1].toString(), exit));
        }
        line = "";
      } else if (!line.isEmpty()) {
        to[at].append(text).append('\n');
      }
    }
    return texts;
  }

  /** Types every line; gives a sentence about how many there were. */
  String play(Function<String, Shell.Answer> shell) {
    int same = 0;
    int passed = 0;
    for (Entry entry : entries) {
      if (DIFFERENT.keySet().stream().anyMatch(entry.line()::contains)) {
        passed++;
        continue;
      }
      Shell.Answer answer = shell.apply(entry.line());
      boolean equal =
          answer.status() == entry.exit()
              && plain(answer.out()).equals(plain(entry.out()))
              && plain(answer.err()).equals(plain(entry.err()));
      same += equal ? 1 : 0;
      if (!equal) {
        different.add(answer + "recorded: exit " + entry.exit() + "\n" + entry.out() + entry.err());
      }
    }
    return same + " of " + entries.size() + " recorded qsub lines the same, " + passed + " listed";
  }

  List<String> different() {
    return different;
  }

  /** Without the numbers of jobs. */
  private static String plain(String text) {
    return text.replaceAll("(?m)(job(-array)? )\\d+", "$1N").replaceAll("(?m)^\\d+$", "N");
  }
}
