package io.millrace.schemas;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * Who writes commands. Each family has a topic of its own, which the broker lets nobody else write:
 * the family of a command is where it came from, never what it says of itself. Which family may
 * send which command is a property of the command's schema: {@code family} is that of the first
 * writer, and what has {@code passed_on} may come from a shard too, which has it from that writer.
 */
public enum CommandFamily {
  /** Gateways, for a user whom they have verified. */
  USER(Topics.COMMANDS, Set.of(Role.USER, Role.OPERATOR, Role.MANAGER)),
  /** Engines: proposals. Those beside a shard propose in memory. */
  ENGINE(Topics.PROPOSALS, Set.of(Role.ENGINE)),
  /** Executors: reports. */
  EXECUTOR(Topics.REPORTS, Set.of(Role.EXECUTOR)),
  /**
   * The campaign server, for the owner of a campaign: the commands that are marked {@code
   * campaigns}, about jobs with a campaign's tag.
   */
  CAMPAIGN(Topics.CAMPAIGN_JOBS, Set.of(Role.CAMPAIGN)),
  /** Who speaks to other installations: what becomes of parts there. */
  SITE(Topics.SITE_REPORTS, Set.of(Role.SITE)),
  /** Shards: what follows from a decision, in this shard or another. */
  SHARD(Topics.MESSAGES, Set.of(Role.SHARD));

  private final String topic;
  private final Set<Role> roles;

  CommandFamily(String topic, Set<Role> roles) {
    this.topic = topic;
    this.roles = roles;
  }

  /** The topic that writers of this family, and nobody else, may write. */
  public String topic() {
    return topic;
  }

  /** The word in a schema. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The family of this word in a schema. */
  public static CommandFamily of(String word) {
    return Stream.of(values())
        .filter(family -> family.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no family is called " + word));
  }

  /** The family whose writers have this role. */
  public static CommandFamily of(Role role) {
    return Stream.of(values())
        .filter(family -> family.roles.contains(role))
        .findFirst()
        .orElseThrow();
  }

  /** The family that writes this topic; empty when it is none of the shards' inboxes. */
  public static Optional<CommandFamily> ofTopic(String topic) {
    return Stream.of(values()).filter(family -> family.topic.equals(topic)).findFirst();
  }

  /** Whether a schema lets this family send its commands. */
  public boolean maySend(Schema command) {
    String first = command.getProp("family");
    return first != null
        && (of(first) == this
            || this == SHARD && has(command, "passed_on")
            || this == CAMPAIGN && has(command, "campaigns"));
  }

  private static boolean has(Schema command, String property) {
    return Boolean.TRUE.equals(command.getObjectProp(property));
  }

  /** Whether a writer of this family may send the command with this role. */
  private boolean maySendAs(Role role, Schema command) {
    CommandFamily first = of(command.getProp("family"));
    return switch (this) {
      case CAMPAIGN -> roles.contains(role);
      // Of a command that is passed on, it is the role of who sent it first.
      case SHARD ->
          first.roles.contains(role) || has(command, "campaigns") && CAMPAIGN.roles.contains(role);
      default -> first.roles.contains(role);
    };
  }

  /** Why a command that came from this family is not decided; empty when it is. */
  public Optional<String> refusal(SpecificRecord command) {
    Schema schema = command.getSchema();
    if (!maySend(schema)) {
      return Optional.of("family");
    }
    CommandMeta meta = Envelope.ofCommand(command);
    if (!maySendAs(meta.getRole(), schema)) {
      return Optional.of("role");
    }
    // Otherwise it could have somebody else answered.
    boolean own = meta.getReplyTo() < 0 || meta.getReplyTo() == Topics.REPLY_TO_CAMPAIGNS;
    return this == CAMPAIGN && !own ? Optional.of("reply") : Optional.empty();
  }
}
