package io.millrace.ops.origin2000;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OriginCaseCommandTest {

  private static final String STATE =
      """
      {"time_zone": "UTC", "this_host": "hopper", "scheduler_started": 942177000,
       "hosts": [{"name": "hopper", "ncpus": 64, "physmem": "16gb", "loadave": "0.00"}],
       "queues": [
        {"name": "submit", "started": true, "enabled": true},
        {"name": "ded", "started": true, "enabled": true},
        {"name": "exec", "started": true, "enabled": true,
         "resources_max": {"ncpus": 64, "mem": "16384mb", "walltime": "08:00:00"}}],
       "jobs": [
        {"id": "1.hopper", "owner": "ann", "group": "g1", "queue": "submit", "state": "Q",
         "ncpus": 3, "mem": "100mb", "walltime": "01:59:59", "ctime": 942177540,
         "etime": 942177540, "mtime": 942177540},
        {"id": "2.hopper", "owner": "bob", "group": "g1", "queue": "submit", "state": "Q",
         "ncpus": 2, "mem": "512mb", "walltime": "02:00:00", "ctime": 942177540,
         "etime": 942177540, "mtime": 942177540}],
       "cycles": [
        {"now": 942177600, "command": 3, "before": []},
        {"now": 942177660, "command": 3, "before": [
         {"op": "finish", "job": "1.hopper"},
         {"op": "set", "job": "2.hopper", "walltime": "00:10:00"},
         {"op": "replace_file", "from": "quiet", "to": "dedtime"}]}]}
      """;

  private static final String CONFIG =
      "SUBMIT_QUEUE\tsubmit\nBATCH_QUEUES\texec\nENFORCE_DEDICATED_TIME\tTrue\n"
          + "DEDICATED_QUEUES\tded\nDEDICATED_TIME_COMMAND\t./dedtime\n";

  @TempDir Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("state.json"), STATE);
    Files.writeString(folder.resolve("config"), CONFIG);
    script("dedtime", "echo \"$1 11/09/1999 22:00-23:00 11/09/1999\"");
    script("quiet", "echo No scheduled downtime for the specified period.");
  }

  private void script(String name, String line) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private int run(String... more) throws IOException, UsageException {
    said.reset();
    List<String> args = new ArrayList<>(List.of("--case", folder.toString()));
    args.addAll(List.of(more));
    assertTrue(OriginCaseCommand.asked(args));
    return OriginCaseCommand.run(
        args, new Console(new PrintStream(said, true, StandardCharsets.UTF_8), false));
  }

  @Test
  void aSessionIsReplayedAndItsFolderStays(@TempDir Path other) throws Exception {
    Path out = other.resolve("out.json");
    assertEquals(0, run("--out", out.toString()));
    String outcome = Files.readString(out);
    for (String expected :
        List.of(
            "\"value\" : \"1gb\"",
            "1.hopper Q 2n - eligible=60",
            "Can't complete before next dedicated time (hopper 11/09/1999 22:00)",
            "Started on Tue Nov  9 20:01:00 1999",
            "\"BATCH_QUEUES\" : [ \"exec@hopper\" ]",
            "\"decay_usage\" : \"Tue\\nroot:root 1.000\\n\"")) {
      assertTrue(outcome.contains(expected), () -> expected + " is not in " + outcome);
    }
    assertFalse(Files.exists(folder.resolve("decay_usage")));
    assertEquals("", said.toString(StandardCharsets.UTF_8));
  }

  @Test
  void eachFieldThatDiffersIsNamed() throws Exception {
    run();
    String outcome = said.toString(StandardCharsets.UTF_8);
    Files.writeString(folder.resolve("expected.json"), outcome);
    assertEquals(0, run("--compare"));
    assertEquals("nothing differs\n", said.toString(StandardCharsets.UTF_8));
    Files.writeString(
        folder.resolve("expected.json"),
        outcome.replaceFirst("\"value\" : \"1gb\"", "\"value\" : \"2gb\""));
    assertEquals(1, run("--compare"));
    assertEquals(
        "cycles[0].actions[0].value: recorded \"2gb\", ours \"1gb\"\n",
        said.toString(StandardCharsets.UTF_8));
  }

  @Test
  void whatIsWrongIsRefused() throws Exception {
    String inside = folder.resolve("out.json").toString();
    assertThrows(UsageException.class, () -> run("--out", inside));
    Files.writeString(folder.resolve("state.json"), STATE.replace("\"finish\"", "\"forget\""));
    assertEquals(1, run());
    Files.writeString(folder.resolve("state.json"), STATE.replace("100mb", "100xb"));
    assertEquals(1, run());
    Files.writeString(folder.resolve("state.json"), "{");
    assertEquals(1, run());
  }

  @Test
  void whatACycleOrAChangeLacksIsNamed() throws Exception {
    lacks("\"now\": 942177660, ", "'now', a whole number");
    lacks("\"from\": \"quiet\", ", "'from', a word");
    Files.writeString(
        folder.resolve("state.json"), STATE.replace("942177600, \"command\"", "1.5, \"command\""));
    assertEquals(1, run());
  }

  private void lacks(String cut, String named) throws Exception {
    assertTrue(STATE.contains(cut));
    Files.writeString(folder.resolve("state.json"), STATE.replace(cut, ""));
    PrintStream before = System.err;
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    System.setErr(new PrintStream(error, true, StandardCharsets.UTF_8));
    try {
      assertEquals(1, run());
    } finally {
      System.setErr(before);
    }
    String text = error.toString(StandardCharsets.UTF_8) + said.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("must have " + named), text);
  }
}
