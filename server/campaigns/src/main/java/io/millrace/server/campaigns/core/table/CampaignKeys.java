package io.millrace.server.campaigns.core.table;

import io.millrace.schemas.common.CommandId;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Keys of the table; those of one kind are in the order of numbers. */
public final class CampaignKeys {

  public static final String CAMPAIGNS = "campaign/";
  public static final String NUMBERS = "numbers";
  public static final String STOPS = "stop/";
  public static final String ADMISSION = "admission";
  public static final String AFFINITIES = "affinity/";
  public static final String SUBSCRIPTIONS = "subscription/";
  public static final String EVENTS = "event/";
  public static final String UNSUBSCRIBED = "unsubscribed/";

  /** Prefix of what was seen of clusters. */
  public static final String LOADS = "load/";

  /** As many as the greatest number has digits. */
  private static final String ZEROS = "0".repeat(19);

  private CampaignKeys() {}

  public static String campaign(long id) {
    return CAMPAIGNS + padded(id);
  }

  /** Prefix of all tasks of a campaign that were sent. */
  public static String open(long campaign) {
    return "open/" + padded(campaign) + "/";
  }

  public static String open(long campaign, int task) {
    return open(campaign) + padded(task);
  }

  /** Prefix of all second attempts at tasks of a campaign. */
  public static String seconds(long campaign) {
    return "second/" + padded(campaign) + "/";
  }

  /** The replica of a task, or an attempt at it that was dropped. */
  public static String second(long campaign, int task) {
    return seconds(campaign) + padded(task);
  }

  /** Prefix of a campaign's scripts. */
  public static String scripts(long campaign) {
    return "script/" + padded(campaign) + "/";
  }

  /** The prologue or the epilogue of a campaign on a cluster of it. */
  public static String script(long campaign, int cluster, boolean after) {
    return scripts(campaign) + padded(cluster) + (after ? "/epilogue" : "/prologue");
  }

  /** Prefix of all events of a campaign, or of those that are of none (0). */
  public static String events(long campaign) {
    return EVENTS + padded(campaign) + "/";
  }

  public static String event(long campaign, long id) {
    return events(campaign) + padded(id);
  }

  public static String eventPlace(long id) {
    return "place/" + padded(id);
  }

  /** What keeps all campaigns from a cluster. */
  public static String stop(String cluster) {
    return STOPS + cluster;
  }

  public static String block(long campaign, int number) {
    return blocks(campaign) + padded(number);
  }

  /** The description of a campaign. */
  public static String text(long campaign) {
    return "text/" + padded(campaign);
  }

  /** Prefix of all parameters of a campaign. */
  public static String blocks(long campaign) {
    return "block/" + padded(campaign) + "/";
  }

  /** Prefix of where a campaign's tasks were that are over. */
  public static String places(long campaign) {
    return "places/" + padded(campaign) + "/";
  }

  /** Prefix of the last attempts at a campaign's tasks that are over. */
  public static String attempts(long campaign) {
    return "attempts/" + padded(campaign) + "/";
  }

  public static String attempts(long campaign, int number) {
    return attempts(campaign) + padded(number);
  }

  public static String place(long campaign, int number) {
    return places(campaign) + padded(number);
  }

  /** The commands that added tasks to a campaign. */
  public static String additions(long campaign) {
    return "added/" + padded(campaign);
  }

  public static String load(String cluster) {
    return LOADS + cluster;
  }

  /** How far a user is before others on a cluster. */
  public static String affinity(String user, String cluster) {
    return AFFINITIES
        + HexFormat.of().formatHex(user.getBytes(StandardCharsets.UTF_8))
        + "/"
        + cluster;
  }

  /** Prefix of what a user has subscribed to; no name is the beginning of another one. */
  public static String subscriptions(String user) {
    byte[] name = user.getBytes(StandardCharsets.UTF_8);
    return SUBSCRIPTIONS + HexFormat.of().formatHex(name) + "/";
  }

  public static String subscription(String user, String address) {
    return subscriptions(user) + address;
  }

  /** Where a letter went lately that none goes to now. */
  public static String unsubscribed(String user, String address) {
    return UNSUBSCRIBED + subscription(user, address);
  }

  public static String cause(CommandId command) {
    return "cause/" + HexFormat.of().formatHex(command.bytes());
  }

  private static String padded(long number) {
    String digits = Long.toString(number);
    // A number below 0, which only a wrong command has, is the key of nothing.
    return ZEROS.substring(Math.min(ZEROS.length(), digits.length())) + digits;
  }
}
