package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** qsub -I at a real terminal, which script(1) makes. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrinter", site = "second")
class InteractiveIT {
  private static final Duration SOON = Duration.ofSeconds(180);

  /** More than the 90 s after which the script gives up. */
  private static final Duration PYTHON = Duration.ofSeconds(120);

  private Site site;
  private Account user;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    boolean possible = site.run("script --version && cc --version").status() == 0;
    Assumptions.assumeTrue(possible, "interactive jobs take script(1) and a C compiler");
  }

  private Terminal terminal(Path work, String line) throws IOException {
    return new Terminal(site, user, work, line);
  }

  private Path work(String name) throws Exception {
    return site.folderOf(user, name);
  }

  private static String jobOf(Terminal terminal) {
    String text = terminal.seen();
    int at = text.indexOf("waiting for job ") + "waiting for job ".length();
    return text.substring(at, text.indexOf(' ', at));
  }

  @Test
  void aShellRunsAtTheUsersTerminal() throws Exception {
    Path work = work("shell");
    String line =
        "stty rows 33 cols 101; stty -g;"
            + " (until [ -e larger ]; do sleep 0.1; done; stty rows 44 cols 77 </dev/tty) &"
            + " qsub -I -N desk; echo \"exit $?\"; stty -g";
    try (Terminal terminal = terminal(work, line)) {
      terminal.awaitText("qsub: waiting for job ");
      String id = jobOf(terminal);
      terminal.awaitText("qsub: job " + id + " ready\r\n");
      terminal.type(
          "PS1='>'; stty size; echo $PBS_JOBID $PBS_ENVIRONMENT $TERM; cd " + work + "\r");
      terminal.awaitText("33 101\r\n" + id + " PBS_INTERACTIVE vt100\r\n");
      assertEquals("R", site.state(id));
      assertEquals("True", site.job(id).path("interactive").asText());
      assertEquals("False", site.job(id).path("Rerunable").asText());
      terminal.type("sh -c 'echo asleep $((20 + 3)); exec sleep 100'\r");
      terminal.awaitText("asleep 23\r\n");
      terminal.type("\u0003");
      terminal.type("echo status $?\r");
      terminal.awaitText("status 130");
      terminal.type("touch larger; until stty size | grep '44 77'; do sleep 0.1; done\r");
      terminal.awaitText("44 77\r\n");
      terminal.type("echo kept >file; exit 3\r");
      assertEquals(0, terminal.awaitEnd());
      String seen = terminal.seen();
      assertTrue(seen.contains("\nqsub: job " + id + " completed\r\nexit 0\r\n"), seen);
      List<String> modes =
          seen.lines().map(String::strip).filter(l -> l.matches("[0-9a-f:]{60,}")).toList();
      assertEquals(2, modes.size(), seen);
      assertEquals(modes.get(0), modes.get(1), "the terminal is as it was");
      site.awaitState(id, "F");
      assertEquals(3, site.job(id).path("Exit_status").asInt());
    }
    assertEquals("kept\n", Files.readString(work.resolve("file")));
    try (var files = Files.list(work)) {
      assertFalse(
          files.anyMatch(f -> f.getFileName().toString().startsWith("desk.")), "no output file");
    }
  }

  @Test
  void aScriptIsReadForItsDirectivesOnly() throws Exception {
    Path work = work("directives");
    Files.writeString(
        work.resolve("script.sh"), "#PBS -I\n#PBS -N fromscript\ntouch " + work + "/never\n");
    try (Terminal terminal = terminal(work, "qsub script.sh")) {
      terminal.awaitText(" ready\r\n");
      String id = jobOf(terminal);
      assertEquals("fromscript", site.job(id).path("Job_Name").asText());
      terminal.type("\r~.");
      assertEquals(0, terminal.awaitEnd());
      site.awaitState(id, "F");
    }
    assertFalse(Files.exists(work.resolve("never")));
  }

  @Test
  @Tag("night")
  void theJobEndsWithItsClientAndSurvivesEverybodyElse() throws Exception {
    Path work = work("death");
    try (Terminal terminal = terminal(work, "qsub -I")) {
      terminal.awaitText(" ready\r\n");
      String id = jobOf(terminal);
      terminal.type("sleep 1000 & echo $! >" + work + "/pid\r");
      Site.await(SOON, "it runs", () -> Files.exists(work.resolve("pid")));
      site.kill("server", "gateway", "executor");
      terminal.type("echo still $((20 + 3))\r");
      terminal.awaitText("still 23");
      site.up("").must();
      assertEquals("R", site.state(id));
      terminal.process().descendants().forEach(ProcessHandle::destroyForcibly);
      site.awaitState(id, "F");
      String pid = Files.readString(work.resolve("pid")).strip();
      assertFalse(Files.exists(Path.of("/proc/" + pid)), "process " + pid);
    }
  }

  @Test
  @Tag("night")
  void aShellInAReservationEndsWithIt() throws Exception {
    Path work = work("reserved");
    String start = site.run("date -d '+30 seconds' +%Y%m%d%H%M.%S").must().strip();
    String reserve = "pbs_rsub -I 10 -R " + start + " -D 40 -l select=1:ncpus=1";
    String[] answer = site.run(user, work, reserve).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    String queue = answer[0].substring(0, answer[0].indexOf('.'));
    try (Terminal terminal = terminal(work, "qsub -I -q " + queue + "; echo \"exit $?\"")) {
      terminal.awaitText("qsub: waiting for job ");
      assertEquals("Q", site.state(jobOf(terminal)), "its window has not begun");
      terminal.awaitText(" ready\r\n");
      terminal.type("echo inside $((20 + 3))\r");
      terminal.awaitText("inside 23");
      terminal.awaitText("exit ");
      site.awaitState(jobOf(terminal), "F");
    }
    Site.await(SOON, "it is gone", () -> !listed().contains(queue));
  }

  private String listed() {
    try {
      return site.run("pbs_rstat -B").must();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoWaitsMayGoAndIsToldWhenTheJobIs() throws Exception {
    Path work = work("waiting");
    String id;
    try (Terminal terminal = terminal(work, "qsub -I -h; echo \"exit $?\"")) {
      terminal.awaitText("qsub: waiting for job ");
      id = jobOf(terminal);
      terminal.type("\u0003");
      terminal.awaitText("Do you wish to terminate the job and exit (y|[n])? ");
      terminal.type("n\r");
      String held = id;
      Polling.stays(Duration.ofMillis(300), "it is held", () -> site.state(held).equals("H"));
      site.run(user, work, "qdel " + id).must();
      terminal.awaitText("qsub: job " + id + " apparently deleted\r\n");
      terminal.awaitText("exit 1");
    }
    Path other = work("waiting-again"); // of its own: what was seen before is not this one's
    try (Terminal terminal = terminal(other, "qsub -I -h; echo \"exit $?\"")) {
      terminal.awaitText("qsub: waiting for job ");
      id = jobOf(terminal);
      terminal.type("\u0003");
      terminal.awaitText("Do you wish");
      terminal.type("y\r");
      terminal.awaitText("Job " + id + " is being deleted\r\n");
      terminal.awaitText("exit 1");
      site.awaitState(id, "F");
    }
  }

  @Test
  @Tag("night")
  void whoWaitsIsToldByTheNextGateway() throws Exception {
    Path work = work("next-gateway");
    try (Terminal terminal = terminal(work, "qsub -I -h; echo \"exit $?\"")) {
      terminal.awaitText("qsub: waiting for job ");
      String id = jobOf(terminal);
      Site.kill(List.of(site.processes().get("gateway")));
      Duration inVain = Duration.ofSeconds(4);
      Polling.stays(inVain, "qsub calls", () -> terminal.process().isAlive());
      site.up("").must();
      assertTrue(terminal.process().isAlive(), terminal.seen());
      site.run(user, work, "qdel " + id).must();
      terminal.awaitText("qsub: job " + id + " apparently deleted\r\n");
      terminal.awaitText("exit 1");
    }
  }

  @Test
  @Tag("night")
  void aJobThatComesWhileTheUserIsAskedIsNotLost() throws Exception {
    Path work = work("asked");
    try (Terminal terminal = terminal(work, "qsub -I -h; echo \"exit $?\"")) {
      terminal.awaitText("qsub: waiting for job ");
      String id = jobOf(terminal);
      terminal.type("\u0003");
      terminal.awaitText("Do you wish to terminate the job and exit (y|[n])? ");
      site.run(user, work, "qrls " + id).must();
      site.awaitState(id, "R");
      Duration longerThanAGreeting = Duration.ofSeconds(12);
      Polling.stays(longerThanAGreeting, "the job waits", () -> site.state(id).equals("R"));
      terminal.type("n\r");
      terminal.awaitText("qsub: job " + id + " ready\r\n");
      terminal.type("echo here $((40 + 2)); exit 5\r");
      terminal.awaitText("here 42\r\n");
      terminal.awaitText("exit 0");
      site.awaitState(id, "F");
      assertEquals(5, site.job(id).path("Exit_status").asInt());
    }
  }

  /** qsub waits in poll or a similar call, which a preloaded library of the test intercepts. */
  @Test
  void whatHappensJustBeforeQsubWaitsIsHeard() throws Exception {
    Path work = work("just-before");
    Path source = work.resolve("before.c");
    try (InputStream text = getClass().getResourceAsStream("/before.c")) {
      Files.copy(text, source);
    }
    site.run(user, work, "cc -shared -fPIC -o before.so before.c -ldl").must();
    // The second output makes qsub wait again when nothing else will come.
    Files.writeString(
        work.resolve("shows"),
        """
        cd %s; echo shown first; until [ -e quiet ]; do sleep 0.1; done; touch larger
        echo shown last; until stty size | grep '44 77'; do sleep 0.1; done
        """
            .formatted(work));
    Files.createFile(work.resolve("interrupted"));
    String line = "export LD_PRELOAD=./before.so; qsub -I -h; qsub -I; echo \"exit $?\"";
    try (Terminal terminal = terminal(work, line)) {
      terminal.awaitText("Do you wish to terminate the job and exit (y|[n])? ");
      terminal.type("y\r");
      terminal.awaitText(" ready\r\n");
      terminal.type(". " + work + "/shows\r");
      terminal.awaitText("shown first\r\n");
      Files.createFile(work.resolve("quiet"));
      terminal.awaitText("44 77\r\n");
      terminal.type("exit\r");
      terminal.awaitText("exit 0");
    }
  }

  /** The job reads none of the pasted input before all its output was taken. */
  @Test
  @Tag("night")
  void muchGoesBothWaysAtOnce() throws Exception {
    Path work = work("both-ways");
    if (site.run(user, work, PYTHON, "python3 --version").status() != 0) {
      Assumptions.abort("much in both ways of a terminal: it takes python3");
    }
    Path script = work.resolve("terminal.py");
    try (InputStream text = getClass().getResourceAsStream("/terminal.py")) {
      Files.copy(text, script);
    }
    site.run(user, work, PYTHON, "python3 " + script + " 1000000 qsub -I").must();
  }

  @Test
  void itTakesATerminal() throws Exception {
    Path work = work("without");
    Shell.Answer answer = site.run(user, work, "qsub -I");
    assertEquals(
        "qsub:\tstandard input and output must be a terminal for\n"
            + "\tinteractive job submission\n",
        answer.err());
    assertEquals(1, answer.status());
    answer = site.run(user, work, "qsub -I -J 1-3");
    assertEquals(
        "qsub: interactive and array job submission cannot be used together\n", answer.err());
  }
}
