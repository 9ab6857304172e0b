package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.shard.Calls;
import org.junit.jupiter.api.Test;

/** What qmgr directives write, and how wrong ones are refused. */
class DirectiveTest extends DirectiveFixture {
  @Test
  void aClusterBeginsAsAFreshPbs() {
    assertEquals("mill", get(SERVER, "server", "server_host"));
    assertEquals("root", get(SERVER, "server", "managers"));
    assertEquals("workq", get(SERVER, "server", "default_queue"));
    assertEquals("True", get(QUEUE, "workq", "enabled"));
    assertEquals("True", get(SCHED, "default", "scheduling"));
    int facts = shards.facts(ObjectWritten.class).size();
    shards.initialise();
    assertEquals(facts, shards.facts(ObjectWritten.class).size(), "only once");
  }

  @Test
  void everyShardHasAppliedAChangeBeforeItIsAnswered() {
    shards.silence(3, true);
    ChangeObject command = Calls.change(shards.manager(), CREATE, QUEUE, "q");
    assertNull(shards.ask(0, command));
    shards.silence(3, false);
    shards.run();
    assertEquals(0, shards.answer(command.getMeta()).getCode());
    assertTrue(exists(QUEUE, "q"));
  }

  @Test
  void whatTheServerSharesWithItsSchedulerIsUnsetInBoth() {
    shards.must(SET, SERVER, "server", "scheduler_iteration=500");
    assertEquals("500", get(SCHED, "default", "scheduler_iteration"));
    shards.must(UNSET, SERVER, "server", "scheduler_iteration");
    assertEquals("600", get(SCHED, "default", "scheduler_iteration"));
    assertEquals("600", get(SERVER, "server", "scheduler_iteration"));
  }

  @Test
  void aSchedulersHostIsTheServersOrThatOfAnEngineOfItsOwn() {
    shards.must(CREATE, SCHED, "s1", "sched_host=mill");
    assertEquals("mill", get(SCHED, "s1", "sched_host"));
    refused(
        "15014 Illegal attribute or resource value sched_host",
        SET,
        SCHED,
        "s1",
        "sched_host=elsewhere");
  }

  @Test
  void schedulers() {
    refused("15211 Scheduler already exists", CREATE, SCHED, "default");
    refused("15212 Scheduler name is too long", CREATE, SCHED, "a234567890123456");
    refused("15213 Unknown Scheduler", SET, SCHED, "no", "scheduling=t");
    refused("15214 Can not delete Scheduler", DELETE, SCHED, "default");
    refused(
        "15223 Operation is not permitted on default scheduler",
        SET,
        SCHED,
        "default",
        "partition=p");
    shards.must(CREATE, SCHED, "a23456789012345");
    shards.must(CREATE, SCHED, "s");
    refused("15014 Illegal attribute or resource value", SET, SCHED, "s", "scheduler_iteration=-1");
    assertEquals("False", get(SCHED, "s", "scheduling"));
    shards.must(SET, SCHED, "s", "scheduling=t", "scheduler_iteration=5");
    shards.must(UNSET, SCHED, "s", "scheduling", "scheduler_iteration");
    assertEquals("False", get(SCHED, "s", "scheduling"));
    assertEquals("600", get(SCHED, "s", "scheduler_iteration"));
    shards.must(DELETE, SCHED, "s");
    assertFalse(exists(SCHED, "s"));
  }

  @Test
  void theServersSchedulingIsTheDefaultSchedulers() {
    shards.must(SET, SERVER, "", "scheduling=f", "scheduler_iteration=30");
    assertEquals("False", get(SCHED, "default", "scheduling"));
    assertEquals("30", get(SCHED, "default", "scheduler_iteration"));
    shards.must(SET, SCHED, "default", "scheduling=t");
    assertEquals("True", get(SERVER, "server", "scheduling"));
  }

  @Test
  void theServerIsNeitherMadeNorDeleted() {
    refused("15004 Invalid request", CREATE, SERVER, "other");
    refused("15004 Invalid request", DELETE, SERVER, "");
  }

  @Test
  void rights() {
    CommandMeta user = shards.user("ann");
    assertEquals(15007, shards.code(0, Calls.change(user, SET, SERVER, "", "comment=x")));
    CommandMeta operator = shards.operator();
    assertEquals(0, shards.code(0, Calls.change(operator, SET, SERVER, "", "comment=x")));
    operator = shards.operator();
    Reply reply = shards.ask(0, Calls.change(operator, SET, SERVER, "", "managers=op"));
    assertEquals(15003, reply.getCode());
    operator = shards.operator();
    assertEquals(15007, shards.code(0, Calls.change(operator, CREATE, QUEUE, "q")));
    operator = shards.operator();
    assertEquals(15007, shards.code(0, Calls.change(operator, DELETE, QUEUE, "workq")));
    refused(
        "15003 Cannot set attribute, read only or insufficient permission  total_jobs",
        SET,
        SERVER,
        "",
        "total_jobs=1");
    refused("15018 Unknown queue", SET, SERVER, "", "default_queue=nowhere");
    refused("15004 Invalid request", DELETE, SERVER, "");
  }

  @Test
  void aFormulaIsOneOfWhatIsKnown() {
    String format = "15123 Invalid Formula Format";
    refused(format, SET, SERVER, "", "job_sort_formula=ncpus < 3");
    refused(format, SET, SCHED, "default", "job_sort_formula=ncpus +");
    String word = "15124 Formula contains invalid keyword";
    refused(word, SET, SERVER, "", "job_sort_formula=ncpus*nosuch");
    refused(
        word + " cput: of what is not on hosts only walltime, nodect and nchunk are known",
        SET,
        SERVER,
        "",
        "job_sort_formula=cput");
    refused(
        "15125 Formula contains a resource of an invalid type",
        SET,
        SERVER,
        "",
        "job_sort_formula=arch");
    shards.must(SET, SERVER, "", "job_sort_formula=eligible_time/60 + 0*accrue_type");
    shards.must(SET, SERVER, "", "job_sort_formula=5*ncpus + walltime/60");
    assertEquals("5*ncpus + walltime/60", get(SERVER, "server", "job_sort_formula"));
    refused(format, SET, SERVER, "", "job_sort_formula+=*");
  }

  @Test
  void serverAndSchedulersHaveOneFormula() {
    String differ = "15226 Server's job_sort_formula value is incompatible with sched's";
    shards.must(SET, SERVER, "", "job_sort_formula=ncpus");
    refused(differ, SET, SCHED, "default", "job_sort_formula=walltime");
    shards.must(SET, SCHED, "default", "job_sort_formula=ncpus");
    refused(differ, SET, SERVER, "", "job_sort_formula=walltime");
    shards.must(UNSET, SERVER, "", "job_sort_formula");
    shards.must(SET, SCHED, "default", "job_sort_formula=walltime");
    refused(
        "15014 Illegal attribute or resource value: job_sort_formula and its threshold say nothing"
            + " where policy is gridengine",
        SET,
        SCHED,
        "default",
        "policy=gridengine");
  }

  @Test
  void theServerEndsInTheWaysThatThereAre() {
    String illegal = "15014 Illegal attribute or resource value";
    refused(illegal, SET, SERVER, "", "terminating=quick");
    shards.must(SET, SERVER, "", "terminating=delay");
    refused(illegal, SET, SERVER, "", "terminating+=immediate");
    shards.must(UNSET, SERVER, "", "terminating");
  }
}
