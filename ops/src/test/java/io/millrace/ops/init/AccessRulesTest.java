package io.millrace.ops.init;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/**
 * Which principal may write and read which topics; EmbeddedBrokerIT tests the same with a broker.
 */
class AccessRulesTest {

  private static Set<String> who(AclOperation operation, String topic) {
    Set<String> principals = new TreeSet<>();
    for (AclBinding rule : AccessRules.all()) {
      String name = rule.pattern().name();
      boolean covers =
          rule.pattern().patternType() == PatternType.PREFIXED
              ? topic.startsWith(name)
              : topic.equals(name);
      boolean topicRule = rule.pattern().resourceType() == ResourceType.TOPIC;
      if (topicRule && covers && rule.entry().operation() == operation) {
        principals.add(rule.entry().principal().replace("User:", ""));
      }
    }
    return principals;
  }

  @Test
  void eachFamilyOfCommandsHasOneWriter() {
    assertEquals(Set.of("gateway"), who(AclOperation.WRITE, Topics.COMMANDS));
    assertEquals(Set.of("engine"), who(AclOperation.WRITE, Topics.PROPOSALS));
    assertEquals(Set.of("executor"), who(AclOperation.WRITE, Topics.REPORTS));
    assertEquals(Set.of("campaigns"), who(AclOperation.WRITE, Topics.CAMPAIGN_JOBS));
    assertEquals(Set.of("sites"), who(AclOperation.WRITE, Topics.SITE_REPORTS));
    assertEquals(Set.of("server"), who(AclOperation.WRITE, Topics.MESSAGES));
    for (CommandFamily family : CommandFamily.values()) {
      assertEquals(Set.of("server"), who(AclOperation.READ, family.topic()));
    }
  }

  /** Whoever could would hide that an engine has died. */
  @Test
  void nobodyElseSaysThatAnEngineIsAlive() {
    assertEquals(Set.of("engine", "server"), who(AclOperation.WRITE, Topics.ENGINE_BEATS));
    assertEquals(Set.of("server"), who(AclOperation.READ, Topics.ENGINE_BEATS));
  }

  @Test
  void aRuleThatLetsAPrincipalWriteForAnotherFamilyIsKnown() {
    assertTrue(loosens(rule("executor", AclOperation.WRITE, Topics.COMMANDS)));
    assertTrue(loosens(rule("monitor", AclOperation.ALL, Topics.REPORTS)));
    assertFalse(loosens(rule("executor", AclOperation.WRITE, Topics.REPORTS)));
    assertFalse(loosens(rule("executor", AclOperation.READ, Topics.COMMANDS)));
    assertFalse(loosens(rule("site", AclOperation.WRITE, Topics.COMMANDS)));
    assertFalse(AccessRules.all().stream().anyMatch(AccessRulesTest::loosens));
  }

  private static boolean loosens(AclBinding rule) {
    return AccessRules.loosens(rule, AccessRules.usual());
  }

  @Test
  void accountsOfOtherNamesHaveTheSameRules() {
    Map<KafkaPrincipal, String> names = AccessRules.usual();
    names.put(KafkaPrincipal.SERVER, "CN=servers,O=Site");
    List<AclBinding> rules = AccessRules.of(names);
    assertEquals(AccessRules.all().size(), rules.size());
    assertTrue(
        rules.stream().noneMatch(rule -> rule.entry().principal().equals("User:server")),
        "the usual name gets nothing");
    assertEquals(rules("User:server", AccessRules.all()), rules("User:CN=servers,O=Site", rules));
    assertFalse(rules.stream().anyMatch(rule -> AccessRules.loosens(rule, names)));
    AclBinding more = rule("CN=servers,O=Site", AclOperation.WRITE, Topics.COMMANDS);
    assertTrue(AccessRules.loosens(more, names));
  }

  private static List<String> rules(String principal, List<AclBinding> all) {
    return all.stream()
        .filter(rule -> rule.entry().principal().equals(principal))
        .map(rule -> rule.pattern() + " " + rule.entry().operation())
        .toList();
  }

  @Test
  void anotherHostMayWhatTheExecutorsHereMay() {
    List<String> here = rules("User:executor", AccessRules.all());
    List<AclBinding> cluster = AccessRules.ofHost("executor-@c1");
    assertEquals(
        here,
        cluster.stream().map(rule -> rule.pattern() + " " + rule.entry().operation()).toList());
    List<AclBinding> there = AccessRules.ofHost("executor-n1");
    assertEquals(
        here.stream()
            .filter(it -> !it.contains("name=outside-") && !it.contains("reservations"))
            .toList(),
        there.stream().map(rule -> rule.pattern() + " " + rule.entry().operation()).toList());
    assertTrue(
        there.stream().allMatch(rule -> rule.entry().principal().equals("User:executor-n1")));
    assertFalse(there.stream().anyMatch(AccessRulesTest::loosens));
    assertTrue(loosens(rule("executor-n1", AclOperation.WRITE, Topics.COMMANDS)));
  }

  private static AclBinding rule(String principal, AclOperation operation, String topic) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:" + principal, "*", operation, AclPermissionType.ALLOW));
  }

  @Test
  void executorsSayThatTheyAreAliveAndTheServerHears() {
    assertEquals(Set.of("server", "executor"), who(AclOperation.WRITE, Topics.HEARTBEATS));
    assertEquals(Set.of("server"), who(AclOperation.READ, Topics.HEARTBEATS));
  }

  @Test
  void onlyTheServerWritesFactsAndTables() {
    for (String topic :
        List.of(
            Topics.LEDGER,
            Topics.REPLIES,
            Topics.DISPATCH,
            Topics.CLUSTER,
            Topics.DEAD_LETTERS,
            Topics.table("jobs"))) {
      assertEquals(Set.of("server"), who(AclOperation.WRITE, topic), topic);
    }
    assertEquals(Set.of(), who(AclOperation.WRITE, Topics.SCHEMAS));
  }

  @Test
  void monitorReadsFactsAndTablesAndNothingElse() {
    for (String topic : List.of(Topics.LEDGER, Topics.SCHEMAS, Topics.table("jobs"))) {
      assertTrue(who(AclOperation.READ, topic).contains("monitor"), topic);
    }
    for (String topic :
        List.of(Topics.COMMANDS, Topics.REPLIES, Topics.DISPATCH, Topics.DEAD_LETTERS)) {
      assertTrue(!who(AclOperation.READ, topic).contains("monitor"), topic);
    }
    assertTrue(
        AccessRules.all().stream()
            .filter(rule -> rule.entry().principal().equals("User:monitor"))
            .allMatch(
                rule ->
                    Set.of(AclOperation.READ, AclOperation.DESCRIBE)
                        .contains(rule.entry().operation())));
  }

  /** Not each host: who can write there paints the pictures of clusters. */
  @Test
  void whoObservesClustersWritesTheirPictures() {
    for (String topic : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
      assertEquals(Set.of("executor"), who(AclOperation.WRITE, topic));
      assertEquals(Set.of("executor", "gateway", "monitor"), who(AclOperation.READ, topic));
      assertFalse(
          AccessRules.ofHost("executor-n1").stream()
              .anyMatch(rule -> rule.pattern().name().equals(topic)));
      assertTrue(
          AccessRules.ofHost("executor-@c1").stream()
              .anyMatch(rule -> rule.pattern().name().equals(topic)));
    }
  }

  @Test
  void nobodyMayEverything() {
    for (AclBinding rule : AccessRules.all()) {
      assertTrue(rule.entry().operation() != AclOperation.ALL, rule.toString());
      assertTrue(!rule.pattern().name().equals("*"), rule.toString());
      assertTrue(rule.pattern().resourceType() != ResourceType.CLUSTER, rule.toString());
    }
  }
}
