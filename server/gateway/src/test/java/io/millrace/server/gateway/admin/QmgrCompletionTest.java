package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.FakeSite;
import java.util.List;
import org.junit.jupiter.api.Test;

class QmgrCompletionTest {
  private final FakeSite site = new FakeSite();

  private List<String> complete(String line) throws Exception {
    List<String> words = site.run("user", "qmgr", "--complete", line).output().lines().toList();
    assertEquals(0, site.status);
    return words;
  }

  @Test
  void operationsAndObjects() throws Exception {
    assertEquals(List.of("help", "history"), complete("h"));
    assertEquals(11, complete("").size());
    assertEquals(List.of("sched", "server"), complete("  set s"));
    assertEquals(5, complete("s ").size());
    assertEquals(List.of("node", "queue", "sched", "server"), complete("active "));
    assertEquals(List.of(), complete("help "));
    assertEquals(List.of(), complete("set hook "));
  }

  @Test
  void namesOfWhatExists() throws Exception {
    site.put(ObjectKind.QUEUE, "night");
    site.put(ObjectKind.NODE, "n1");
    assertEquals(List.of("night", "workq"), complete("list queue "));
    assertEquals(List.of("night"), complete("d q workq,n"));
    assertEquals(List.of("n1"), complete("active node n"));
    assertEquals(List.of(), complete("active node n1 "));
    assertFalse(complete("create queue n").contains("night"), "a new one is not there yet");
  }

  @Test
  void attributesThatTheOperationTakes() throws Exception {
    assertEquals(List.of("enabled"), complete("set queue workq ena"));
    assertEquals(List.of("enabled"), complete("set queue workq started = True, ena"));
    assertEquals(List.of("enabled"), complete("set queue ena"), "of the active queues");
    assertEquals(
        List.of("default_chunk.", "default_qsub_arguments", "default_queue"), complete("s s def"));
    assertEquals(List.of("total_jobs"), complete("list server tot"));
    assertEquals(List.of(), complete("set server tot"), "it is read-only");
    assertEquals(List.of("resources_max.", "resources_min."), complete("s q workq resources_m"));
    assertEquals(List.of("resources_max.ncpus"), complete("s q workq resources_max.ncp"));
    assertTrue(complete("set sched ").contains("default"));
  }

  @Test
  void valuesOfWhatIsTrueOrFalse() throws Exception {
    assertEquals(List.of("False", "True"), complete("set queue workq enabled = "));
    assertEquals(List.of("True"), complete("set queue workq enabled=T"));
    assertEquals(List.of(), complete("set server comment = T"));
  }
}
