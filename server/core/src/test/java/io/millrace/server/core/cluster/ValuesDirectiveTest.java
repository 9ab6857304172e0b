package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values that grow and shrink by {@code +=} and {@code -=}. */
class ValuesDirectiveTest extends DirectiveFixture {
  @Test
  void aTextGrowsAndLosesItsTail() {
    shards.must(CREATE, NODE, "n", "comment=fan");
    shards.must(SET, NODE, "n", "comment+= broken");
    assertEquals("fan broken", get(NODE, "n", "comment"));
    shards.must(SET, NODE, "n", "comment-= broken");
    assertEquals("fan", get(NODE, "n", "comment"));
    shards.must(SET, NODE, "n", "comment-=of");
    assertEquals("fan", get(NODE, "n", "comment"));
  }

  @Test
  void amountsAreAddedAndTakenAway() {
    shards.must(CREATE, RESOURCE, "share", "type=float", "flag=nh");
    shards.must(CREATE, NODE, "n", "resources_available.ncpus=8");
    shards.must(SET, NODE, "n", "resources_available.mem=3gb", "resources_available.share=1.5");
    summed(NODE, "n", "resources_available.ncpus", "+=2", "10");
    summed(NODE, "n", "resources_available.ncpus", "-=4", "6");
    summed(NODE, "n", "resources_available.mem", "+=512mb", "3584mb");
    summed(NODE, "n", "resources_available.mem", "-=2gb", "1536mb");
    summed(NODE, "n", "resources_available.share", "+=0.75", "2.25");
    summed(NODE, "n", "resources_available.ncpus", "-=6", "0");
    summed(NODE, "n", "resources_available.ngpus", "+=1", "1");
    refused(
        "15014 Illegal attribute or resource value resources_available.mem",
        SET,
        NODE,
        "n",
        "resources_available.mem-=2gb");
    assertEquals("1536mb", get(NODE, "n", "resources_available.mem"));
    for (String attribute : List.of("resources_max", "resources_default", "resources_min")) {
      shards.must(SET, QUEUE, "workq", attribute + ".walltime=1:00:00");
      summed(QUEUE, "workq", attribute + ".walltime", "+=90", "01:01:30");
      summed(QUEUE, "workq", attribute + ".walltime", "-=00:31:30", "00:30:00");
    }
    shards.must(SET, SERVER, "", "default_chunk.ncpus=2", "max_user_res.ncpus=4");
    summed(SERVER, "server", "default_chunk.ncpus", "+=1", "3");
    summed(SERVER, "server", "max_user_res.ncpus", "-=1", "3");
    shards.must(SET, SERVER, "", "job_history_duration=1:00:00");
    summed(SERVER, "server", "job_history_duration", "+=30:00", "01:30:00");
    summed(SERVER, "server", "job_history_duration", "-=3600", "00:30:00");
    refused(
        "15014 Illegal attribute or resource value",
        SET,
        SERVER,
        "",
        "job_history_duration-=2:00:00");
  }

  @Test
  void lessOfNothingIsNothing() {
    for (String attribute : List.of("kill_delay", "max_array_size")) {
      shards.must(SET, QUEUE, "workq", attribute + "-=5");
      assertNull(get(QUEUE, "workq", attribute));
    }
    for (String attribute : List.of("max_array_size", "max_unheard", "job_requeue_timeout")) {
      shards.must(UNSET, SERVER, "", attribute);
      shards.must(SET, SERVER, "", attribute + "-=5");
      assertNull(get(SERVER, "server", attribute));
    }
  }

  @Test
  void aSumHasTheBoundsOfWhatSomebodyWrites() {
    shards.must(SET, SERVER, "", "job_requeue_timeout=2:00:00");
    String illegal = "15014 Illegal attribute or resource value";
    refused(illegal, SET, SERVER, "", "job_requeue_timeout+=2:00:00");
    refused(illegal, SET, SERVER, "", "job_requeue_timeout-=2:00:00");
    assertEquals("02:00:00", get(SERVER, "server", "job_requeue_timeout"));
    shards.must(SET, SERVER, "", "max_unheard=60");
    summed(SERVER, "server", "max_unheard", "-=5", "55");
    shards.must(SET, QUEUE, "workq", "kill_delay=10");
    Reply reply = shards.qmgr(SET, QUEUE, "workq", "kill_delay-=11");
    assertEquals(15014, reply.getCode());
  }

  private void summed(ObjectKind kind, String name, String attribute, String change, String now) {
    shards.must(SET, kind, name, attribute + change);
    assertEquals(now, get(kind, name, attribute), attribute + change);
  }

  @Test
  void stringsOfANodeGrowByWordsIfTheyAreSeveral() {
    shards.must(CREATE, RESOURCE, "site_tags", "type=string_array", "flag=h");
    assertEquals("string_array", get(RESOURCE, "site_tags", "type"));
    shards.must(CREATE, RESOURCE, "rack", "type=string", "flag=h");
    shards.must(CREATE, RESOURCE, "ssd", "type=boolean", "flag=h");
    shards.must(CREATE, NODE, "n", "resources_available.site_tags=a,b");
    summed(NODE, "n", "resources_available.site_tags", "+=c,a", "a,b,c");
    summed(NODE, "n", "resources_available.site_tags", "-=b", "a,c");
    shards.must(SET, NODE, "n", "resources_available.rack=r1", "resources_available.ssd=False");
    summed(NODE, "n", "resources_available.rack", "+=0", "r10");
    summed(NODE, "n", "resources_available.rack", "-=0", "r1");
    summed(NODE, "n", "resources_available.ssd", "+=True", "True");
    summed(NODE, "n", "resources_available.ssd", "-=True", "False");
  }

  @Test
  void listsGrowAndShrink() {
    shards.must(SET, SERVER, "", "operators=a@*, b@*");
    assertEquals("a@*,b@*", get(SERVER, "server", "operators"));
    shards.must(SET, SERVER, "", "operators+=c@*");
    shards.must(SET, SERVER, "", "operators-=a@*");
    assertEquals("b@*,c@*", get(SERVER, "server", "operators"));
    shards.must(SET, SERVER, "", "operators-=b@*,c@*");
    assertNull(get(SERVER, "server", "operators"));
  }

  /** A name alone is none, as in PBS. */
  @Test
  void whoHasRightsComesFromAHost() {
    String refusal = "15008 Access from host not allowed, or unknown host";
    for (String wrong : List.of("operators=ann", "managers+=ann", "operators=bob@*,ann")) {
      refused(refusal, SET, SERVER, "", wrong);
    }
    shards.must(SET, SERVER, "", "operators=ann@*,bob@h.example.org");
  }

  @Test
  void aNodeIsNotFreeAndOffline() {
    shards.must(CREATE, NODE, "n");
    String refusal = "15068 Mutually exclusive values for  state";
    refused(refusal, SET, NODE, "n", "state=offline,free");
    shards.must(SET, NODE, "n", "state=offline");
  }

  /** Without a resource all values go, as in PBS; none can be set so. */
  @Test
  void aValueForEachResourceIsUnsetWithAllOthers() {
    shards.must(
        SET, QUEUE, "workq", "resources_max.ncpus=4", "resources_max.mem=1gb", "Priority=3");
    refused("15035 Unknown resource max_run_res", SET, QUEUE, "workq", "max_run_res=[u:a=1]");
    refused("15035 Unknown resource resources_max", SET, QUEUE, "workq", "resources_max=4");
    shards.must(UNSET, QUEUE, "workq", "Resources_Max");
    assertNull(get(QUEUE, "workq", "resources_max.ncpus"));
    assertNull(get(QUEUE, "workq", "resources_max.mem"));
    assertEquals("3", get(QUEUE, "workq", "Priority"));
    refused(
        "15003 Cannot set attribute, read only or insufficient permission  resources_assigned",
        UNSET,
        QUEUE,
        "workq",
        "resources_assigned");
  }

  @Test
  void limitsAreKeptInOneForm() {
    shards.must(SET, QUEUE, "workq", "max_run=[u:PBS_GENERIC=2], [g:staff=10]");
    assertEquals("[u:PBS_GENERIC=2],[g:staff=10]", get(QUEUE, "workq", "max_run"));
    shards.must(SET, QUEUE, "workq", "max_run_res.mem=[o:PBS_ALL=2048mb]");
    assertEquals("[o:PBS_ALL=2gb]", get(QUEUE, "workq", "max_run_res.mem"));
    shards.must(UNSET, QUEUE, "workq", "max_run", "max_run_res.mem");
    assertNull(get(QUEUE, "workq", "max_run"));
    shards.must(SET, SERVER, "server", "max_running=7");
    assertEquals("7", get(SERVER, "server", "max_running"));
  }

  @Test
  void malformedLimitsAreRefused() {
    String illegal = "15014 Illegal attribute or resource value";
    refused(illegal, SET, QUEUE, "workq", "max_run=5");
    refused(illegal, SET, QUEUE, "workq", "max_run=[u:alice=many]");
    refused(illegal, SET, SERVER, "server", "max_running=-1");
    refused(illegal + " max_run_res.mem", SET, QUEUE, "workq", "max_run_res.mem=[u:a=x]");
    refused(illegal + " max_run_res.host", SET, QUEUE, "workq", "max_run_res.host=[u:a=1]");
    refused(
        "15035 Unknown resource max_run_res.beer", SET, QUEUE, "workq", "max_run_res.beer=[u:a=1]");
    assertNull(get(QUEUE, "workq", "max_run"));
  }
}
