package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.policy.JobSequence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Users, groups or hosts whose jobs come first; a host's domains stand for it. */
final class OwnerList {

  /** Of the user, the group or the host, whichever is listed. */
  private final ToIntFunction<JobOwner> value;

  private final Map<String, Integer> places = new HashMap<>();

  private OwnerList(String word, List<String> names) {
    this.value =
        switch (word) {
          case JobSequence.USER -> owner -> place(owner.user());
          case JobSequence.GROUP -> owner -> place(owner.group());
          default -> owner -> ofHost(owner.host());
        };
    for (String name : names) {
      places.putIfAbsent(name, names.size() - places.size());
    }
  }

  static OwnerList of(JobSequence.JobOrderKey key) {
    return new OwnerList(key.word(), key.list());
  }

  /** Larger for those that stand earlier in the list, 0 for those that do not. */
  int value(JobOwner owner) {
    return value.applyAsInt(owner);
  }

  private int place(String name) {
    return places.getOrDefault(name, 0);
  }

  /** The value of the host, or of the smallest domain of it that is listed. */
  private int ofHost(String host) {
    Integer place = places.get(host);
    for (int dot = host.indexOf('.'); dot >= 0 && place == null; dot = host.indexOf('.', dot + 1)) {
      place = places.get(host.substring(dot + 1));
    }
    return place == null ? 0 : place;
  }
}
