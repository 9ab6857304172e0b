package io.millrace.connectors.bridge.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the wrapper hands variables and the script on, on a host where others look. */
class WrapperVariablesTest {

  /** Names that bash knows something about, whatever it is. */
  private static final List<String> KNOWN_TO_BASH =
      List.of(
          "_",
          "BASH_COMPAT",
          "BASH_LOADABLES_PATH",
          "BASH_REMATCH",
          "BASH_SECRET",
          "CHILD_MAX",
          "COMPREPLY",
          "COPROC",
          "FIGNORE",
          "FUNCNEST",
          "GLOBIGNORE",
          "HISTFILE",
          "IGNOREEOF",
          "MAILCHECK",
          "MAPFILE",
          "OPTARG",
          "POSIXLY_CORRECT",
          "PS4",
          "READLINE_LINE",
          "REPLY",
          "SRANDOM",
          "TEXTDOMAIN",
          "TIMEFORMAT",
          "TMOUT",
          "TZ",
          "histchars",
          "BASH_XTRACEFD",
          "LC_ALL",
          "LANG",
          "CDPATH",
          "IFS",
          "OLDPWD",
          "SHELL",
          "ENV",
          "BASH_ENV",
          // Of the wrapper itself.
          "words",
          "folder",
          "status",
          "id",
          "began",
          "usual",
          "w",
          "MILLRACE");

  @TempDir Path spool;

  @BeforeEach
  void account() throws IOException {
    Files.createDirectory(spool.resolve("alice"));
  }

  private byte[] wrapper(String script, Map<String, String> environment, String... arguments) {
    return RunWrapper.of(
        spool.toString(),
        new OutsideSubmission(
            new OutsideTag("c1", "12", 1),
            "alice",
            "name",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(
                script.getBytes(StandardCharsets.UTF_8), List.of(arguments), environment, "/")));
  }

  private static OutsideAnswer run(byte[] input, String... words) throws InterruptedException {
    return new ProcessRunner()
        .run(
            new OutsideCommand(
                List.of(words), input, Map.of("JOB_ID", "77"), Duration.ofSeconds(20), 1 << 20));
  }

  private String made(String file) throws IOException {
    return Files.readString(spool.resolve("alice/mr.c1.12.1").resolve(file));
  }

  /** What a script finds, NUL behind each. */
  private List<String> found(Map<String, String> environment) throws Exception {
    String script = "#!/usr/bin/env -S /bin/cat /proc/self/environ\n";
    OutsideAnswer answer = run(wrapper(script, environment), "/bin/bash", "-s");
    assertEquals(0, answer.status(), answer.err() + made("stderr"));
    assertEquals("", made("stderr"));
    String told = made("stdout");
    return List.of(told.substring(0, told.lastIndexOf('\0')).split("\0"));
  }

  /** Anybody on the host reads the arguments of all processes. */
  @Test
  void noValueIsAnArgument() throws Exception {
    byte[] wrapper = wrapper("#!/bin/sh\n", Map.of("TOKEN", "hidden-1", "BASH_SECRET", "hidden-2"));
    OutsideAnswer answer = run(wrapper, "/bin/bash", "-x", "-s");
    List<String> started =
        (answer.err() + made("stderr"))
            .lines()
            .map(it -> it.replaceFirst("^\\++ (exec )?", ""))
            .filter(it -> it.startsWith("/"))
            .toList();
    assertTrue(started.stream().anyMatch(it -> it.contains("/script")), answer::err);
    assertEquals(List.of(), started.stream().filter(it -> it.contains("hidden")).toList());
  }

  @Test
  void eachVariableArrivesWhateverBashDoesWithItsName() throws Exception {
    String names = run(new byte[0], "/bin/bash", "-c", "compgen -v").out();
    List<String> all = new ArrayList<>(KNOWN_TO_BASH);
    names.lines().filter(it -> !all.contains(it)).forEach(all::add);
    assertTrue(all.contains("BASHOPTS") && all.contains("UID") && all.contains("RANDOM"));
    for (String value : List.of("x y", "5", "(a b)", "$(id) `id`\n'\"\\", "", "ü=\u20ac")) {
      Map<String, String> environment = new LinkedHashMap<>();
      all.stream().filter(it -> !it.equals("_")).forEach(it -> environment.put(it, value));
      List<String> found = found(environment);
      for (String name : environment.keySet()) {
        assertTrue(found.contains(name + "=" + value), name + "=" + value + " of " + found);
      }
      run(new byte[0], "/bin/rm", "-rf", spool + "/alice/mr.c1.12.1");
    }
  }

  /** Nothing of the wrapper's own goes with it. */
  @Test
  void noOtherVariableArrives() throws Exception {
    List<String> names = new ArrayList<>();
    for (String each : found(Map.of("A", "1"))) {
      names.add(each.replaceFirst("(?s)=.*", ""));
    }
    names.remove("_");
    names.sort(null);
    assertEquals(List.of("A", "JOB_ID", "LC_ALL", "OLDPWD", "PATH", "PWD", "SHLVL"), names);
  }

  @Test
  void theScriptIsNobodyElsesFromItsFirstByte() throws Exception {
    String text = new String(wrapper("#!/bin/sh\n", Map.of()), StandardCharsets.US_ASCII);
    // As where it is stopped between writing and chmod.
    String before = text.replace("/bin/chmod 700", "/usr/bin/stat -c %a \"$folder/script\" && :");
    OutsideAnswer answer = run(before.getBytes(StandardCharsets.US_ASCII), "/bin/bash", "-s");
    assertTrue(answer.out().startsWith("600\n"), answer::toString);
    run(new byte[0], "/bin/rm", "-rf", spool + "/alice/mr.c1.12.1");
    run(text.getBytes(StandardCharsets.US_ASCII), "/bin/bash", "-s");
    String rights =
        run(new byte[0], "/bin/sh", "-c", "cd $0; stat -c '%A %n' . *", spool + "/alice/mr.c1.12.1")
            .out();
    assertTrue(rights.contains("drwxr-xr-x .") && rights.contains("-rwx------ script"), rights);
    assertTrue(rights.contains("-rw-r--r-- exit"), rights);
  }
}
