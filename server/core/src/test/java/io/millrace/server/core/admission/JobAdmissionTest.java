package io.millrace.server.core.admission;

import static io.millrace.schemas.command.ChangeOperation.CREATE;
import static io.millrace.schemas.command.ChangeOperation.DELETE;
import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.command.ChangeOperation.UNSET;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static io.millrace.schemas.common.ObjectKind.RESOURCE;
import static io.millrace.schemas.common.ObjectKind.SERVER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.RequestParser;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobAdmissionTest {
  private final TestShards shards = TestShards.threePartitions();

  private static List<Attribute> attributes(String... pairs) {
    return Stream.of(pairs)
        .map(it -> new Attribute(it.split("=", 2)[0], it.split("=", 2)[1]))
        .toList();
  }

  private static NewJob job(String owner, String... asked) {
    try {
      ParsedRequest parsed = new RequestParser(ResourceTable.standard()).parse(attributes(asked));
      NewJob job = Calls.job(owner, "workq", parsed.request());
      job.getSpec().setResourceList(parsed.resourceList());
      job.getSpec().setAsked(attributes(asked));
      return job;
    } catch (RequestException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private Reply submit(NewJob... jobs) {
    return shards.ask(0, Calls.submit(shards.user(jobs[0].getSpec().getOwner()), List.of(), jobs));
  }

  private String accepted(NewJob job) {
    Reply reply = submit(job);
    assertEquals(0, reply.getCode(), reply.toString());
    return reply.getLines().get(0);
  }

  private void refused(String expected, Reply reply) {
    assertEquals(expected, reply.getCode() + " " + String.join(" ", reply.getLines()));
  }

  private void queue(String... pairs) {
    shards.must(SET, QUEUE, "workq", pairs);
  }

  private void server(String... pairs) {
    shards.must(SET, SERVER, "", pairs);
  }

  private Map<String, String> list(String id) {
    return shards.job(id).getSpec().getResourceList().stream()
        .collect(Collectors.toMap(Attribute::getName, Attribute::getValue));
  }

  @Test
  void aJobMustKeepTheBoundsOfQueueAndServer() {
    String violated = "15036 Job violates queue and/or server resource limits";
    queue("resources_max.walltime=2:00:00", "resources_min.walltime=5");
    server("resources_max.ncpus=10", "resources_max.walltime=1:00:00");
    refused(violated, submit(job("ann", "walltime=3:00:00")));
    refused(violated, submit(job("ann", "walltime=1")));
    accepted(job("ann", "walltime=1:30:00"));
    refused(violated, submit(job("ann", "ncpus=11")));
    refused(violated, submit(job("ann", "select=2:ncpus=8")));
    accepted(job("ann", "select=2:ncpus=5"));
    refused(violated, submit(job("ann"), job("ann", "ncpus=11")));
    shards.must(UNSET, SERVER, "", "resources_max.ncpus");
    accepted(job("ann", "ncpus=11"));
  }

  /** A resource of the whole job that has no default of its own. */
  private void gap() {
    shards.must(CREATE, RESOURCE, "gap", "type=long");
  }

  @Test
  void defaultsAreTheQueuesThenTheServersThenTheBounds() {
    gap();
    queue("resources_default.walltime=30:00", "resources_max.gap=60");
    server(
        "resources_default.walltime=10",
        "resources_default.mem=1gb",
        "resources_default.ncpus=2",
        "resources_max.vmem=8gb",
        "resources_max.gap=120");
    String plain = accepted(job("ann"));
    assertEquals("00:30:00", list(plain).get("walltime"));
    assertEquals("60", list(plain).get("gap"));
    assertEquals("1gb", list(plain).get("mem"));
    assertEquals("2", list(plain).get("ncpus"));
    assertEquals(null, list(plain).get("vmem"), "a bound of what hosts have is no default");
    Job job = shards.job(plain);
    assertEquals(1800, job.getSpec().getRequest().getWalltimeS());
    assertEquals(
        Map.of("ncpus", 2L, "mem", 1L << 30),
        job.getSpec().getRequest().getChunks().get(0).getAmounts());
    String chunks = accepted(job("ann", "select=2:ncpus=1", "walltime=20"));
    assertEquals(null, list(chunks).get("mem"), "a select says all of its chunks");
    assertEquals("00:00:20", list(chunks).get("walltime"));
  }

  @Test
  void chunksHaveWhatTheyDoNotNameFromTheQueueThenTheServer() {
    long gb = 1L << 30;
    queue("default_chunk.mem=2gb");
    server("default_chunk.mem=1gb", "default_chunk.ncpus=2", "default_chunk.arch=linux");
    String id = accepted(job("ann", "select=2:ncpus=1+1:mem=3gb:arch=sun"));
    assertEquals(
        List.of(
            new Chunk(2, Map.of("ncpus", 1L, "mem", 2 * gb), Map.of("arch", "linux")),
            new Chunk(1, Map.of("ncpus", 2L, "mem", 3 * gb), Map.of("arch", "sun"))),
        shards.job(id).getSpec().getRequest().getChunks());
    assertEquals("2:ncpus=1+1:mem=3gb:arch=sun", list(id).get("select"), "as it was asked for");
    assertEquals("7gb", list(id).get("mem"));
    assertEquals("4", list(id).get("ncpus"));
    String old = accepted(job("ann", "nodes=2:ppn=3"));
    assertEquals("4gb", list(old).get("mem"));
    assertEquals("6", list(old).get("ncpus"));
    shards.queue("near", "");
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "near")));
    assertEquals("5gb", list(id).get("mem"));
    assertEquals(0, shards.code(0, alter(shards.user("ann"), id, "select=4")));
    assertEquals("8", list(id).get("ncpus"));
    assertEquals("4gb", list(id).get("mem"));
  }

  @Test
  void theOneChunkOfAJobWithoutSelectHasTheJobsDefaultsFirst() {
    server("default_chunk.mem=1gb", "default_chunk.ncpus=2");
    String plain = accepted(job("ann", "ncpus=3"));
    assertEquals("1:ncpus=3", list(plain).get("select"));
    assertEquals("1gb", list(plain).get("mem"));
    server("resources_default.mem=5gb");
    String more = accepted(job("ann"));
    assertEquals("5gb", list(more).get("mem"));
    assertEquals("1", list(more).get("ncpus"), "a job that says nothing asks for one cpu");
    String chunks = accepted(job("ann", "select=1"));
    assertEquals("1gb", list(chunks).get("mem"));
    assertEquals("2", list(chunks).get("ncpus"));
    server("resources_max.mem=3gb");
    refused(
        "15036 Job violates queue and/or server resource limits", submit(job("ann", "select=4")));
  }

  @Test
  void aChunkHasOnlyWhatHostsHave() {
    for (String wrong : List.of("default_chunk.walltime=60", "default_chunk.nchunk=2")) {
      String name = wrong.substring(0, wrong.indexOf('='));
      refused(
          "15014 Illegal attribute or resource value " + name,
          shards.qmgr(SET, QUEUE, "workq", wrong));
      refused(
          "15014 Illegal attribute or resource value " + name, shards.qmgr(SET, SERVER, "", wrong));
    }
    shards.must(CREATE, RESOURCE, "fast", "type=boolean", "flag=h");
    refused(
        "15014 Illegal attribute or resource value default_chunk.fast",
        shards.qmgr(SET, SERVER, "", "default_chunk.fast=very"));
    server("default_chunk.fast=t");
    assertEquals(
        Map.of("fast", "True"),
        shards.job(accepted(job("ann"))).getSpec().getRequest().getChunks().get(0).getMatches());
    refused(
        "15014 Illegal attribute or resource value: resource fast is set on server server",
        shards.qmgr(DELETE, RESOURCE, "fast"));
  }

  @Test
  void defaultsChangeWithTheQueue() {
    queue("resources_default.walltime=30:00");
    shards.must(SET, QUEUE, "east", "resources_default.walltime=40:00");
    shards.queue("near", "");
    String id = accepted(job("ann"));
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "near")));
    assertEquals(null, list(id).get("walltime"));
    assertEquals(-1, shards.job(id).getSpec().getRequest().getWalltimeS());
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "east")));
    assertEquals("00:40:00", list(id).get("walltime"));
    String own = accepted(job("ann", "walltime=7"));
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), own, "east")));
    assertEquals("00:00:07", list(own).get("walltime"));
  }

  @Test
  void aMoveKeepsTheBoundsUnlessAManagerMakesIt() {
    shards.queue("near", "");
    for (String there : List.of("near", "east")) {
      shards.must(SET, QUEUE, there, "resources_max.walltime=60");
      String id = accepted(job("ann", "walltime=70"));
      Reply reply = shards.ask(0, Calls.move(shards.user("ann"), id, there));
      refused("15036 Job violates queue and/or server resource limits", reply);
      assertEquals("workq", shards.job(id).getSpec().getQueue());
      shards.must(SET, QUEUE, there, "enabled=f");
      refused(
          "15021 Queue is not enabled", shards.ask(0, Calls.move(shards.user("ann"), id, there)));
      assertEquals(0, shards.code(0, Calls.move(shards.manager(), id, there)));
      assertEquals(there, shards.job(id).getSpec().getQueue());
    }
  }

  private AlterJob alter(CommandMeta by, String id, String... asked) {
    NewJob wanted = job("ann", asked);
    return AlterJob.newBuilder()
        .setMeta(by)
        .setJobId(id)
        .setRequest(wanted.getSpec().getRequest())
        .setResourceList(wanted.getSpec().getResourceList())
        .setAsked(wanted.getSpec().getAsked())
        .build();
  }

  @Test
  void anAlterationKeepsTheBoundsUnlessAnOperatorMakesIt() {
    gap();
    queue("resources_max.walltime=60", "resources_default.gap=5");
    String id = accepted(job("ann", "walltime=50"));
    refused(
        "15036 Job violates queue and/or server resource limits",
        shards.ask(0, alter(shards.user("ann"), id, "walltime=70")));
    assertEquals(0, shards.code(0, alter(shards.user("ann"), id, "walltime=40")));
    assertEquals("00:00:40", list(id).get("walltime"));
    assertEquals("5", list(id).get("gap"));
    assertEquals(0, shards.code(0, alter(shards.operator(), id, "walltime=70")));
    assertEquals("00:01:10", list(id).get("walltime"));
  }

  @Test
  void howManyJobsAQueueTakes() {
    queue("max_queuable=2");
    accepted(job("ann"));
    refused("15046 Maximum number of jobs already in queue", submit(job("bob"), job("bob")));
    String last = accepted(job("bob"));
    refused("15046 Maximum number of jobs already in queue", submit(job("ann")));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("bob"), last, false)));
    accepted(job("ann"));
  }

  @Test
  void howManyJobsUsersGroupsAndProjectsHave() {
    queue("max_queued=[u:PBS_GENERIC=1],[u:bob=2],[o:PBS_ALL=4]");
    accepted(job("ann"));
    refused("15142 would exceed queue workq's per-user limit", submit(job("ann")));
    refused(
        "15142 Maximum number of jobs for user bob already in queue workq",
        submit(job("bob"), job("bob"), job("bob")));
    assertEquals(0, submit(job("bob"), job("bob")).getCode());
    accepted(job("cid"));
    refused("15142 Maximum number of jobs already in queue workq", submit(job("dan")));
    queue("max_queued=[g:staff=0],[p:PBS_GENERIC=0]");
    NewJob staff = job("eve");
    staff.getSpec().setGroup("staff");
    refused("15142 Maximum number of jobs for group staff already in queue workq", submit(staff));
    refused("15142 would exceed queue workq's per-project limit", submit(job("fay")));
  }

  @Test
  void aJobThatRunsCountsAndOneThatEndedDoesNot() {
    queue("max_queued=[u:PBS_GENERIC=1]");
    String id = accepted(job("ann"));
    shards.grant(id, "default", "n0", 1);
    refused("15142 would exceed queue workq's per-user limit", submit(job("ann")));
    shards.finished(shards.lastStart(), 0);
    accepted(job("ann"));
  }

  @Test
  void howMuchTheJobsOfAUserAskFor() {
    queue("max_queued_res.ncpus=[u:PBS_GENERIC=4]");
    String id = accepted(job("ann", "ncpus=3"));
    refused(
        "15143 would exceed per-user limit on resource ncpus in queue workq",
        submit(job("ann", "ncpus=2")));
    refused(
        "15143 would exceed per-user limit on resource ncpus in queue workq",
        shards.ask(0, alter(shards.user("ann"), id, "ncpus=5")));
    assertEquals(0, shards.code(0, alter(shards.user("ann"), id, "ncpus=2")));
    accepted(job("ann", "ncpus=2"));
    queue("max_queued_res.ncpus=[u:ann=1],[o:PBS_ALL=5]");
    refused(
        "15143 would exceed user ann's limit on resource ncpus in queue workq", submit(job("ann")));
    refused(
        "15143 would exceed limit on resource ncpus in queue workq", submit(job("bob", "ncpus=2")));
    refused(
        "15014 Illegal attribute or resource value max_queued_res.walltime",
        shards.qmgr(SET, QUEUE, "workq", "max_queued_res.walltime=[u:ann=1]"));
  }

  @Test
  void limitsOfTheServerHoldForAllQueues() {
    server("max_queued=[u:PBS_GENERIC=1]", "max_queued_res.ncpus=[o:PBS_ALL=3]");
    shards.queue("near", "");
    String id = accepted(job("ann"));
    for (String queue : List.of("near", "east")) {
      NewJob second = job("ann");
      second.getSpec().setQueue(queue);
      refused("15142 would exceed complex's per-user limit", submit(second));
    }
    refused("15143 would exceed limit on resource ncpus in complex", submit(job("bob", "ncpus=3")));
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "near")));
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), id, "east")));
  }

  @Test
  void amountsOfJobsAreChecked() {
    refused(
        "15014 Illegal attribute or resource value resources_max.walltime",
        shards.qmgr(SET, QUEUE, "workq", "resources_max.walltime=soon"));
    refused(
        "15014 Illegal attribute or resource value resources_max.arch",
        shards.qmgr(SET, QUEUE, "workq", "resources_max.arch=linux"));
    refused(
        "15014 Illegal attribute or resource value resources_default.place",
        shards.qmgr(SET, QUEUE, "workq", "resources_default.place=free"));
    refused(
        "15035 Unknown resource resources_default.foo",
        shards.qmgr(SET, QUEUE, "workq", "resources_default.foo=1"));
    refused("15002 Undefined attribute ", shards.qmgr(SET, SERVER, "", "resources_min.ncpus=1"));
  }

  @Test
  void whoseJobsAQueueTakes() {
    queue("acl_user_enable=t", "acl_users=bob");
    refused("15007 Unauthorized Request ", submit(job("ann")));
    accepted(job("bob"));
    queue("acl_users+=ann@login");
    String id = accepted(job("ann"));
    queue("acl_users=-ann,+");
    refused("15007 Unauthorized Request ", submit(job("ann")));
    accepted(job("cid"));
    queue("acl_user_enable=f", "acl_host_enable=t", "acl_hosts=other");
    refused("15008 Access from host not allowed, or unknown host", submit(job("ann")));
    queue("acl_hosts+=login", "acl_group_enable=t", "acl_groups=staff");
    refused("15007 Unauthorized Request ", submit(job("ann")));
    NewJob staff = job("ann");
    staff.getSpec().setGroup("staff");
    accepted(staff);
    NewJob second = job("ann");
    second.getSpec().setGroups(List.of("users", "staff"));
    accepted(second);
    for (String there : List.of("east", "near")) {
      if (there.equals("near")) {
        shards.queue("near", "");
      }
      shards.must(SET, QUEUE, there, "acl_user_enable=t", "acl_users=bob");
      Reply moved = shards.ask(0, Calls.move(shards.user("ann"), id, there));
      refused("15007 Unauthorized Request ", moved);
    }
    assertEquals(0, shards.code(0, Calls.move(shards.manager(), id, "near")));
  }

  @Test
  void listsOfNobodyAreRefused() {
    for (String list : List.of("acl_users=a@", "acl_hosts=10.0.0.0/8", "acl_groups=a@b")) {
      refused("15014 Illegal attribute or resource value", shards.qmgr(SET, QUEUE, "workq", list));
    }
    refused(
        "15014 Illegal attribute or resource value", shards.qmgr(SET, SERVER, "", "managers=@h"));
  }
}
