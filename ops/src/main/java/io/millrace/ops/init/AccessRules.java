package io.millrace.ops.init;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;

import io.millrace.ops.home.Principal;
import io.millrace.schemas.Topics;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Who may do what: each principal the least it needs, everybody else nothing. To read or write a
 * topic includes to describe it.
 */
public final class AccessRules {

  /** Prefix of what Kafka Streams makes for the server: changelogs, transactions. */
  private static final String STREAMS = Topics.APPLICATION + "-";

  private final List<AclBinding> rules = new ArrayList<>();

  private AccessRules() {}

  public static List<AclBinding> all() {
    AccessRules access = new AccessRules();
    access.server();
    access.gateway();
    access.engine();
    access.executor();
    access.monitor();
    return List.copyOf(access.rules);
  }

  private void server() {
    for (String topic : List.of(Topics.COMMANDS, Topics.LEDGER)) {
      topic(Principal.SERVER, topic, READ, WRITE, DESCRIBE_CONFIGS);
    }
    topic(Principal.SERVER, Topics.CLUSTER, READ, WRITE);
    topic(Principal.SERVER, Topics.HEARTBEATS, READ, WRITE);
    for (String topic : List.of(Topics.REPLIES, Topics.DISPATCH, Topics.DEAD_LETTERS)) {
      topic(Principal.SERVER, topic, WRITE);
    }
    topic(Principal.SERVER, Topics.SCHEMAS, READ);
    allow(
        Principal.SERVER,
        TOPIC,
        PatternType.PREFIXED,
        STREAMS,
        CREATE,
        READ,
        WRITE,
        DESCRIBE_CONFIGS);
    allow(Principal.SERVER, TRANSACTIONAL_ID, PatternType.PREFIXED, STREAMS, WRITE, DESCRIBE);
    allow(Principal.SERVER, GROUP, PatternType.LITERAL, Topics.APPLICATION, READ, DESCRIBE);
  }

  private void gateway() {
    topic(Principal.GATEWAY, Topics.COMMANDS, WRITE);
    for (String topic :
        List.of(Topics.REPLIES, Topics.CLUSTER, Topics.SCHEMAS, Topics.table("objects"))) {
      topic(Principal.GATEWAY, topic, READ);
    }
  }

  private void engine() {
    topic(Principal.ENGINE, Topics.COMMANDS, WRITE);
    topic(Principal.ENGINE, Topics.LEDGER, READ);
    topic(Principal.ENGINE, Topics.SCHEMAS, READ);
    tables(Principal.ENGINE);
  }

  private void executor() {
    topic(Principal.EXECUTOR, Topics.COMMANDS, WRITE);
    topic(Principal.EXECUTOR, Topics.HEARTBEATS, WRITE);
    topic(Principal.EXECUTOR, Topics.DISPATCH, READ);
    topic(Principal.EXECUTOR, Topics.SCHEMAS, READ);
  }

  private void monitor() {
    topic(Principal.MONITOR, Topics.LEDGER, READ);
    topic(Principal.MONITOR, Topics.SCHEMAS, READ);
    tables(Principal.MONITOR);
    for (String prefix : List.of("console-consumer-", "monitor")) {
      allow(Principal.MONITOR, GROUP, PatternType.PREFIXED, prefix, READ, DESCRIBE);
    }
  }

  private void tables(Principal principal) {
    allow(principal, TOPIC, PatternType.PREFIXED, STREAMS, READ);
  }

  private void topic(Principal principal, String topic, AclOperation... operations) {
    allow(principal, TOPIC, PatternType.LITERAL, topic, operations);
  }

  private void allow(
      Principal principal,
      ResourceType type,
      PatternType pattern,
      String name,
      AclOperation... operations) {
    ResourcePattern resource = new ResourcePattern(type, name, pattern);
    for (AclOperation operation : operations) {
      rules.add(
          new AclBinding(
              resource,
              new AccessControlEntry(
                  "User:" + principal.text(), "*", operation, AclPermissionType.ALLOW)));
    }
  }
}
