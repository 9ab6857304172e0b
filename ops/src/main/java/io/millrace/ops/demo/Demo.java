package io.millrace.ops.demo;

import io.millrace.ops.home.Home;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Submits the sweep, watches it, and shows what it computed. */
public final class Demo {

  private static final int STRIPS = 26;
  private static final int LOOK_MS = 400;
  private static final int PATIENCE_S = 240;
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("MMdd-HHmmss");

  private final HomeClient client;
  private final Console console;
  private final Strips strips;
  private final Home home;

  public Demo(Home home, Console console) throws UsageException {
    this.home = home;
    this.console = console;
    this.client = new HomeClient(home);
    this.strips =
        new Strips(home.root().resolve("demo/" + STAMP.format(LocalDateTime.now())), STRIPS);
  }

  /**
   * @return exit status: 0 when every job computed its strip
   */
  public int run() throws IOException, InterruptedException {
    strips.writeScript();
    allowRoot();
    long begin = System.nanoTime();
    Map<String, Integer> jobs = submit();
    console.say(
        "submitted "
            + STRIPS
            + " jobs with qsub "
            + console.since(begin)
            + ": each computes one strip of a picture with awk, "
            + strips.script());
    watch(jobs);
    if (!succeeded(jobs.keySet())) {
      return 1;
    }
    List<int[]> picture = strips.read();
    strips.writePicture(picture);
    console.say("");
    Strips.shown(picture).forEach(console::say);
    console.say("");
    console.say(
        "all "
            + STRIPS
            + " jobs ended with exit status 0 "
            + console.since(begin)
            + "; the picture is "
            + strips.picture());
    String last = new ArrayList<>(jobs.keySet()).get(STRIPS - 1);
    console.say("Millrace stays up. What to type next:");
    console.say("  export PATH=" + home.bin() + ":$PATH");
    console.say("  qstat -xf " + last + "; tracejob " + last);
    console.say("  echo 'sleep 60' | qsub -l select=9:ncpus=1   # then: why JOB");
    console.say("  ./millrace status; ./millrace down");
    return 0;
  }

  /**
   * Allows root to submit, which PBS does only for users in acl_roots; other users need nothing.
   */
  private void allowRoot() throws IOException, InterruptedException {
    if (System.getProperty("user.name").equals("root")) {
      client.ask(home.root(), "qmgr", "-c", "set server acl_roots += root");
      console.say("you are root: qmgr -c 'set server acl_roots += root' lets root submit jobs");
    }
  }

  /** Job ids in the order of their strips. */
  private Map<String, Integer> submit() throws IOException, InterruptedException {
    Map<String, Integer> jobs = new LinkedHashMap<>();
    for (int strip = 0; strip < STRIPS; strip++) {
      console.busy("submitting strip " + strip);
      String id =
          client
              .ask(
                  strips.folder(),
                  "qsub",
                  "-v",
                  "STRIP=" + strip,
                  "-o",
                  strips.output(strip).toString(),
                  strips.script().toString())
              .out()
              .strip();
      jobs.put(id, strip);
    }
    return jobs;
  }

  private void watch(Map<String, Integer> jobs) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    String before = "";
    while (true) {
      Map<String, Character> states = states(jobs);
      String line = line(jobs, states);
      if (console.isTerminal()) {
        console.busy(line);
      } else if (!line.equals(before)) {
        console.say(line);
      }
      before = line;
      if (jobs.keySet().stream().allMatch(id -> states.getOrDefault(id, '?') == 'F')) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "the sweep has not ended after "
                + PATIENCE_S
                + " s: "
                + line
                + "; ask: "
                + home.bin().resolve("why")
                + " JOB");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  /** The column S of qstat by job. */
  private Map<String, Character> states(Map<String, Integer> jobs)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("-x"));
    arguments.addAll(jobs.keySet());
    Map<String, Character> states = new LinkedHashMap<>();
    for (String line : client.ask(home.root(), "qstat", arguments.toArray(String[]::new)).lines()) {
      String[] columns = line.strip().split("\\s+");
      if (columns.length == 6 && jobs.containsKey(columns[0])) {
        states.put(columns[0], columns[4].charAt(0));
      }
    }
    return states;
  }

  private static String line(Map<String, Integer> jobs, Map<String, Character> states) {
    StringBuilder bar = new StringBuilder();
    Map<Character, Integer> count = new LinkedHashMap<>();
    for (String id : jobs.keySet()) {
      char state = states.getOrDefault(id, 'Q');
      count.merge(state, 1, Integer::sum);
      bar.append(state == 'F' ? '#' : state == 'R' || state == 'E' ? '>' : '.');
    }
    int running = count.getOrDefault('R', 0) + count.getOrDefault('E', 0);
    return String.format(
        "[%s] queued %2d, running %2d, finished %2d",
        bar, count.getOrDefault('Q', 0), running, count.getOrDefault('F', 0));
  }

  private boolean succeeded(Iterable<String> jobs) throws IOException, InterruptedException {
    boolean all = true;
    for (String id : jobs) {
      String full = client.ask(home.root(), "qstat", "-xf", id).out();
      if (!full.contains("Exit_status = 0\n")) {
        all = false;
        console.say("job " + id + " failed:");
        client.call(home.root(), "tracejob", id).lines().forEach(l -> console.say("  " + l));
      }
    }
    return all;
  }
}
