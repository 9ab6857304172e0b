package io.millrace.server.core.cluster;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a directive is about to write and delete, over the administrative shard's copy of the
 * objects, and the shards that must agree to it.
 */
final class Draft {
  private static final Logger LOG = LoggerFactory.getLogger(Draft.class);

  /** Name of the scheduler object that serves the default partition. */
  static final String DEFAULT_SCHEDULER = "default";

  private final View view;
  private long number;
  private final long nowMs;
  private final Map<String, ClusterObject> written = new LinkedHashMap<>();
  private final List<ClusterObject> deleted = new ArrayList<>();
  private final Set<Integer> consents = new LinkedHashSet<>();

  /**
   * @param number of the change; the version of what is written
   * @param nowMs the shard's time
   */
  Draft(View view, long number, long nowMs) {
    this.view = view;
    this.number = number;
    this.nowMs = nowMs;
  }

  /**
   * Works a later change out on top of what is here, to be carried out with it.
   *
   * @return whether that went well; if not, nothing of the later change stays here
   */
  boolean goOn(long laterNumber, LaterChange work) {
    Map<String, ClusterObject> writtenBefore = new LinkedHashMap<>(written);
    List<ClusterObject> deletedBefore = List.copyOf(deleted);
    Set<Integer> consentsBefore = new LinkedHashSet<>(consents);
    long numberBefore = number;
    number = laterNumber;
    try {
      work.workOut(this);
      return true;
    } catch (RejectedChange | RuntimeException e) {
      // Whoever asked for it is told why when it is the first in line.
      LOG.debug("change {} is not carried out with others", laterNumber, e);
      number = numberBefore;
      written.clear();
      written.putAll(writtenBefore);
      deleted.clear();
      deleted.addAll(deletedBefore);
      consents.clear();
      consents.addAll(consentsBefore);
      return false;
    }
  }

  /** What a change writes and deletes. */
  interface LaterChange {
    void workOut(Draft draft) throws RejectedChange;
  }

  long nowMs() {
    return nowMs;
  }

  View view() {
    return view;
  }

  List<ClusterObject> written() {
    return List.copyOf(written.values());
  }

  List<ClusterObject> deleted() {
    return deleted;
  }

  List<Integer> consents() {
    return List.copyOf(consents);
  }

  /** The object as it will be; null when there is none. */
  ClusterObject find(ObjectKind kind, String name) {
    String key = Keys.object(kind, name);
    ClusterObject object = written.get(key);
    return object != null ? object : view.objects().get(key);
  }

  void write(ObjectKind kind, String name, Map<String, String> attributes) {
    List<Attribute> list = new ArrayList<>(attributes.size());
    attributes.forEach((key, value) -> list.add(new Attribute(key, value)));
    ClusterObject before = find(kind, name);
    long created = before == null ? number : before.getCreated();
    written.put(Keys.object(kind, name), new ClusterObject(kind, name, number, list, created));
  }

  void delete(ClusterObject object) {
    deleted.add(
        new ClusterObject(
            object.getKind(), object.getName(), number, List.of(), object.getCreated()));
  }

  /**
   * Jobs and nodes may still be in a shard where their queue or partition was, or on their way:
   * only all shards together know that nothing is left.
   */
  void askAllShards() {
    for (int shard = 0; shard < view.shards(); shard++) {
      consents.add(shard);
    }
  }

  /** A shard that alone knows what keeps something where it is. */
  void ask(int shard) {
    consents.add(shard);
  }

  /** The words of a list in an attribute. */
  static List<String> words(String list) {
    return Arrays.stream(list.split(",")).map(String::strip).filter(w -> !w.isEmpty()).toList();
  }

  /** A copy of the object's attributes that may be changed; empty for null. */
  static Map<String, String> attributes(ClusterObject object) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (object != null) {
      object.getAttributes().forEach(a -> attributes.put(a.getName(), a.getValue()));
    }
    return attributes;
  }
}
