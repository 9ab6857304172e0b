package io.millrace.schemas.pbs.schedconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.state.PolicyInput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was read of a PBS scheduler's files counts instead of what was loaded. */
class FollowedFilesTest {
  private static final String LOADED =
      StoredPolicy.join(
          Map.of(
              "sched_config", "fair_share: true\n",
              "dedicated_time", "11/02/2026 12:00 11/02/2026 14:00\n",
              "resource_group", "ann 10 root 60\n"),
          "Europe/Berlin");

  private static PolicyInput input(String name, String content) {
    return PolicyInput.newBuilder().setName(name).setContent(content).setReadMs(1).build();
  }

  private static Map<String, String> inForce(String folder, PolicyInput... inputs) {
    return StoredPolicy.split(FollowedFiles.inForce(LOADED, folder, List.of(inputs)));
  }

  @Test
  void whatWasLoadedIsFollowedButForSchedConfig() {
    assertEquals(
        List.of(
            "file:dedicated_time FILE 0 /etc/pbs/dedicated_time",
            "file:resource_group FILE 0 /etc/pbs/resource_group"),
        InputSource.text(FollowedFiles.sources(LOADED, "/etc/pbs")).lines().toList());
  }

  @Test
  void whatWasReadCountsWhileTheFolderIsFollowed() {
    PolicyInput group = input("file:resource_group", "ann 10 root 1\n");
    Map<String, String> followed = inForce("/etc/pbs", group, input("seats", "3"));
    assertEquals("ann 10 root 1\n", followed.get("resource_group"));
    assertEquals("11/02/2026 12:00 11/02/2026 14:00\n", followed.get("dedicated_time"));
    assertEquals("fair_share: true\n", followed.get("sched_config"));
    assertEquals("Europe/Berlin\n", followed.get("time_zone"));
    assertEquals("ann 10 root 60\n", inForce("", group).get("resource_group"), "not followed");
  }

  @Test
  void aFileThatIsEmptiedIsReadAndOneThatWasNeverReadIsNot() {
    PolicyInput emptied = input("file:dedicated_time", "");
    assertEquals("", inForce("/etc/pbs", emptied).get("dedicated_time").strip());
    PolicyInput never = PolicyInput.newBuilder().setName("file:dedicated_time").build();
    assertEquals(
        "11/02/2026 12:00 11/02/2026 14:00\n", inForce("/etc/pbs", never).get("dedicated_time"));
    PolicyInput unloaded = input("file:holidays", "YEAR 2026\n");
    assertNull(inForce("/etc/pbs", unloaded).get("holidays"));
  }

  @Test
  void whatCannotBeObeyedIsRefusedWithItsLine() {
    assertEquals(Optional.empty(), FollowedFiles.refuse("file:resource_group", "ann 10 root 60\n"));
    assertEquals(Optional.empty(), FollowedFiles.refuse("file:allocations", "ann 10 root -1\n"));
    String refused = FollowedFiles.refuse("file:resource_group", "ann 10 root -1\n").orElseThrow();
    assertEquals("resource_group:1: ", refused.substring(0, 18), refused);
    refused = FollowedFiles.refuse("file:dedicated_time", "\n30/02/2026 x\n").orElseThrow();
    assertEquals("dedicated_time:2: ", refused.substring(0, 18), refused);
  }
}
