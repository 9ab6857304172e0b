package io.millrace.connectors.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What users may call their jobs, files and values, to the harm of whoever reads it. */
public final class HostileWords {

  private static final int COUNT = 200;

  private static final List<String> WHOLE =
      List.of(
          "",
          " ",
          "-",
          "--",
          "-n",
          "--uid=0",
          "--wrap=id",
          "-o/etc/passwd",
          "-l h_rt=1",
          "mr.c1.5.1",
          "a\nmr.c1.5.1",
          "x WcKey=mr.c1.5.1 ExitCode=0:0",
          "x\nJobId=5 UserId=alice(1001) GroupId=a(1) Name=x",
          "a:mr.c1.5.1:0",
          "a;E;5.vm;user=alice",
          "a\" Exit_status=0 user=alice",
          "../../etc/passwd",
          "/dev/zero",
          "~root/x",
          "%j%A$JOB_ID",
          "a\tb",
          "\u001b[2J\u001b]0;x\u0007",
          "\u202e\u2066x",
          "\u2028\u0085",
          "\ud83d\ude80",
          "é".repeat(300),
          "x".repeat(5_000));

  private static final String[] PARTS = {
    "'",
    "\"",
    "$(touch /tmp/millrace-hostile)",
    "`id`",
    "\n",
    "\r\n",
    "\\",
    "-",
    " ",
    "\t",
    "END\n",
    "*",
    "?",
    "[a-z]",
    "~",
    "é",
    "\u0001",
    ";",
    "&",
    "&&",
    "|",
    ">",
    "<",
    "#!",
    "#$ -t 1-3",
    "#SBATCH -n 9",
    "#PBS -W x=y",
    "!",
    "=",
    "%",
    "%s%n",
    "${IFS}",
    "<!--",
    "]]>",
    "&amp;",
    "{",
    "}",
    ":",
    ",",
    "@"
  };

  private HostileWords() {}

  /**
   * Two hundred words.
   *
   * @param seed of those that are put together by chance
   */
  public static List<String> all(long seed) {
    Random random = new Random(seed);
    List<String> words = new ArrayList<>(WHOLE);
    while (words.size() < COUNT) {
      StringBuilder word = new StringBuilder();
      for (int k = random.nextInt(6); k >= 0; k--) {
        word.append(PARTS[random.nextInt(PARTS.length)]);
      }
      words.add(word.toString());
    }
    return words;
  }
}
