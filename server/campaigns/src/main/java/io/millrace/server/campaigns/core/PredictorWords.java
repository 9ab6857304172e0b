package io.millrace.server.campaigns.core;

import io.millrace.schedulers.campaigns.predictors.Predictors;
import io.millrace.schemas.campaign.CampaignCluster;
import java.util.List;

/** How a campaign's predictor for a cluster is shown. */
public final class PredictorWords {

  private PredictorWords() {}

  /** The predictors there are; the first is the usual one. */
  public static List<String> names() {
    return Predictors.names();
  }

  /** Its name, its ratio or rate, and how many tasks it has taken back. */
  public static String of(CampaignCluster cluster) {
    int taken = cluster.getTakenBack();
    return PredictedRoom.words(cluster) + (taken > 0 ? ", " + taken + " taken back" : "");
  }
}
