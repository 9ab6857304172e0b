package io.millrace.server.gateway.link;

import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.util.List;

/**
 * What is shown of an outside cluster that is observed.
 *
 * @param cluster whether it answers, and since when it was not heard of
 * @param jobs in order of their numbers
 * @param nodes in order of their names
 */
public record OutsidePicture(
    ObservedCluster cluster, List<ObservedJob> jobs, List<ObservedNode> nodes) {}
