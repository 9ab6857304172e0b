package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.status.Views;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users see of the jobs of others (query_other_jobs). */
class OwnJobsTest {

  private static final int UNAUTHORIZED = 15007 % 256;

  private final FakeSite site = new FakeSite();

  /** 1 and 3 are ann's, 2 is bob's. */
  @BeforeEach
  void jobs() {
    for (long number = 1; number <= 3; number++) {
      site.jobs.put(number, Jobs.fromScript(number, JobStatus.QUEUED));
      site.jobs.get(number).getSpec().setOwner(number == 2 ? "bob" : "ann");
    }
    own("False");
  }

  private void own(String value) {
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "default_queue",
        "workq",
        "operators",
        "opal@*",
        "managers",
        "mary@*",
        "query_other_jobs",
        value);
  }

  private void sees(String user, String ids) throws Exception {
    String told = site.run(user, "qselect").output();
    assertEquals(ids, told.replace(".vm\n", " ").strip(), user);
    String table = site.run(user, "qstat").output();
    for (String id : List.of("1", "2", "3")) {
      assertEquals(ids.contains(id), table.contains(id + ".vm"), user + ": " + table);
    }
  }

  @Test
  void listsHaveTheirOwnAndThoseOfPrivilegedUsersAll() throws Exception {
    sees("ann", "1 3");
    sees("bob", "2");
    sees("eve", "");
    sees("opal", "1 2 3");
    sees("mary", "1 2 3");
    sees("root", "1 2 3");
    own("True");
    sees("eve", "1 2 3");
  }

  @Test
  void whoAsksForSomebodyElsesHasNone() throws Exception {
    assertEquals("", site.run("ann", "qselect", "-u", "bob").output());
    assertEquals("", site.run("ann", "qstat", "-u", "bob").output());
  }

  @Test
  void aJobOfAnotherIsRefusedByItsNumber() throws Exception {
    for (String command : List.of("qstat", "why", "tracejob")) {
      FakeInvocation told = site.run("ann", command, "2");
      assertEquals(command + ": Unauthorized Request  2.vm\n", told.errors());
      assertEquals("", told.output());
      assertEquals(UNAUTHORIZED, site.status);
      assertEquals(0, site.run("bob", command, "2").errors().length(), command);
    }
    assertEquals("qstat: Unknown Job Id 7.vm\n", site.run("ann", "qstat", "7").errors());
  }

  @Test
  void overHttpItIsTheSame() throws Exception {
    Views views = new Views(site.site());
    Views ann = views.seenBy("ann", () -> "");
    JobFilter all = JobFilter.all(false, "ann");
    assertEquals(
        List.of("1.vm", "3.vm"),
        ann.jobs(all, 10).entries().stream().map(Views.ShownObject::name).toList());
    assertEquals(Optional.empty(), ann.job("2"));
    assertEquals(Optional.empty(), ann.why("2"));
    assertTrue(ann.hides("2"));
    assertFalse(ann.hides("7"));
    assertEquals(3, views.seenBy("mary", () -> "").jobs(all, 10).entries().size());
    assertFalse(views.seesAll("ann", () -> ""));
    assertTrue(views.seesAll("opal", () -> ""));
  }
}
