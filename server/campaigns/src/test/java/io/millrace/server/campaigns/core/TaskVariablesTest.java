package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program of a task finds in its environment. */
final class TaskVariablesTest {

  private final CampaignTrial trial = new CampaignTrial();

  private JobSpec job(long walltimeS) {
    CampaignCluster cluster = CampaignTrial.cluster("c1", 1);
    cluster.getJob().setRequest(new ResourceRequest(List.of(), "", walltimeS, Map.of()));
    cluster
        .getJob()
        .setResourceList(
            List.of(new Attribute("select", "1:ncpus=2"), new Attribute("walltime", "x")));
    trial.submit(1, cluster);
    trial.seen("c1", 4, 4);
    return trial.jobs.values().iterator().next();
  }

  private static Map<String, String> variables(JobSpec job) {
    return job.getVariables().stream()
        .collect(Collectors.toMap(Attribute::getName, Attribute::getValue));
  }

  @Test
  void itKnowsWhatWasAskedFor() {
    Map<String, String> told = variables(job(3_725));
    assertEquals("select=1:ncpus=2", told.get("CIGRI_RESOURCES"));
    assertEquals("01:02:05", told.get("CIGRI_WALLTIME"));
    assertEquals("3725", told.get("CIGRI_WALLTIME_SECONDS"));
  }

  @Test
  void withoutALimitItIsToldNone() {
    Map<String, String> told = variables(job(-1));
    assertTrue(!told.containsKey("CIGRI_WALLTIME"), told.toString());
    assertTrue(!told.containsKey("CIGRI_WALLTIME_SECONDS"), told.toString());
  }

  @Test
  void theFileOfNodesHasCigrisNames(@TempDir Path folder) throws Exception {
    List<String> argv = job(-1).getArgv();
    ProcessBuilder shell =
        new ProcessBuilder(
                argv.get(0),
                argv.get(1),
                argv.get(2),
                folder.toString(),
                "/bin/sh",
                "-c",
                "echo $CIGRI_NODE_FILE $CIGRI_NODEFILE")
            .redirectErrorStream(true);
    shell.environment().put("PBS_NODEFILE", "/var/nodes/7.vm");
    Process running = shell.start();
    running.getOutputStream().close();
    String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, running.waitFor());
    assertEquals("/var/nodes/7.vm /var/nodes/7.vm", said.strip());
  }
}
