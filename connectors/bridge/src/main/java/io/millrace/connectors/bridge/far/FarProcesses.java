package io.millrace.connectors.bridge.far;

import io.millrace.connectors.bridge.system.Told;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The processes of another host, as its ps lists them. */
final class FarProcesses {

  /** The number of each, who has begun it, whose it is, and its words. */
  static final List<String> WORDS =
      List.of(
          "/bin/ps",
          "-e",
          "-ww",
          "-o",
          "pid=",
          "-o",
          "ruser:40=",
          "-o",
          "euser:40=",
          "-o",
          "args=");

  private static final Pattern LINE = Pattern.compile("([0-9]+)\\s+(\\S+)\\s+(\\S+)(?:\\s+(.*))?");

  /** It is on each host, and never ours; a list without it is one of our own processes only. */
  private static final String FIRST = "1";

  private static final String ROOT = "root";

  /** As /proc hides them with its option hidepid: among them is our sudo, and what it starts. */
  static final String HIDDEN = "the processes of others are hidden there (hidepid of /proc)";

  private final String self;

  /**
   * @param self our account there
   */
  FarProcesses(String self) {
    this.self = self;
  }

  /**
   * Whether a process of an account, or one that we have begun, has a word among its own. Anybody
   * else can name his processes as he likes, and would keep a run waiting so. One that is root's
   * altogether may be our sudo, while that looks into its rules: it begins with the words that we
   * give sudo, which never waits then.
   *
   * @return nothing where those of others are not shown: one of them may have it
   */
  Told<Boolean> has(Reader list, String account, String word) {
    boolean all = self.equals(ROOT);
    try {
      BufferedReader lines = new BufferedReader(list);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher process = LINE.matcher(line.strip());
        if (process.matches()) {
          String words = process.group(4) == null ? "" : process.group(4);
          all |= process.group(1).equals(FIRST) && !process.group(2).equals(self);
          if (hasWord(words, word) && isOurs(process.group(2), process.group(3), words, account)) {
            return Told.of(true);
          }
        }
      }
      return all ? Told.of(false) : Told.nothing(HIDDEN);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it stands in memory
    }
  }

  private static boolean hasWord(String words, String word) {
    return Arrays.stream(words.split(" "))
        .anyMatch(it -> it.equals(word) || it.endsWith("=" + word));
  }

  private boolean isOurs(String begunBy, String owner, String words, String account) {
    boolean isOwners = owner.equals(account) || owner.equals(self);
    boolean isSudo = words.matches("\\S+ -n -u " + Pattern.quote(account) + " -- .*");
    return begunBy.equals(self)
        || isOwners && begunBy.equals(owner)
        || begunBy.equals(ROOT) && isSudo;
  }
}
