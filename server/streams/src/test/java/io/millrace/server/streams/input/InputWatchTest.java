package io.millrace.server.streams.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.InputReading;
import io.millrace.schemas.command.NoteInputs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.input.PolicyInputs;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import io.millrace.server.streams.worker.DeferredWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs are asked on a thread of their own, here step by step. */
class InputWatchTest {

  private final Tables tables = Tables.inMemory(0, 1);
  private final DeferredWork worker = new DeferredWork();
  private final List<String> asked = new ArrayList<>();
  private final InputWatch watch = new InputWatch(this::said, worker);
  private String said = "3";
  private String hangs = "it hangs";
  private long nowMs = 1_000_000;

  private String said(String commandLine, int limitS, boolean all) throws IOException {
    asked.add(commandLine + " " + limitS + (all ? " all" : ""));
    if (said.isEmpty()) {
      throw new IOException(hangs);
    }
    return said;
  }

  @BeforeEach
  void resource() {
    List<Attribute> type = List.of(new Attribute("type", "long"));
    tables
        .objects()
        .put(
            Keys.object(ObjectKind.RESOURCE, "seats"),
            new ClusterObject(ObjectKind.RESOURCE, "seats", 1L, type, 1L));
  }

  private void written(String name, String shard, String... pairs) {
    List<Attribute> attributes = new ArrayList<>(List.of(new Attribute("shard", shard)));
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    ClusterObject object = new ClusterObject(ObjectKind.SCHEDULER, name, 1L, attributes, 1L);
    tables.objects().put(Keys.object(ObjectKind.SCHEDULER, name), object);
  }

  private static CommandMeta meta() {
    return new CommandMeta(new CommandId(new byte[16]), "shard-0", "", "", Role.SHARD, -1, 0L);
  }

  /** A look after so many seconds; what it tells the shard, which carries it out at once. */
  private List<String> due(long afterS) {
    nowMs += afterS * 1_000;
    List<String> due = new ArrayList<>();
    for (SpecificRecord command : watch.due(tables, nowMs, InputWatchTest::meta)) {
      NoteInputs note = (NoteInputs) command;
      for (InputReading reading : note.getReadings()) {
        due.add(reading.getName() + "=" + reading.getContent() + reading.getProblem());
      }
      if (note.getReadings().isEmpty()) {
        due.add("nothing");
      }
      List<PolicyInput> after =
          PolicyInputs.after(tables, note.getScheduler(), note.getReadings(), nowMs);
      Scheduler record =
          Scheduler.newBuilder().setName(note.getScheduler()).setInputs(after).build();
      tables.schedulers().put(note.getScheduler(), record);
    }
    return due;
  }

  private int work() {
    return worker.now();
  }

  @Test
  void whatIsNewIsTold() {
    written("s1", "0", "server_dyn_res", "seats !/opt/seats -v");
    assertEquals(List.of(), due(0));
    assertEquals(List.of(), due(5), "the program has not answered, and nobody waits for it");
    assertEquals(1, work());
    assertEquals(List.of("seats=3"), due(1));
    assertEquals(List.of("/opt/seats -v 30"), asked);
    assertEquals(List.of(), due(9));
    assertEquals(0, work(), "the next round is not due");
    due(1);
    assertEquals(1, work());
    assertEquals(List.of(), due(1), "the same");
    said = "";
    due(10);
    work();
    assertEquals(List.of("seats=it hangs"), due(1));
    due(10);
    work();
    assertEquals(List.of(), due(1), "it still hangs");
  }

  @Test
  void noMoreIsToldThanIsKept() {
    written("s1", "0", "server_dyn_res", "seats !/opt/seats");
    said = "x".repeat(199) + "\ud83d\ude00".repeat(30_000);
    due(0);
    work();
    assertEquals(List.of("seats=" + "x".repeat(199)), due(1));
    due(10);
    work();
    assertEquals(List.of(), due(1), "the same");
    said = "";
    hangs = "it hangs".repeat(10_000);
    due(10);
    work();
    assertEquals(List.of("seats=" + hangs.substring(0, 200)), due(1));
  }

  @Test
  void aRoundThatGoesOnIsNotBegunAgain() {
    written("s1", "0", "server_dyn_res", "seats !/opt/seats");
    for (int i = 0; i < 1_000; i++) {
      due(100);
    }
    assertEquals(1, work());
  }

  @Test
  void otherProgramsAreAskedAtOnce() {
    written("s1", "0", "server_dyn_res", "seats !/opt/seats", "server_dyn_res_alarm", "5");
    due(0);
    work();
    due(1);
    written("s1", "0", "server_dyn_res", "seats !/opt/other", "server_dyn_res_alarm", "0");
    due(1);
    work();
    written("s1", "0", "server_dyn_res", "seats !/opt/third", "server_dyn_res_alarm", "9999");
    due(1);
    due(1);
    work();
    assertEquals(List.of("/opt/seats 5", "/opt/other 600", "/opt/third 600"), asked);
  }

  @Test
  void onlyTheOwnerOfTheShardAsks() {
    written("s1", "1", "server_dyn_res", "seats !/opt/seats");
    written("s2", "0");
    due(0);
    assertEquals(0, work());
  }

  @Test
  void whatNoProgramSaysAnyMoreIsForgotten() {
    written("s1", "0", "server_dyn_res", "seats !/opt/seats");
    due(0);
    work();
    due(1);
    written("s1", "0");
    assertEquals(List.of("nothing"), due(1));
    assertEquals(List.of(), due(1));
  }

  @Test
  void aTextIsAskedForWholeAndAfterItsSecondsOnly() {
    String text = "No scheduled downtime for the specified period.\n\n";
    said = text;
    written("s1", "0", "policy_inputs_from", "dedicated_time:h1 TEXT 60 /opt/times h1");
    due(0);
    assertEquals(1, work());
    assertEquals(List.of("dedicated_time:h1=" + text), due(1));
    assertEquals(List.of("/opt/times h1 30 all"), asked);
    due(40);
    assertEquals(0, work());
    said = "nonsense";
    due(20);
    assertEquals(1, work());
    due(1);
    PolicyInput known = PolicyInputs.of(tables, "s1").get(0);
    assertEquals(text, known.getContent(), "it is kept");
    assertEquals("it said 'nonsense', which tells no dedicated times", known.getProblem());
  }

  @Test
  void aFileIsReadAndKeepsItsLastTextWhenItCannotBe(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.toRealPath().resolve("current"), "ann users 1 5\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    written("s1", "0", "policy_inputs_from", "file:current FILE 0 " + file);
    due(0);
    work();
    assertEquals(List.of("file:current=ann users 1 5\n"), due(1));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertEquals(file + " may be written by others", problemAfterARound());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals("", problemAfterARound());
    Files.writeString(file, "x".repeat(70_000));
    assertEquals(file + " has more than 64 KiB", problemAfterARound());
    Files.write(file, new byte[] {(byte) 0xe4});
    assertEquals(file + " is no text in UTF-8", problemAfterARound());
    Files.delete(file);
    assertEquals(file + " is not there, or no file; a symbolic link is none", problemAfterARound());
    assertEquals("ann users 1 5\n", PolicyInputs.of(tables, "s1").get(0).getContent());
    assertEquals(List.of(), asked, "no program is run");
  }

  private String problemAfterARound() {
    due(10);
    work();
    due(1);
    return PolicyInputs.of(tables, "s1").get(0).getProblem();
  }

  @Test
  void aClockThatIsSetBackStopsNothing() {
    written("s1", "0", "server_dyn_res", "seats !/opt/seats");
    due(0);
    work();
    due(1);
    due(-3_600);
    due(1);
    assertEquals(1, work());
  }
}
