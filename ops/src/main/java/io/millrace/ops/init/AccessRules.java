package io.millrace.ops.init;

import static org.apache.kafka.common.acl.AclOperation.ALL;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;

import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Kafka access rules: each principal gets the least it needs, everybody else nothing. Reading or
 * writing a topic includes describing it.
 */
public final class AccessRules {

  /** Prefix of the topics and transactional ids that Kafka Streams creates for the server. */
  private static final String STREAMS = Topics.APPLICATION + "-";

  /** Kind of the principals, before their names. */
  private static final String USER = "User:";

  private final List<AclBinding> rules = new ArrayList<>();

  private AccessRules() {}

  public static List<AclBinding> all() {
    AccessRules access = new AccessRules();
    access.server();
    access.gateway();
    access.engine();
    access.executor(KafkaPrincipal.EXECUTOR.text());
    access.observer(KafkaPrincipal.EXECUTOR.text());
    access.monitor();
    access.campaigns();
    access.sites();
    return List.copyOf(access.rules);
  }

  /** The names of the accounts where they are made by us. */
  public static Map<KafkaPrincipal, String> usual() {
    Map<KafkaPrincipal, String> names = new EnumMap<>(KafkaPrincipal.class);
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      names.put(principal, principal.text());
    }
    return names;
  }

  /**
   * The rules where accounts have other names.
   *
   * @param names of the accounts among the brokers
   */
  public static List<AclBinding> of(Map<KafkaPrincipal, String> names) {
    Map<String, String> others = new HashMap<>();
    names.forEach((principal, name) -> others.put(USER + principal.text(), USER + name));
    return all().stream().map(rule -> renamed(rule, others)).toList();
  }

  private static AclBinding renamed(AclBinding rule, Map<String, String> others) {
    AccessControlEntry entry = rule.entry();
    String principal = others.getOrDefault(entry.principal(), entry.principal());
    return new AclBinding(
        rule.pattern(),
        new AccessControlEntry(principal, entry.host(), entry.operation(), entry.permissionType()));
  }

  /** Rules of another host's executor, a principal of its own with the rights of all executors. */
  public static List<AclBinding> ofHost(String principal) {
    AccessRules access = new AccessRules();
    access.executor(principal);
    if (HostFiles.isCluster(principal)) {
      access.observer(principal);
    }
    return List.copyOf(access.rules);
  }

  /**
   * Whether a rule lets one of our principals write commands of another family, as no rule of this
   * build does: a principal's family is known by the topic that it writes.
   *
   * @param names of their accounts
   */
  static boolean loosens(AclBinding rule, Map<KafkaPrincipal, String> names) {
    String name = rule.entry().principal().replaceFirst("^" + USER, "");
    boolean ours =
        names.entrySet().stream()
            .anyMatch(it -> it.getKey() != KafkaPrincipal.ADMIN && it.getValue().equals(name));
    boolean host = HostFiles.isPrincipal(name);
    boolean inbox =
        rule.pattern().resourceType() == TOPIC
            && CommandFamily.ofTopic(rule.pattern().name()).isPresent();
    boolean write =
        rule.entry().permissionType() == AclPermissionType.ALLOW
            && (rule.entry().operation() == WRITE || rule.entry().operation() == ALL);
    List<AclBinding> due = host ? ofHost(name) : of(names);
    return (ours || host) && inbox && write && !due.contains(rule);
  }

  private void server() {
    for (CommandFamily family : CommandFamily.values()) {
      topic(KafkaPrincipal.SERVER, family.topic(), READ, DESCRIBE_CONFIGS);
    }
    topic(KafkaPrincipal.SERVER, Topics.MESSAGES, WRITE);
    topic(KafkaPrincipal.SERVER, Topics.LEDGER, READ, WRITE, DESCRIBE_CONFIGS);
    topic(KafkaPrincipal.SERVER, Topics.CLUSTER, READ, WRITE);
    topic(KafkaPrincipal.SERVER, Topics.HEARTBEATS, READ, WRITE);
    topic(KafkaPrincipal.SERVER, Topics.ENGINE_BEATS, READ, WRITE);
    topic(KafkaPrincipal.SERVER, Topics.CYCLES, WRITE);
    for (String topic :
        List.of(Topics.REPLIES, Topics.DISPATCH, Topics.DEAD_LETTERS, Topics.CAMPAIGN_ANSWERS)) {
      topic(KafkaPrincipal.SERVER, topic, WRITE);
    }
    topic(KafkaPrincipal.SERVER, Topics.SCHEMAS, READ);
    allow(
        KafkaPrincipal.SERVER,
        TOPIC,
        PatternType.PREFIXED,
        STREAMS,
        CREATE,
        READ,
        WRITE,
        DESCRIBE_CONFIGS);
    allow(KafkaPrincipal.SERVER, TRANSACTIONAL_ID, PatternType.PREFIXED, STREAMS, WRITE, DESCRIBE);
    allow(KafkaPrincipal.SERVER, GROUP, PatternType.LITERAL, Topics.APPLICATION, READ, DESCRIBE);
  }

  private void gateway() {
    topic(KafkaPrincipal.GATEWAY, Topics.COMMANDS, WRITE);
    for (String topic :
        List.of(
            Topics.REPLIES,
            Topics.CLUSTER,
            Topics.SCHEMAS,
            Topics.OUTSIDE_JOBS,
            Topics.OUTSIDE_NODES,
            Topics.table("objects"))) {
      topic(KafkaPrincipal.GATEWAY, topic, READ);
    }
  }

  private void engine() {
    topic(KafkaPrincipal.ENGINE, Topics.PROPOSALS, WRITE);
    topic(KafkaPrincipal.ENGINE, Topics.ENGINE_BEATS, WRITE);
    topic(KafkaPrincipal.ENGINE, Topics.CYCLES, WRITE);
    topic(KafkaPrincipal.ENGINE, Topics.LEDGER, READ);
    topic(KafkaPrincipal.ENGINE, Topics.SCHEMAS, READ);
    tables(KafkaPrincipal.ENGINE);
  }

  private void executor(String principal) {
    allow(principal, TOPIC, PatternType.LITERAL, Topics.REPORTS, WRITE);
    allow(principal, TOPIC, PatternType.LITERAL, Topics.HEARTBEATS, WRITE);
    allow(principal, TOPIC, PatternType.LITERAL, Topics.DISPATCH, READ);
    allow(principal, TOPIC, PatternType.LITERAL, Topics.SCHEMAS, READ);
  }

  /**
   * Who shows the jobs of an outside cluster knows by its topics what it has shown before; who
   * carries out reservations there knows which there are.
   */
  private void observer(String principal) {
    allow(principal, TOPIC, PatternType.LITERAL, Topics.table("reservations"), READ);
    for (String topic : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
      allow(principal, TOPIC, PatternType.LITERAL, topic, READ);
      allow(principal, TOPIC, PatternType.LITERAL, topic, WRITE);
    }
  }

  private void monitor() {
    topic(KafkaPrincipal.MONITOR, Topics.LEDGER, READ);
    topic(KafkaPrincipal.MONITOR, Topics.CAMPAIGN_LEDGER, READ);
    topic(KafkaPrincipal.MONITOR, Topics.CYCLES, READ);
    topic(KafkaPrincipal.MONITOR, Topics.SCHEMAS, READ);
    topic(KafkaPrincipal.MONITOR, Topics.OUTSIDE_JOBS, READ);
    topic(KafkaPrincipal.MONITOR, Topics.OUTSIDE_NODES, READ);
    tables(KafkaPrincipal.MONITOR);
    for (String prefix : List.of("console-consumer-", "monitor")) {
      allow(KafkaPrincipal.MONITOR, GROUP, PatternType.PREFIXED, prefix, READ, DESCRIBE);
    }
  }

  private void campaigns() {
    KafkaPrincipal campaigns = KafkaPrincipal.CAMPAIGNS;
    topic(campaigns, Topics.CAMPAIGN_JOBS, WRITE);
    topic(campaigns, Topics.CAMPAIGN_COMMANDS, READ, WRITE, DESCRIBE_CONFIGS);
    topic(campaigns, Topics.CAMPAIGN_REPORTS, READ, WRITE, DESCRIBE_CONFIGS);
    topic(campaigns, Topics.CAMPAIGN_ANSWERS, READ, DESCRIBE_CONFIGS);
    topic(campaigns, Topics.CAMPAIGN_LEDGER, WRITE);
    topic(campaigns, Topics.LEDGER, READ, DESCRIBE_CONFIGS);
    for (String topic : List.of(Topics.CLUSTER, Topics.SCHEMAS, Topics.table("objects"))) {
      topic(campaigns, topic, READ);
    }
    String own = Topics.CAMPAIGNS_APPLICATION;
    allow(campaigns, TOPIC, PatternType.PREFIXED, own, CREATE, READ, WRITE, DESCRIBE_CONFIGS);
    allow(campaigns, TRANSACTIONAL_ID, PatternType.PREFIXED, own, WRITE, DESCRIBE);
    allow(campaigns, GROUP, PatternType.LITERAL, own, READ, DESCRIBE);
  }

  private void sites() {
    topic(KafkaPrincipal.SITES, Topics.SITE_REPORTS, WRITE);
    topic(KafkaPrincipal.SITES, Topics.table("wholes"), READ);
    topic(KafkaPrincipal.SITES, Topics.SCHEMAS, READ);
  }

  private void tables(KafkaPrincipal principal) {
    allow(principal, TOPIC, PatternType.PREFIXED, STREAMS, READ);
  }

  private void topic(KafkaPrincipal principal, String topic, AclOperation... operations) {
    allow(principal, TOPIC, PatternType.LITERAL, topic, operations);
  }

  private void allow(
      KafkaPrincipal principal,
      ResourceType type,
      PatternType pattern,
      String name,
      AclOperation... operations) {
    allow(principal.text(), type, pattern, name, operations);
  }

  private void allow(
      String principal,
      ResourceType type,
      PatternType pattern,
      String name,
      AclOperation... operations) {
    ResourcePattern resource = new ResourcePattern(type, name, pattern);
    for (AclOperation operation : operations) {
      rules.add(
          new AclBinding(
              resource,
              new AccessControlEntry(USER + principal, "*", operation, AclPermissionType.ALLOW)));
    }
  }
}
