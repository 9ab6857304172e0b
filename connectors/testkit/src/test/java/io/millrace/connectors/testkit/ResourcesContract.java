package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsidePlaces;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What else a system that counts more than processors and memory has to do. */
abstract class ResourcesContract extends AdministeredContract {

  /**
   * Of the resource ngpus, of which one host has two: a second run waits for those of the first.
   */
  @Test
  void whatElseJobsAskForIsCounted() throws Exception {
    OutsideSystem system = kind().open(file(), runner());
    List<OutsideHost> hosts =
        ((Told.Answered<OutsideInventory>) system.inventory())
            .value().hosts().stream()
                .filter(it -> it.resources().getOrDefault("ngpus", 0L) > 0)
                .toList();
    assertEquals(List.of(Map.of("ngpus", 2L)), hosts.stream().map(OutsideHost::resources).toList());
    try (Site site = new Site(runner())) {
      OutsideTag first = tag();
      site.bridge.order(asking(first, "sleep 600", 2));
      OutsideRun runs = runs(site, first);
      OutsideJob job =
          ((Told.Answered<List<OutsideJob>>) system.snapshot())
              .value().stream()
                  .filter(it -> it.id().equals(runs.id().orElseThrow()))
                  .findFirst()
                  .orElseThrow();
      String host = OutsidePlaces.name(hosts.get(0).name());
      assertEquals(
          List.of(OutsideHolding.of(host, Map.of("ncpus", 1L, "ngpus", 2L))), job.holdings());
      OutsideTag second = tag();
      site.bridge.order(asking(second, "exit 4", 1));
      site.until(second, it -> it.state() == OutsideRunState.WAITING);
      assertEquals(OutsideRunState.RUNNING, site.bridge.run(first).orElseThrow().state());
      site.bridge.delete(first);
      site.end(first);
      assertEquals(4, site.end(second).status());
    }
  }

  private static OutsideSubmission asking(OutsideTag tag, String script, long gpus) {
    OutsideSubmission plain = order(tag, ACCOUNT, script);
    return new OutsideSubmission(
        tag,
        ACCOUNT,
        plain.name(),
        plain.place(),
        SomeAmounts.of(1, 0, Optional.of(600L), Map.of("ngpus", gpus)),
        plain.work());
  }
}
