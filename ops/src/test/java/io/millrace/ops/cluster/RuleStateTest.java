package io.millrace.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.init.AccessRules;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.junit.jupiter.api.Test;

/** Which rules a cluster lacks. */
class RuleStateTest {

  private static final List<AclBinding> RULES = AccessRules.all();

  @Test
  void whatIsThereIsNotMissing() {
    assertFalse(RULES.isEmpty());
    assertEquals(List.of(), RuleState.missing(RULES, RULES));
    assertEquals(RULES.stream().distinct().toList(), RuleState.missing(RULES, List.of()));
  }

  @Test
  void aRuleOfAnotherOperationIsAnother() {
    AclBinding lost = RULES.get(3);
    List<AclBinding> there = new ArrayList<>(RULES);
    there.removeIf(lost::equals);
    there.add(
        new AclBinding(
            lost.pattern(),
            new AccessControlEntry(
                lost.entry().principal(), "*", AclOperation.DELETE, AclPermissionType.DENY)));
    assertEquals(List.of(lost), RuleState.missing(RULES, there));
  }

  @Test
  void wordsThatContradictEachOtherAreRefused() {
    Console console = new Console(System.out, false);
    for (List<String> line :
        List.of(
            List.of("--check", "--apply"),
            List.of("--bootstrap-servers", "k:9092"),
            List.of("--check"),
            List.of("--apply", "--bootstrap-servers", "k:9092"))) {
      UsageException refused =
          assertThrows(UsageException.class, () -> new AclWord().run(line, console));
      assertTrue(refused.getMessage().contains("--"), refused.getMessage());
    }
  }
}
