package io.millrace.ops.e2e;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recorded jobs that get longer limits here because they are queried while they run; texts are
 * converted to and from the recorded times.
 */
final class LongerJobs {

  private static final Pattern WALLTIME = Pattern.compile("walltime=(\\d+) ");
  private static final Pattern SLEEP = Pattern.compile("-J .* /bin/sleep (\\d+)$");
  private static final int MINUTE_S = 60;

  /** It is seen to run in the queue of a reservation that lasts 20 s. */
  private static final String R95 = "-q R95 -N inresv -l walltime=19 -- /bin/sleep 14";

  private record Change(String from, String to) {}

  /** Seconds that subjobs sleep, as qstat -f shows them, by the array's number. */
  private final Map<String, Change> sleeps = new HashMap<>();

  /** Changes by the job numbers of the recording. */
  private final Map<String, Change> changes = new HashMap<>();

  /** A recorded line or text with more time. */
  static String typed(String line) {
    return line
        // Whoever has to end for a later line still ends within the patience for that line; the
        // subjobs that sleep for two seconds are all seen to run at once.
        .replace("-q R95 -N inresv -l walltime=10 -- /bin/sleep 4", R95)
        .replace("-J 1-3 -l walltime=5 -- /bin/sleep 4", "-J 1-3 -l walltime=28 -- /bin/sleep 25")
        .replace("walltime=5 -- /bin/sleep 3", "walltime=23 -- /bin/sleep 20")
        .replace("walltime=5 -- /bin/sleep 2", "walltime=28 -- /bin/sleep 25")
        // The other jobs are deleted while they run.
        .replace("walltime=2 -- /bin/sleep 30", "walltime=200 -- /bin/sleep 300")
        .replace("walltime=30 -- /bin/sleep 30", "walltime=300 -- /bin/sleep 300")
        .replaceAll("(-N m[345] -- /bin/sleep) 30", "$1 300")
        .replaceAll("(-N arr2 .* -- /bin/sleep) 20", "$1 300");
  }

  /** Records that this line submitted a job. */
  void submitted(String number, String line) {
    Matcher from = WALLTIME.matcher(line);
    Matcher to = WALLTIME.matcher(typed(line));
    if (from.find() && to.find() && !from.group(1).equals(to.group(1))) {
      changes.put(number, new Change(shown(from.group(1)), shown(to.group(1))));
    }
    Matcher sleep = SLEEP.matcher(line);
    Matcher longer = SLEEP.matcher(typed(line));
    if (sleep.find() && longer.find()) {
      sleeps.put(number, new Change(argument(sleep.group(1)), argument(longer.group(1))));
    }
  }

  private static String argument(String seconds) {
    return "<jsdl-hpcpa:Argument>" + seconds + "</jsdl-hpcpa:Argument>";
  }

  private static String shown(String seconds) {
    int s = Integer.parseInt(seconds);
    int hours = s / (MINUTE_S * MINUTE_S);
    int minutes = s / MINUTE_S % MINUTE_S;
    return String.format(Locale.ROOT, "%02d:%02d:%02d", hours, minutes, s % MINUTE_S);
  }

  /** A recorded text about these jobs, with the times that they have here. */
  String recorded(Set<String> jobs, String text) {
    String longer = typed(text);
    Set<String> shown = new TreeSet<>(jobs);
    for (Map.Entry<String, Change> array : sleeps.entrySet()) {
      if (longer.contains("Job Id: " + array.getKey() + "[].")) {
        longer = longer.replace(array.getValue().from(), array.getValue().to());
        shown.add(array.getKey());
      }
    }
    for (String job : shown) {
      Change change = changes.get(job);
      if (change != null) {
        longer =
            longer.replaceAll(
                "(Resource_List\\.walltime ?= ?)" + change.from() + "\\b", "$1" + change.to());
      }
    }
    return longer;
  }
}
