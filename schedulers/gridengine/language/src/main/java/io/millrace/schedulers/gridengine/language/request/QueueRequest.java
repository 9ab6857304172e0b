package io.millrace.schedulers.gridengine.language.request;

import io.millrace.schedulers.gridengine.language.cluster.HostGroups;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One name of -q: {@code queue}, {@code queue@host}, {@code queue@@group} or {@code @host}.
 *
 * @param without hosts that are excluded although the name matches them
 */
public record QueueRequest(String text, Set<String> without) {

  public QueueRequest(String text) {
    this(text, Set.of());
  }

  public static List<QueueRequest> list(String text) {
    List<QueueRequest> requests = new ArrayList<>();
    for (String part : text.split(",")) {
      if (!part.isBlank()) {
        requests.add(new QueueRequest(part.strip()));
      }
    }
    return requests;
  }

  /** Whether it names instances of a queue, on whatever hosts. */
  public boolean names(String queue) {
    int at = text.indexOf('@');
    String names = at < 0 ? text : text.substring(0, at);
    return names.isEmpty() || WildcardPattern.of(names).fits(queue);
  }

  public boolean fits(QueueInstance queue, HostGroups groups) {
    if (without.contains(queue.host()) || !names(queue.queue())) {
      return false;
    }
    int at = text.indexOf('@');
    if (at < 0) {
      return true;
    }
    String where = text.substring(at + 1);
    return where.startsWith("@")
        ? groups.hasIn(WildcardPattern.of(where), queue.host())
        : WildcardPattern.of(where).fits(queue.host());
  }
}
