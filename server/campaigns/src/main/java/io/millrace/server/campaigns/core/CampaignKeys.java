package io.millrace.server.campaigns.core;

import io.millrace.schemas.common.CommandId;
import java.util.HexFormat;

/** Keys of the table; those of one kind are in the order of numbers. */
public final class CampaignKeys {

  public static final String CAMPAIGNS = "campaign/";
  public static final String NUMBERS = "numbers";

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

  /** Prefix of all failures of a campaign. */
  public static String failures(long campaign) {
    return "failure/" + padded(campaign) + "/";
  }

  static String failure(long campaign, int task) {
    return failures(campaign) + padded(task);
  }

  public static String block(long campaign, int number) {
    return "block/" + padded(campaign) + "/" + padded(number);
  }

  public static String load(String cluster) {
    return "load/" + cluster;
  }

  static String cause(CommandId command) {
    return "cause/" + HexFormat.of().formatHex(command.bytes());
  }

  private static String padded(long number) {
    return String.format("%019d", number);
  }
}
