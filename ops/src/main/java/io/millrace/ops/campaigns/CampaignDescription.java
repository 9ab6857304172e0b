package io.millrace.ops.campaigns;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@code gridsub} is told of a campaign of numbered tasks.
 *
 * @param program what each task runs, with its number as argument
 * @param directory where it runs
 * @param walltime of a task, HH:MM:SS
 */
public record CampaignDescription(
    String name, int tasks, Path program, Path directory, String walltime) {

  /**
   * As JSON, whatever characters the paths have.
   *
   * @param replicas whether the last tasks may have some
   */
  public String json(List<String> clusters, boolean replicas) {
    return json(clusters, List.of(), replicas);
  }

  /**
   * The same.
   *
   * @param grouped those of the clusters where short tasks run in one job, one after another
   */
  public String json(List<String> clusters, List<String> grouped, boolean replicas) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name);
    json.put("nb_jobs", tasks);
    json.put("exec_file", program.toString());
    json.put("exec_directory", directory.toString());
    json.put("walltime", walltime);
    json.put("finalize", replicas);
    ObjectNode all = json.putObject("clusters");
    for (String cluster : clusters) {
      ObjectNode settings = all.putObject(cluster);
      if (grouped.contains(cluster)) {
        settings.put("temporal_grouping", true);
      }
    }
    return json.toString();
  }
}
