package io.millrace.server.core.job.alter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.Calls;
import io.millrace.server.core.Shards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Alterations of waiting and running jobs. */
class AlterTest {
  private final Shards shards = Shards.threePartitions();
  private final String job = shards.submit(Calls.job("ann", "workq", 1));

  private AlterJob.Builder wish(CommandMeta by) {
    return AlterJob.newBuilder().setMeta(by).setJobId(job);
  }

  @Test
  void onlyWhatIsNamedChanges() {
    JobSpec before = shards.job(job).getSpec();
    List<Attribute> variables = List.of(new Attribute("A", "1"));
    AlterJob command =
        wish(shards.user("ann"))
            .setName("new")
            .setPriority(7)
            .setRerunnable(false)
            .setAccount("acc")
            .setOutputPath("/out")
            .setErrorPath("/err")
            .setJoinPath("oe")
            .setShell("/bin/bash")
            .setVariables(variables)
            .build();
    assertEquals(0, shards.code(0, command));
    JobSpec expected =
        JobSpec.newBuilder(before)
            .setName("new")
            .setPriority(7)
            .setRerunnable(false)
            .setAccount("acc")
            .setOutputPath("/out")
            .setErrorPath("/err")
            .setJoinPath("oe")
            .setShell("/bin/bash")
            .setVariables(variables)
            .build();
    assertEquals(expected, shards.job(job).getSpec());
    String changed = shards.facts(JobAltered.class).get(0).getChanged();
    assertEquals(
        "Job_Name,Priority,Rerunable,Account_Name,Output_Path,Error_Path,Join_Path,"
            + "Shell_Path_List,Variable_List",
        changed);
  }

  private int pass(String name, String value) {
    List<Attribute> extra = List.of(new Attribute(name, value));
    return shards.code(0, wish(shards.user("ann")).setExtra(extra).build());
  }

  @Test
  void whatIsPassedOnTakesThePlaceOfWhatWasThere() {
    assertEquals(0, pass("umask", "22"));
    assertEquals(0, pass("Mail_Points", "abe"));
    assertEquals(0, pass("umask", "27"));
    assertEquals(
        List.of(new Attribute("Mail_Points", "abe"), new Attribute("umask", "27")),
        shards.job(job).getSpec().getExtra());
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    assertEquals(0, pass("Mail_Users", "bob"));
    assertEquals(15015, pass("umask", "2"), "the run has it already");
  }

  @Test
  void theRequestChangesWithItsList() {
    ResourceRequest request = Calls.request("", new Chunk(1, Map.of("ncpus", 3L), Map.of()));
    List<Attribute> list = List.of(new Attribute("ncpus", "3"));
    assertEquals(
        0,
        shards.code(0, wish(shards.user("ann")).setRequest(request).setResourceList(list).build()));
    assertEquals(request, shards.job(job).getSpec().getRequest());
    assertEquals(list, shards.job(job).getSpec().getResourceList());
  }

  @Test
  void holdsAreReplacedByWhoMaySetAndReleaseThem() {
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setHolds("u").build()));
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(15007, shards.code(0, wish(shards.user("ann")).setHolds("o").build()));
    assertEquals(0, shards.code(0, wish(shards.operator()).setHolds("ou").build()));
    assertEquals("uo", shards.job(job).getHolds());
    int facts = shards.facts(JobHeld.class).size();
    assertEquals(0, shards.code(0, wish(shards.operator()).setHolds("ou").build()));
    assertEquals(facts, shards.facts(JobHeld.class).size(), "the same holds in another order");
    assertEquals(15007, shards.code(0, wish(shards.user("ann")).setHolds("n").build()));
    assertEquals(15014, shards.code(0, wish(shards.manager()).setHolds("q").build()));
    assertEquals(0, shards.code(0, wish(shards.operator()).setHolds("n").build()));
    assertEquals(JobStatus.QUEUED, shards.status(job));
  }

  @Test
  void aRunningJobKeepsWhatItWasGranted() {
    shards.grant(job, "default", "n0", 1);
    JobSpec spec = shards.job(job).getSpec();
    ResourceRequest more = Calls.request("", new Chunk(1, Map.of("ncpus", 3L), Map.of()));
    Reply reply = shards.ask(0, wish(shards.user("ann")).setRequest(more).build());
    assertEquals(15015, reply.getCode());
    assertEquals(
        List.of("Cannot modify attribute while job running  Resource_List.ncpus"),
        reply.getLines());
    ResourceRequest longer = ResourceRequest.newBuilder(spec.getRequest()).setWalltimeS(60).build();
    assertEquals(15007, shards.code(0, wish(shards.user("ann")).setRequest(longer).build()));
    assertEquals(15015, shards.code(0, wish(shards.operator()).setRequest(longer).build()));
    assertEquals(0, shards.code(0, wish(shards.user("ann")).setPriority(5).build()));
    assertEquals(5, shards.job(job).getSpec().getPriority());
  }

  @Test
  void rightsAndStates() {
    assertEquals(15007, shards.code(0, wish(shards.user("bob")).setName("x").build()));
    shards.ask(0, Calls.delete(shards.user("ann"), job, false));
    assertEquals(15139, shards.code(0, wish(shards.user("ann")).setName("x").build()));
    assertEquals(0, shards.facts(JobAltered.class).size());
  }
}
