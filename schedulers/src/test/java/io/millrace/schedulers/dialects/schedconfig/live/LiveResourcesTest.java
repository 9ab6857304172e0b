package io.millrace.schedulers.dialects.schedconfig.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of a job is compared with what there is. */
class LiveResourcesTest {
  private static final long HOUR_MS = 3_600_000;
  private static final String CPUS = "resources: \"ncpus\"\n";

  private final LiveSiteFixture all =
      new LiveSiteFixture("Europe/Berlin", "2026-11-02T06:00:00Z", 4, "workq");

  LiveResourcesTest() {
    all.written(Records.rack());
    all.written(Records.licenses());
    config("by_queue: true\n");
  }

  private void config(String text) {
    all.file("sched_config", text).load();
  }

  private long submit(String request) {
    return all.submit("ann", "workq", request);
  }

  @Test
  void whatIsNotListedIsTakenAsItIsAskedFor() {
    long first = submit("select=1:ncpus=1:mem=900gb,walltime=1:00:00");
    long second = submit("select=1:ncpus=1:mem=900gb,walltime=1:00:00");
    assertEquals(List.of(first), all.cycle(HOUR_MS), "the node has one terabyte");
    config(CPUS);
    assertEquals(List.of(second), all.cycle(HOUR_MS), "jobs that waited before are looked at too");
    long third = submit("select=1:ncpus=1:mem=900gb,walltime=1:00:00");
    assertEquals(List.of(third), all.cycle(HOUR_MS));
    long large = submit("ncpus=2,walltime=1:00:00");
    assertEquals(List.of(), all.cycle(HOUR_MS), "processors are listed");
    assertEquals("ncpus", all.state.waiting().shortage(large).subject());
    config("by_queue: true\n");
    long fourth = submit("select=1:ncpus=1:mem=1gb,walltime=1:00:00");
    assertEquals(List.of(), all.cycle(HOUR_MS), "more is in use than there is");
    assertEquals("mem", all.state.waiting().shortage(fourth).subject());
    all.end();
    all.end();
    assertEquals(List.of(large, fourth), all.cycle(HOUR_MS));
  }

  @Test
  void aPropertyThatIsNotListedIsNotAskedFor() {
    long job = submit("select=1:ncpus=1:rack=r9");
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertEquals(ReasonCode.NO_MATCH, all.state.waiting().shortage(job).code());
    config(CPUS);
    assertEquals(List.of(job), all.cycle(HOUR_MS));
    long elsewhere = submit("select=1:ncpus=1:host=h9:rack=r9");
    assertEquals(List.of(), all.cycle(HOUR_MS), "hosts are always asked about");
    String said = all.state.waiting().shortage(elsewhere).subject();
    assertEquals("host (h9 != h1)", said);
  }

  /** As in PBS, where such a property never had to be listed. */
  @Test
  void nodesAreAskedAboutABooleanThatIsNotListed() {
    all.written(Records.object(ObjectKind.RESOURCE, "big", "type", "boolean", "flag", "h"));
    config(CPUS);
    ResourceRequest plain = Records.request("ncpus=1,walltime=1:00:00");
    Chunk chunk = new Chunk(1, Map.of("ncpus", 1L), Map.of("big", "True"));
    long job =
        all.submit(
            "ann",
            "workq",
            new ResourceRequest(List.of(chunk), plain.getPlace(), plain.getWalltimeS(), Map.of()));
    assertEquals(List.of(), all.cycle(HOUR_MS));
    all.written(Records.object(ObjectKind.NODE, "n1", "resources_available.big", "True"));
    assertEquals(List.of(job), all.cycle(HOUR_MS));
  }

  @Test
  void whatTheServerHasOfItIsNoLimit() {
    all.written(Records.object(ObjectKind.RESOURCE, "seats", "type", "long"));
    all.written(Records.object(ObjectKind.SERVER, "server", "resources_available.seats", "1"));
    ResourceRequest plain = Records.request("ncpus=1,walltime=1:00:00");
    long job =
        all.submit(
            "ann",
            "workq",
            new ResourceRequest(
                plain.getChunks(), plain.getPlace(), plain.getWalltimeS(), Map.of("seats", 2L)));
    assertEquals(List.of(), all.cycle(HOUR_MS));
    config(CPUS);
    assertEquals(List.of(job), all.cycle(HOUR_MS));
  }

  @Test
  void aNodeThatSaysNothingHasEndlesslyMuch() {
    long job = submit("select=1:ncpus=1:lic=2");
    assertEquals(List.of(), all.cycle(HOUR_MS));
    config("resource_unset_infinite: \"lic\"\n");
    assertEquals(List.of(job), all.cycle(HOUR_MS));
    all.written(Records.object(ObjectKind.NODE, "n1", "resources_available.lic", "3"));
    long second = submit("select=1:ncpus=1:lic=2");
    assertEquals(List.of(), all.cycle(HOUR_MS), "it says something now");
    all.written(Records.object(ObjectKind.NODE, "n1"));
    assertEquals(List.of(second), all.cycle(HOUR_MS));
    long large = submit("select=1:ncpus=1:lic=500000000000000");
    assertEquals(List.of(large), all.cycle(HOUR_MS));
  }

  @Test
  void aNodeThatSaysNothingHasAnyValueOfAProperty() {
    long job = submit("select=1:ncpus=1:rack=r9");
    assertEquals(List.of(), all.cycle(HOUR_MS));
    config("resource_unset_infinite: \"rack\"\n");
    assertEquals(List.of(job), all.cycle(HOUR_MS));
    all.written(Records.object(ObjectKind.NODE, "n1", "resources_available.rack", "r1"));
    long second = submit("select=1:ncpus=1:rack=r9");
    assertEquals(List.of(), all.cycle(HOUR_MS), "it says something now");
    assertEquals("rack (r9 != r1)", all.state.waiting().shortage(second).subject());
    all.written(Records.object(ObjectKind.NODE, "n1"));
    assertEquals(List.of(second), all.cycle(HOUR_MS));
  }

  @Test
  void withoutTheFilesAllIsComparedAgain() {
    config(CPUS);
    all.written(Records.scheduler());
    long job = submit("select=1:ncpus=1:mem=2000gb");
    assertEquals(List.of(), all.cycle(HOUR_MS));
    assertEquals("mem", all.state.waiting().shortage(job).subject());
  }

  @Test
  void builtAnewItIsTheSame() {
    config(CPUS);
    long first = submit("select=1:ncpus=1:mem=2000gb");
    long second = submit("select=1:ncpus=3:mem=2000gb");
    submit("ncpus=1");
    LiveSiteFixture anew = all.anew(4, "workq");
    assertEquals(List.of(first, second), anew.cycle(HOUR_MS));
    assertEquals(List.of(first, second), all.cycle(HOUR_MS));
  }
}
