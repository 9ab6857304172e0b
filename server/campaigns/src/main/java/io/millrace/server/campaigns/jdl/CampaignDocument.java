package io.millrace.server.campaigns.jdl;

import java.util.Map;
import java.util.Optional;

/**
 * A campaign as it was described.
 *
 * @param name what its owner calls it
 * @param supply where its tasks come from
 * @param tasks how many there are as far as the document tells: 0 for those of a file
 * @param paramFile file with a line for each task; empty unless that is the supply
 * @param clusters settings by cluster, in the order of the document: those of the cluster, then
 *     those of the campaign, then the usual ones
 */
public record CampaignDocument(
    String name,
    TaskSupply supply,
    long tasks,
    Optional<String> paramFile,
    Map<String, Map<String, Object>> clusters) {

  /** Where tasks come from. */
  public enum TaskSupply {
    /** One for each parameter of the document. */
    PARAMS,
    /** One for each line of a file. */
    FILE,
    /** So many, with the numbers from 0 as their parameters. */
    NUMBER
  }
}
