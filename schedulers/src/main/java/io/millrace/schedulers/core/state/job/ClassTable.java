package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The classes that have jobs. Found by a fingerprint of the request, since making the canonical
 * text for each of a million jobs would take most of the time of a start.
 */
public final class ClassTable {

  private final ResourceNames names;

  /** Hash table by fingerprint; each bucket is a chain of classes. */
  private ClassState[] buckets = new ClassState[64];

  private final List<ClassState> byId = new ArrayList<>();
  private final List<Integer> freeIds = new ArrayList<>();

  ClassTable(ResourceNames names) {
    this.names = names;
  }

  ClassState get(int id) {
    return byId.get(id);
  }

  int size() {
    return byId.size() - freeIds.size();
  }

  public void each(Consumer<ClassState> visitor) {
    for (ClassState it : byId) {
      if (it != null) {
        visitor.accept(it);
      }
    }
  }

  /** The class of a request in a queue; creates it when there is none. */
  ClassState classOf(QueueState queue, JobOwner account, JobRequest asked) {
    if (asked instanceof JobRequest.Recorded recorded) {
      return classOf(queue, account, recorded.request());
    }
    RequestShape shape = ((JobRequest.Shaped) asked).shape();
    int fingerprint = folded(mix(mix(queue, account), shape.fingerprint()));
    for (ClassState it = buckets[bucket(fingerprint)]; it != null; it = it.nextInBucket()) {
      if (it.fingerprint() == fingerprint && it.of(queue, account) && it.shape().sameAs(shape)) {
        return it;
      }
    }
    return create(queue, account, shape, fingerprint);
  }

  private ClassState classOf(QueueState queue, JobOwner account, ResourceRequest request) {
    int fingerprint = folded(fingerprint(mix(queue, account), request));
    for (ClassState it = buckets[bucket(fingerprint)]; it != null; it = it.nextInBucket()) {
      if (it.fingerprint() == fingerprint
          && it.of(queue, account)
          && it.shape().isOf(request, names)) {
        return it;
      }
    }
    return create(queue, account, new RequestShape(request, names), fingerprint);
  }

  private ClassState create(
      QueueState queue, JobOwner account, RequestShape shape, int fingerprint) {
    int id = freeIds.isEmpty() ? byId.size() : freeIds.remove(freeIds.size() - 1);
    ClassState created = new ClassState(id, queue, account, shape, fingerprint);
    if (size() >= buckets.length) {
      grow();
    }
    chain(created);
    if (id == byId.size()) {
      byId.add(created);
    } else {
      byId.set(id, created);
    }
    queue.add(created);
    return created;
  }

  /** Removes a class that has no jobs. */
  void forget(ClassState empty) {
    int bucket = bucket(empty.fingerprint());
    if (buckets[bucket] == empty) {
      buckets[bucket] = empty.nextInBucket();
    } else {
      ClassState before = buckets[bucket];
      while (before.nextInBucket() != empty) {
        before = before.nextInBucket();
      }
      before.chainedBefore(empty.nextInBucket());
    }
    empty.queue().remove(empty);
    byId.set(empty.id(), null);
    freeIds.add(empty.id());
  }

  private int bucket(int fingerprint) {
    return fingerprint & (buckets.length - 1);
  }

  private static int folded(long fingerprint) {
    return (int) (fingerprint ^ (fingerprint >>> 32));
  }

  private void chain(ClassState owner) {
    int bucket = bucket(owner.fingerprint());
    owner.chainedBefore(buckets[bucket]);
    buckets[bucket] = owner;
  }

  private void grow() {
    buckets = new ClassState[2 * buckets.length];
    each(this::chain);
  }

  private static long mix(QueueState queue, JobOwner account) {
    return account == JobOwner.ANYBODY
        ? queue.name().hashCode()
        : mix(queue.name().hashCode(), account.hashCode());
  }

  private static long fingerprint(long owner, ResourceRequest request) {
    long mixed = mix(owner, request.getPlace().hashCode());
    mixed = mix(mixed, request.getWalltimeS());
    for (Chunk chunk : request.getChunks()) {
      long sum = chunk.getCount();
      // A sum, so that the order of the map's entries does not matter.
      for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
        sum += mix(amount.getKey().hashCode(), amount.getValue());
      }
      for (Map.Entry<String, String> match : chunk.getMatches().entrySet()) {
        sum += mix(match.getKey().hashCode(), match.getValue().hashCode());
      }
      mixed = mix(mixed, sum);
    }
    return request.getJobWide().isEmpty() ? mixed : mix(mixed, request.getJobWide().hashCode());
  }

  private static long mix(long a, long b) {
    long mixed = (a ^ Long.rotateLeft(b, 32)) * 0x9E3779B97F4A7C15L + b;
    return mixed ^ (mixed >>> 29);
  }
}
