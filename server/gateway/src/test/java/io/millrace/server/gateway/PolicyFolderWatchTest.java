package io.millrace.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.gateway.command.FakeSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a folder that a scheduler object follows are loaded when they change. */
class PolicyFolderWatchTest {
  private static final String CONFIG = "by_queue: true\n";
  private static final String HOURS = "11/02/2026 12:00 11/02/2026 14:00\n";

  @TempDir private Path above;
  private final FakeSite site = new FakeSite();
  private Path folder;
  private PolicyFolderWatch watch;

  @BeforeEach
  void follows() throws IOException {
    // Below a folder of all, as temporary ones are, a folder of one's own may be written by him.
    folder = Files.createDirectory(above.resolve("sched_priv"));
    write("sched_config", CONFIG);
    loaded(Map.of("sched_config", CONFIG), "");
    watch = new PolicyFolderWatch(site.site(), 1);
  }

  private void loaded(Map<String, String> texts, String problem) {
    site.put(
        ObjectKind.SCHEDULER,
        "default",
        "policy",
        "sched_config",
        "sched_config",
        StoredPolicy.join(texts, "Asia/Tokyo"),
        "policy_folder",
        folder.toString(),
        "policy_problem",
        problem);
  }

  private void write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /** Looks three times; what was sent, NAME=VALUE, a line for each command. */
  private List<String> looks() throws InterruptedException {
    site.sent.clear();
    for (int i = 0; i < 3; i++) {
      watch.turn();
    }
    return site.sent.stream()
        .map(it -> (ChangeObject) it.command())
        .map(PolicyFolderWatchTest::text)
        .toList();
  }

  private static String text(ChangeObject change) {
    StringBuilder text = new StringBuilder();
    for (AttributeChange each : change.getAttributes()) {
      String value = each.getValue();
      boolean texts = each.getName().equals("sched_config");
      text.append(each.getName() + "=" + (texts ? StoredPolicy.split(value) : value) + ";");
    }
    return text.toString();
  }

  @Test
  void whatIsLoadedAlreadyIsNotSaidAgain() throws Exception {
    assertEquals(List.of(), looks());
  }

  @Test
  void aChangeIsLoadedOnceInTheZoneThatTheTimesHadBefore() throws Exception {
    looks();
    write("dedicated_time", HOURS);
    assertEquals(
        List.of(
            "policy_problem=;sched_config={dedicated_time="
                + HOURS
                + ", sched_config="
                + CONFIG
                + ", time_zone=Asia/Tokyo\n};"),
        looks());
    loaded(Map.of("sched_config", CONFIG, "dedicated_time", HOURS), "");
    assertEquals(List.of(), looks());
  }

  @Test
  void aFileThatIsBeingWrittenIsWaitedFor() throws Exception {
    looks();
    site.sent.clear();
    write("dedicated_time", "11/02");
    watch.turn();
    Files.delete(folder.resolve("dedicated_time"));
    watch.turn();
    write("dedicated_time", HOURS);
    watch.turn();
    assertEquals(0, site.sent.size());
    watch.turn();
    assertEquals(1, site.sent.size());
  }

  @Test
  void whatCannotBeObeyedIsToldWithItsLineAndTheTextsStay() throws Exception {
    looks();
    write("dedicated_time", "\n30/02/2026 x\n");
    List<String> said = looks();
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).startsWith("policy_problem=dedicated_time:2: "), said.get(0));
    assertTrue(!said.get(0).contains("sched_config="), said.get(0));
    loaded(Map.of("sched_config", CONFIG), "dedicated_time:2: ...");
    Files.delete(folder.resolve("dedicated_time"));
    said = looks();
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).startsWith("policy_problem=;sched_config="), said.get(0));
  }

  @Test
  void othersMayNotWriteThem() throws Exception {
    looks();
    Files.setPosixFilePermissions(
        folder.resolve("sched_config"), PosixFilePermissions.fromString("rw-rw-rw-"));
    String file = folder.resolve("sched_config").toString();
    assertEquals(List.of("policy_problem=" + file + " may be written by others;"), looks());
    assertEquals(List.of(), looks(), "told once");
  }

  @Test
  void withoutItsSchedConfigAFolderSaysNothing() throws Exception {
    Files.delete(folder.resolve("sched_config"));
    assertEquals(List.of("policy_problem=there is no sched_config in " + folder + ";"), looks());
  }

  @Test
  void whatTheServerRefusesIsTold() throws Exception {
    looks();
    site.answer(
        sent -> {
          boolean texts = text((ChangeObject) sent.command()).contains("sched_config=");
          int code = texts ? PbsError.ILLEGAL_VALUE.code() : 0;
          return new Reply(sent.id(), code, List.of(texts ? "too many programs" : ""), false);
        });
    write("dedicated_time", HOURS);
    List<String> said = looks();
    assertEquals(2, said.size(), said.toString());
    assertEquals("policy_problem=too many programs;", said.get(1));
  }

  /** Commands at each of the next looks while the server refuses all. */
  private List<Integer> refusals(int looks) throws InterruptedException {
    site.sent.clear();
    List<Integer> sent = new ArrayList<>();
    for (int look = 1; look <= looks; look++) {
      int before = site.sent.size();
      watch.turn();
      if (site.sent.size() > before) {
        sent.add(look);
      }
    }
    return sent;
  }

  @Test
  void anotherRefusalIsTriedAgainLessAndLess() throws Exception {
    looks();
    site.refuse(PbsError.UNAUTHORIZED.code(), "Unauthorized Request");
    write("dedicated_time", HOURS);
    // The second look finds what the first one has seen.
    assertEquals(List.of(2, 3, 5, 9, 17, 33), refusals(33));
    write("dedicated_time", HOURS + HOURS);
    assertEquals(List.of(2, 3), refusals(4), "what is new is tried at once");
    site.answer(null);
    assertEquals(List.of(1), refusals(20), "it is answered");
  }
}
