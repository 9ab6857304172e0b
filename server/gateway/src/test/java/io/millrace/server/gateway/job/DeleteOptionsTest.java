package io.millrace.server.gateway.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The options of qdel. */
class DeleteOptionsTest {

  private final FakeSite site = new FakeSite();

  private List<DeleteJob> sent(String... line) throws Exception {
    site.sent.clear();
    FakeInvocation told = site.run("root", line);
    assertEquals("", told.errors());
    return site.sent.stream().map(it -> (DeleteJob) it.command()).toList();
  }

  private List<Boolean> quiet(String... line) throws Exception {
    return sent(line).stream().map(DeleteJob::getQuiet).toList();
  }

  @Test
  void ownersAreWrittenToAboutSoMany() throws Exception {
    assertEquals(List.of(false, false, false), quiet("qdel", "1", "2", "3"));
    assertEquals(
        List.of(false, false, true), quiet("qdel", "-W", "suppress_email=2", "1", "2", "3"));
    assertEquals(List.of(true, true), quiet("qdel", "-Wsuppress_email=-1", "1", "2[1-3]"));
    assertEquals(List.of(false, false), quiet("qdel", "-W", "suppress_email=0", "1", "2"));
    assertEquals(List.of(false), quiet("qdel", "-W", "suppress_email=abc", "1"));
    assertEquals(List.of(false, true), quiet("qdel", "-W", "suppress_email=1x", "1", "2"));
  }

  @Test
  void aboutAThousandWhereNothingIsSaid() throws Exception {
    String[] line = new String[1002];
    line[0] = "qdel";
    for (int i = 1; i < line.length; i++) {
      line[i] = "1";
    }
    List<Boolean> quiet = quiet(line);
    assertEquals(1001, quiet.size());
    assertEquals(1000, quiet.indexOf(true));
  }

  @Test
  void forceAndSilenceGoTogether() throws Exception {
    DeleteJob both = sent("qdel", "-W", "force", "-W", "suppress_email=-1", "1").get(0);
    assertTrue(both.getForce() && both.getQuiet());
  }

  @Test
  void whatIsNoIdentifierIsToldFirstAndCountsLast() throws Exception {
    FakeInvocation told = site.run("root", "qdel", "1", "abc", "2", "x y");
    assertEquals(
        "qdel: illegally formed job identifier: abc\nqdel: illegally formed job identifier: x y\n",
        told.errors());
    assertEquals(1, site.status);
    assertEquals(2, site.sent.size());
    site.refuse(15001, "Unknown Job Id");
    told = site.run("root", "qdel", "99999", "abc");
    assertEquals(
        "qdel: illegally formed job identifier: abc\nqdel: Unknown Job Id 99999.vm\n",
        told.errors());
    assertEquals(153, site.status);
  }

  @Test
  void otherValuesAreRefused() throws Exception {
    for (String wrong : List.of("", "forced", "suppress_email", "suppress_emails=1")) {
      FakeInvocation told = site.run("root", "qdel", "-W", wrong, "1");
      assertEquals(2, site.status, wrong);
      assertTrue(told.errors().startsWith("qdel: illegal -W value\nusage:\n"), told.errors());
    }
    site.run("root", "qdel", "-W", "5", "1");
    assertEquals(2, site.status);
    assertEquals(List.of(), site.sent);
  }
}
