package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.shard.Calls;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Resources of the site: made, bounded, used and taken away. */
class ResourcesDirectiveTest extends DirectiveFixture {
  @Test
  void whatThereIsForAllJobsOfAQueueIsAnAmountOfWhatTheyUseUp() {
    shards.must(SET, QUEUE, "workq", "resources_available.mem=2048mb");
    assertEquals("2gb", get(QUEUE, "workq", "resources_available.mem"));
    shards.must(SET, SERVER, "", "resources_available.ncpus=0");
    for (String wrong : List.of("arch=linux", "walltime=60", "ncpus=-1", "mem=lots")) {
      String name = "resources_available." + wrong.substring(0, wrong.indexOf('='));
      refused(
          "15014 Illegal attribute or resource value " + name,
          SET,
          QUEUE,
          "workq",
          "resources_available." + wrong);
    }
    refused(
        "15035 Unknown resource resources_available.foo",
        SET,
        SERVER,
        "",
        "resources_available.foo=1");
  }

  @Test
  void aResourceThatIsUsedKeepsItsForm() {
    shards.must(CREATE, RESOURCE, "lic", "type=size", "flag=nh");
    for (String user : List.of("queue workq resources_max", "server default_chunk", "node n")) {
      String[] words = user.split(" ");
      ObjectKind kind = ObjectKind.valueOf(words[0].toUpperCase(Locale.ROOT));
      String name = kind == SERVER ? "" : words[1];
      String attribute = words[words.length - 1] + ".lic";
      if (kind == NODE) {
        attribute = "resources_available.lic";
        shards.must(CREATE, NODE, name);
      }
      shards.must(SET, kind, name, attribute + "=4gb");
      String busy = "15174 Resource busy on " + words[0];
      refused(busy, SET, RESOURCE, "lic", "type=long");
      refused(busy, SET, RESOURCE, "lic", "flag=h");
      refused(busy, UNSET, RESOURCE, "lic", "flag");
      shards.must(SET, RESOURCE, "lic", "type=size", "flag=nh");
      if (kind == QUEUE) {
        shards.submit(Calls.job("ann", "workq", 1));
      }
      shards.must(UNSET, kind, name, attribute);
    }
    NewJob job = Calls.job("ann", "workq", 1);
    job.getSpec().setRequest(Calls.request("", new Chunk(1, Map.of("lic", 5L), Map.of())));
    shards.submit(job);
    refused("15174 Resource busy on job", SET, RESOURCE, "lic", "type=long");
    refused("15174 Resource busy on job", DELETE, RESOURCE, "lic");
    assertEquals("size", get(RESOURCE, "lic", "type"));
    shards.must(CREATE, RESOURCE, "free", "type=size");
    shards.must(SET, RESOURCE, "free", "type=long", "flag=q");
    shards.must(DELETE, RESOURCE, "free");
  }

  @Test
  void resources() {
    refused("15055 Duplicate entry in list ", CREATE, RESOURCE, "ncpus");
    refused("15004 Invalid request", DELETE, RESOURCE, "ncpus");
    refused("15004 Invalid request", SET, RESOURCE, "ncpus", "type=long");
    refused("15004 Invalid request", UNSET, RESOURCE, "ncpus", "flag");
    shards.must(CREATE, RESOURCE, "lic", "type=long", "flag=nh");
    refused("15055 Duplicate entry in list ", CREATE, RESOURCE, "lic", "type=long");
    shards.must(CREATE, RESOURCE, "word");
    assertEquals("string", get(RESOURCE, "word", "type"));
    shards.must(CREATE, NODE, "n", "resources_available.lic=3");
    assertEquals("3", get(NODE, "n", "resources_available.lic"));
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on node n",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, NODE, "n", "resources_available.lic");
    shards.must(SET, QUEUE, "workq", "max_run_res.lic=[o:PBS_ALL=4]");
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on queue workq",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, QUEUE, "workq", "max_run_res.lic");
    resourceOfSortKeys();
    shards.must(DELETE, RESOURCE, "lic");
    refused("15035 Unknown resource", DELETE, RESOURCE, "lic");
    refused("15014 Illegal attribute or resource value", CREATE, RESOURCE, "x", "type=thing");
    for (String letter : List.of("i", "m")) {
      String flags = "flag=nh" + letter;
      Reply reply = shards.qmgr(CREATE, RESOURCE, "x", "type=long", flags);
      assertEquals(15014, reply.getCode());
      String told = String.join("", reply.getLines());
      assertTrue(told.contains(": flag " + letter + " is not offered: "), told);
    }
    shards.must(CREATE, RESOURCE, "x", "type=long", "flag=hf");
  }

  /** A scheduler's sort keys name resources, and keep those of the site. */
  private void resourceOfSortKeys() {
    shards.must(SET, SCHED, "default", "node_sort_key=ncpus HIGH, lic LOW unused");
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on scheduler default",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, SCHED, "default", "node_sort_key");
    shards.must(SET, SCHED, "default", "job_sort_key=ncpus high, lic LOW");
    refused(
        "15014 Illegal attribute or resource value: resource lic is set on scheduler default",
        DELETE,
        RESOURCE,
        "lic");
    shards.must(UNSET, SCHED, "default", "job_sort_key");
    shards.must(SET, SCHED, "default", "job_sort_key=job_priority HIGH, walltime LOW");
    refused("15035 Unknown resource cput", SET, SCHED, "default", "job_sort_key=cput HIGH");
    refused(
        "15014 Illegal attribute or resource value", SET, SCHED, "default", "job_sort_key=ncpus");
    refused(
        "15014 Illegal attribute or resource value: fair_share_perc in job_sort_key: fair share"
            + " comes with a sched_config",
        SET,
        SCHED,
        "default",
        "job_sort_key=fair_share_perc HIGH");
    shards.must(
        SET,
        SCHED,
        "default",
        "job_sort_key=queue_priority HIGH, queue_turn LOW, queue_order LOW, submit_time LOW,"
            + " nodect HIGH, euser=ann:bob HIGH, egroup=staff LOW, submit_host=a.org HIGH");
    for (String key : List.of("euser HIGH", "euser= HIGH", "euser=a::b HIGH", "nodect=a HIGH")) {
      refused(
          "15014 Illegal attribute or resource value",
          SET,
          SCHED,
          "default",
          "job_sort_key=" + key);
    }
    shards.must(SET, SCHED, "default", "node_sort_key=name LOW, loadave LOW, idle_time HIGH");
    refused(
        "15014 Illegal attribute or resource value",
        SET,
        SCHED,
        "default",
        "node_sort_key=loadave LOW unused");
    shards.must(SET, SCHED, "default", "by_queue=true");
    shards.must(SET, SCHED, "default", "round_robin=false");
  }

  @Test
  void whatNothingHoldsHasNoDefaultsAndNoBounds() {
    shards.must(CREATE, QUEUE, "bounded", "queue_type=execution");
    shards.must(CREATE, NODE, "bounded", "Mom=bounded");
    String why = "the size of files is not bounded";
    String told = "15014 Illegal attribute or resource value: file is not offered: " + why;
    for (String name :
        List.of("resources_default", "resources_max", "resources_available", "default_chunk")) {
      refused(told, SET, SERVER, "", name + ".file=5");
      refused(told, SET, QUEUE, "bounded", name + ".file=5");
    }
    refused(told, SET, QUEUE, "bounded", "resources_min.file=5");
    refused(told, SET, NODE, "bounded", "resources_available.file=5");
    refused(told, SET, SERVER, "", "max_run_res.file=[o:PBS_ALL=5]");
    for (String other : List.of("nice", "pmem", "pvmem", "soft_walltime")) {
      String name = "resources_default." + other;
      assertEquals(15014, shards.qmgr(SET, SERVER, "", name + "=1").getCode(), other);
    }
    for (String held : List.of("walltime", "cput", "pcput")) {
      for (String name : List.of("resources_default.", "resources_max.")) {
        shards.must(SET, SERVER, "", name + held + "=5");
        shards.must(SET, QUEUE, "bounded", name + held + "=5");
      }
      shards.must(SET, QUEUE, "bounded", "resources_min." + held + "=5");
    }
  }

  @Test
  void aResourceOfAFormulaStays() {
    shards.must(CREATE, RESOURCE, "weight", "type=float", "flag=h");
    shards.must(SET, SERVER, "", "job_sort_formula=weight*2");
    refused(
        "15014 Illegal attribute or resource value: resource weight is set on server server",
        DELETE,
        RESOURCE,
        "weight");
    refused("15174 Resource busy on server", SET, RESOURCE, "weight", "type=string");
    shards.must(UNSET, SERVER, "", "job_sort_formula");
    shards.must(DELETE, RESOURCE, "weight");
  }
}
