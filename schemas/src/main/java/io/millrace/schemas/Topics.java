package io.millrace.schemas;

/**
 * The topic catalogue: names, and which Kafka partition a record goes to. The tables of a shard's
 * state are Kafka Streams changelogs with public names ({@code millrace-jobs-changelog}, ...).
 */
public final class Topics {

  /** Kafka Streams application id of the server; prefix of the public tables' topics. */
  public static final String APPLICATION = "millrace";

  /**
   * What users want; gateways write it. With the three topics below it is the inbox of the shards:
   * one for each family of writers ({@link CommandFamily}), Kafka partition = shard, key: the
   * command's id.
   */
  public static final String COMMANDS = "commands";

  /** What engines apart propose. */
  public static final String PROPOSALS = "proposals";

  /** What executors report. */
  public static final String REPORTS = "reports";

  /** Jobs that the campaign server submits and deletes. */
  public static final String CAMPAIGN_JOBS = "campaign-jobs";

  /** What has become of parts of reservations in other installations. */
  public static final String SITE_REPORTS = "site-reports";

  /** What shards tell each other and themselves. */
  public static final String MESSAGES = "messages";

  /** All facts. Kafka partition = shard. Key: text of the object that the fact is about. */
  public static final String LEDGER = "ledger";

  /** Answers. Kafka partition = reply_to of the command. Key: the command's id. */
  public static final String REPLIES = "replies";

  /** Orders to executors. Kafka partition = {@link #dispatchPartition}. Key: host name. */
  public static final String DISPATCH = "dispatch";

  /** Who owns which shard now. Compacted, one Kafka partition. Key: "shard/n". */
  public static final String CLUSTER = "cluster";

  /** Registered schemas. Compacted, one Kafka partition. Key: subject and version. */
  public static final String SCHEMAS = "schemas";

  /** Commands that could not be decoded, with their coordinates in headers. */
  public static final String DEAD_LETTERS = "dead-letters";

  /** Heartbeats of executors; only recent ones matter. One Kafka partition. */
  public static final String HEARTBEATS = "heartbeats";

  /**
   * Signs of life of engines apart, each second; only recent ones matter. One Kafka partition.
   * Executors, which write heartbeats, may not write here: a host could keep a dead engine alive.
   */
  public static final String ENGINE_BEATS = "engine-beats";

  /** A record of each cycle of each engine, of the last days. One Kafka partition. */
  public static final String CYCLES = "cycles";

  /** Jobs of clusters that are observed. Compacted, one Kafka partition. Key: "cluster/id". */
  public static final String OUTSIDE_JOBS = "outside-jobs";

  /** Their hosts, key "host@cluster", and whether a cluster answers, key "@cluster". As above. */
  public static final String OUTSIDE_NODES = "outside-nodes";

  /** Seconds between two signs of life of who observes a cluster. */
  public static final int OBSERVED_S = 60;

  /** Seconds between two heartbeats. */
  public static final int HEARTBEAT_S = 2;

  /** The administrative shard. */
  public static final int ADMINISTRATIVE_SHARD = 0;

  public static final int DEFAULT_SHARDS = 8;

  public static final int REPLY_PARTITIONS = 16;

  public static final int DISPATCH_PARTITIONS = 8;

  /** Largest script, bytes of UTF-8. */
  public static final int SCRIPT_BYTES_MAX = 1 << 20;

  /** {@code max.message.bytes} of the topics that carry scripts. */
  public static final int MESSAGE_BYTES_MAX = 2 << 20;

  /**
   * Largest command that a gateway sends. Records that follow from it, such as the job's record and
   * the order to its executor, are a little larger; a shard could not go on if a topic refused one
   * of them.
   */
  public static final int COMMAND_BYTES_MAX = MESSAGE_BYTES_MAX - (256 << 10);

  /** {@code max.message.bytes} of the topics in which a campaign has all its parameters. */
  public static final int CAMPAIGN_BYTES_MAX = 14 << 20;

  /** Kafka Streams application id of the campaign server; prefix of its topics. */
  public static final String CAMPAIGNS_APPLICATION = "millrace-campaigns";

  /** What is wanted of campaigns, and what is seen of clusters. One Kafka partition. */
  public static final String CAMPAIGN_COMMANDS = "campaign-commands";

  /** What became of the jobs of campaigns. One Kafka partition; key: the job's id. */
  public static final String CAMPAIGN_REPORTS = "campaign-reports";

  /** What shards answer to the campaign server. One Kafka partition; key: the command's id. */
  public static final String CAMPAIGN_ANSWERS = "campaign-answers";

  /** All facts about campaigns. One Kafka partition; key: the kind of the fact. */
  public static final String CAMPAIGN_LEDGER = "campaign-ledger";

  /** As the place for an answer: that topic, since partitions of {@link #REPLIES} are below it. */
  public static final int REPLY_TO_CAMPAIGNS = REPLY_PARTITIONS;

  private Topics() {}

  /**
   * A place for the answers to one gateway. Several gateways may read a partition of {@link
   * #REPLIES}, as those of joined homes do; by its place the server knows its own one.
   *
   * @param partition that the gateway reads
   * @param number which the gateway has drawn
   */
  public static int replyPlace(int partition, int number) {
    int places = Integer.MAX_VALUE / REPLY_PARTITIONS - 2;
    return partition + REPLY_PARTITIONS * (2 + Math.floorMod(number, places));
  }

  /** The partition of {@link #REPLIES} that is read at a place for answers. */
  public static int replyPartition(int place) {
    return place % REPLY_PARTITIONS;
  }

  /** Changelog topic of a public table: jobs, nodes, queues, schedulers, objects. */
  public static String table(String store) {
    return APPLICATION + "-" + store + "-changelog";
  }

  /** Kafka partition of the topic dispatch that the executor of this host reads. */
  public static int dispatchPartition(String host) {
    return Math.floorMod(host.hashCode(), DISPATCH_PARTITIONS);
  }
}
