package io.millrace.connectors.forward.observe;

import java.util.List;

/**
 * What a look at a cluster has brought.
 *
 * @param shown what has changed
 * @param cursor where a later process reads on in logs and accounting; what they said before is in
 *     this and earlier news
 */
public record ClusterNews(List<Shown> shown, String cursor) {
  public ClusterNews {
    shown = List.copyOf(shown);
  }
}
